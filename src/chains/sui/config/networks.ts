import type { Environment } from '../../../context.ts';
import type { Network, Token } from '../../family.ts';

/** The one chain name of the family: the environment decides which network is meant. */
export const suiChain = 'sui';

/** Mainnet in production, testnet in staging, a local chain in development. */
export interface SuiNetwork extends Network {
  readonly chainType: 'sui';
  readonly cluster: 'mainnet' | 'testnet' | 'local';
  /**
   * What the node must say its network began with; a local chain has any but those of the public
   * networks.
   */
  readonly genesisDigest?: string;
}

/** Digest of the first checkpoint: what a network is known by. */
export const publicGenesisDigests = {
  mainnet: '4btiuiMPvEENsttpZC7CZ53DruC3MAgfznDbASZ7DR6S',
  testnet: '69WiPg3DAQiwdxfncX6wYQ2siKwAe6L9BZthQea3JNMD',
} as const;

/** The native coin, as every coin has a type; the interface gives it no address. */
export const suiCoinType =
  '0x0000000000000000000000000000000000000000000000000000000000000002::sui::SUI';

const usdc = { symbol: 'usdc', name: 'USD Coin', decimals: 6 } as const;
const tokens: Readonly<Record<SuiNetwork['cluster'], readonly Token[]>> = {
  mainnet: [
    {
      ...usdc,
      address: '0xdba34672e30cb065b1f93e3ab55318768fd6fef66c15942c9f7cb846e2f900e7::usdc::USDC',
    },
  ],
  testnet: [
    {
      ...usdc,
      address: '0xa1ec7fc00a6f40db9693ad1415d0c193ad3906494428cf252621037bd7117e29::usdc::USDC',
    },
  ],
  local: [],
};

/** Symbol and name of the test stablecoin on test networks. */
export const testToken = { symbol: 'usdxm', name: 'Test USD', decimals: 6 } as const;

const clusters = { production: 'mainnet', staging: 'testnet', development: 'local' } as const;

/** The network of an environment, with the test stablecoin where the operator has one. */
export function suiNetwork(
  environment: Environment,
  { testCoinType }: { readonly testCoinType?: string } = {},
): SuiNetwork {
  const cluster = clusters[environment];
  const isMain = cluster === 'mainnet';
  return {
    name: suiChain,
    chainType: 'sui',
    testnet: !isMain,
    cluster,
    ...(cluster !== 'local' && {
      genesisDigest: publicGenesisDigests[cluster],
      explorerUrl: isMain ? 'https://suiscan.xyz/mainnet' : 'https://suiscan.xyz/testnet',
    }),
    native: { symbol: 'sui', decimals: 9 },
    tokens:
      isMain || testCoinType === undefined
        ? tokens[cluster]
        : [...tokens[cluster], { ...testToken, address: testCoinType }],
  };
}

/** Address of a transaction in the network's explorer; undefined on a local chain. */
export function explorerLinkOf({ explorerUrl }: SuiNetwork, digest: string): string | undefined {
  return explorerUrl === undefined ? undefined : `${explorerUrl}/tx/${digest}`;
}
