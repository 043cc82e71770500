import type { Environment } from '../../../context.ts';
import type { Network, Token } from '../../family.ts';

/** The one chain name of the family: the environment decides which network is meant. */
export const stellarChain = 'stellar';

/** Pubnet in production, testnet in staging, a local chain in development. */
export interface StellarNetwork extends Network {
  readonly chainType: 'stellar';
  readonly kind: 'pubnet' | 'testnet' | 'local';
  /** What everything that is signed names, by its hash, and what the node must say. */
  readonly passphrase: string;
  /**
   * Contract of the native token: it follows from the passphrase; the interface gives the token no
   * address.
   */
  readonly nativeContract: string;
}

const kinds = { production: 'pubnet', staging: 'testnet', development: 'local' } as const;

/** What each kind of network is known by. */
export const networkFacts = {
  pubnet: {
    passphrase: 'Public Global Stellar Network ; September 2015',
    nativeContract: 'CAS3J7GYLGXMF6TDJBBYYSE3HQ6BBSMLNUQ34T6TZMYMW2EVH34XOWMA',
  },
  testnet: {
    passphrase: 'Test SDF Network ; September 2015',
    nativeContract: 'CDLZFC3SYJYDZT7K67VZ75HPJVIEUVNIXF47ZG2FB2RMQQVU2HHGCYSC',
  },
  local: {
    passphrase: 'Standalone Network ; February 2017',
    nativeContract: 'CDMLFMKMMD7MWZP3FKUBZPVHTUEDLSX4BYGYKH4GCESXYHS3IHQ4EIG4',
  },
} as const;

/** Symbol and name of the test stablecoin on test networks. */
const testToken = { symbol: 'usdxm', name: 'Test USD', decimals: 7 } as const;

const usdc = { symbol: 'usdc', name: 'USD Coin', decimals: 7 } as const;
const tokens: Readonly<Record<StellarNetwork['kind'], readonly Token[]>> = {
  pubnet: [{ ...usdc, address: 'CCW67TSZV3SSS2HXMBQ5JFGCKJNXKZM7UQUWUZPUTHXSTZLEO7SJMI75' }],
  testnet: [{ ...usdc, address: 'CBIELTK6YBZJU5UP2WWQEUCYKLPU6AUNZ2BQ4WWFEIE3USCIHMXQDAMA' }],
  local: [],
};

/** The network of an environment, with the test stablecoin where the operator has one. */
export function stellarNetwork(
  environment: Environment,
  { testTokenContract }: { readonly testTokenContract?: string } = {},
): StellarNetwork {
  const kind = kinds[environment];
  const isMain = kind === 'pubnet';
  const testTokens =
    isMain || testTokenContract === undefined ? [] : [{ ...testToken, address: testTokenContract }];
  return {
    name: stellarChain,
    chainType: 'stellar',
    testnet: !isMain,
    kind,
    ...networkFacts[kind],
    ...(kind !== 'local' && {
      explorerUrl: `https://stellar.expert/explorer/${isMain ? 'public' : 'testnet'}`,
    }),
    native: { symbol: 'xlm', decimals: 7 },
    tokens: [...tokens[kind], ...testTokens],
  };
}

/** Address of a transaction in the network's explorer; undefined on a local chain. */
export function explorerLinkOf({ explorerUrl }: StellarNetwork, txId: string): string | undefined {
  return explorerUrl === undefined ? undefined : `${explorerUrl}/tx/${txId}`;
}
