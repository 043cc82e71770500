import type { Address } from '@solana/kit';

/** Programs that stand on every cluster. */
export const programs = {
  system: '11111111111111111111111111111111' as Address,
  computeBudget: 'ComputeBudget111111111111111111111111111111' as Address,
  token: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA' as Address,
  token2022: 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb' as Address,
  associatedToken: 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL' as Address,
  memo: 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr' as Address,
  memoV1: 'Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo' as Address,
  lookupTable: 'AddressLookupTab1e1111111111111111111111111' as Address,
} as const;

const tokenPrograms: ReadonlySet<string> = new Set([programs.token, programs.token2022]);

export function isTokenProgram(address: string): boolean {
  return tokenPrograms.has(address);
}
