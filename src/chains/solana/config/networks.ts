import type { Environment } from '../../../context.ts';
import type { Network, Token } from '../../family.ts';

/** The one chain name of the family: the environment decides which cluster is meant. */
export const solanaChain = 'solana';

/** Mainnet in production, devnet in staging, a local chain in development. */
export interface SolanaNetwork extends Network {
  readonly chainType: 'solana';
  readonly cluster: 'mainnet' | 'devnet' | 'local';
  /**
   * What the node must say that its chain began with; a local chain has any but those of the public
   * clusters.
   */
  readonly genesisHash?: string;
}

/** Symbol and name of the test stablecoin on test clusters. */
const testToken = { symbol: 'usdxm', name: 'Test USD', decimals: 6 } as const;

/** Hash of the first block: what a cluster is known by. */
export const publicGenesisHashes = {
  mainnet: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d',
  devnet: 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG',
  testnet: '4uhcVJyU9pJkvQyS88uRDiswHScg9U2sxzqmPRBmYKnt',
} as const;

const usdc = { symbol: 'usdc', name: 'USD Coin', decimals: 6 } as const;
const mainTokens: readonly Token[] = [
  { ...usdc, address: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v' },
  {
    symbol: 'usdt',
    name: 'Tether USD',
    decimals: 6,
    address: 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB',
  },
];
const testTokens: readonly Token[] = [
  { ...usdc, address: '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU' },
];

const clusters = { production: 'mainnet', staging: 'devnet', development: 'local' } as const;

/** The network of an environment, with the test stablecoin where the operator has one. */
export function solanaNetwork(
  environment: Environment,
  { testTokenMint }: { readonly testTokenMint?: string } = {},
): SolanaNetwork {
  const cluster = clusters[environment];
  const isMain = cluster === 'mainnet';
  return {
    name: solanaChain,
    chainType: 'solana',
    testnet: !isMain,
    cluster,
    ...(cluster !== 'local' && {
      genesisHash: publicGenesisHashes[cluster],
      explorerUrl: 'https://explorer.solana.com',
    }),
    native: { symbol: 'sol', decimals: 9 },
    tokens: isMain
      ? mainTokens
      : [
          ...testTokens,
          ...(testTokenMint === undefined ? [] : [{ ...testToken, address: testTokenMint }]),
        ],
  };
}

/** Address of a transaction in the network's explorer; undefined on a local chain. */
export function explorerLinkOf(network: SolanaNetwork, signature: string): string | undefined {
  if (network.explorerUrl === undefined) return undefined;
  return `${network.explorerUrl}/tx/${signature}${network.cluster === 'devnet' ? '?cluster=devnet' : ''}`;
}
