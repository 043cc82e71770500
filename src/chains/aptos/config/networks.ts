import type { Environment } from '../../../context.ts';
import type { Network, Token } from '../../family.ts';

/** The one chain name of the family: the environment decides which network is meant. */
export const aptosChain = 'aptos';

/** Mainnet in production, testnet in staging, a local chain in development. */
export interface AptosNetwork extends Network {
  readonly chainType: 'aptos';
  readonly kind: 'mainnet' | 'testnet' | 'local';
  /** What every transaction names, and what the node must say. */
  readonly networkId: number;
}

/** Symbol and name of the test stablecoin on test networks. */
export const testToken = { symbol: 'usdxm', name: 'Test USD', decimals: 6 } as const;

const usdc = { symbol: 'usdc', name: 'USD Coin', decimals: 6 } as const;
const mainTokens: readonly Token[] = [
  { ...usdc, address: '0xbae207659db88bea0cbead6da0ed00aac12edcdda169e591cd41c94180b46f3b' },
  {
    symbol: 'usdt',
    name: 'Tether USD',
    decimals: 6,
    address: '0x357b0b74bc833e95a115ad22604854d6b0fca151cecd94111770e5d6ffc9dc2b',
  },
];
const testTokens: readonly Token[] = [
  { ...usdc, address: '0x69091fbab5f7d635ee7ac5098cf0c1efbe31d68fec0f2cd565e8d168daf52832' },
];

const kinds = { production: 'mainnet', staging: 'testnet', development: 'local' } as const;
/** 4 is what local nodes say, ours and those of others. */
export const networkIds = { mainnet: 1, testnet: 2, local: 4 } as const;

/** The network of an environment, with the test stablecoin where the operator has one. */
export function aptosNetwork(
  environment: Environment,
  { testTokenAddress }: { readonly testTokenAddress?: string } = {},
): AptosNetwork {
  const kind = kinds[environment];
  const isMain = kind === 'mainnet';
  return {
    name: aptosChain,
    chainType: 'aptos',
    testnet: !isMain,
    kind,
    networkId: networkIds[kind],
    ...(kind !== 'local' && { explorerUrl: 'https://explorer.aptoslabs.com' }),
    native: { symbol: 'apt', decimals: 8 },
    tokens: isMain
      ? mainTokens
      : [
          ...testTokens,
          ...(testTokenAddress === undefined ? [] : [{ ...testToken, address: testTokenAddress }]),
        ],
  };
}

/** Address of a transaction in the network's explorer; undefined on a local chain. */
export function explorerLinkOf(network: AptosNetwork, hash: string): string | undefined {
  return network.explorerUrl === undefined
    ? undefined
    : `${network.explorerUrl}/txn/${hash}?network=${network.kind}`;
}
