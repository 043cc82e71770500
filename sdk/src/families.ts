import type { Family } from './family/family.ts';

const families: Readonly<Record<string, (() => Promise<Family>) | undefined>> = {
  solana: async () => (await import('./solana/index.ts')).solana,
  stellar: async () => (await import('./stellar/index.ts')).stellar,
};

/**
 * What reads the transactions of such a wallet; undefined: nothing here does. EVM is not among
 * them.
 */
export async function loadFamily(chainType: string): Promise<Family | undefined> {
  return Object.hasOwn(families, chainType) ? families[chainType]!() : undefined;
}
