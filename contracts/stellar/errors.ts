/** Why the contracts refuse, in the order of their codes: the first is contract error 1. */
export const walletErrors = [
  'bad set-up',
  'bad signature value',
  'wrong payload',
  'not bound to the wallet',
  'wrong epoch',
  'not enough signers',
  'bad passkey data',
  'unknown delegate',
  'wrong generation',
  'expired',
  'forbidden',
  'out of scope',
  'wrong recipient',
  'limit exceeded',
  'locked',
  'not locked',
  'too many changes',
] as const;

export type WalletError = (typeof walletErrors)[number];

/** @returns undefined for a code that is none of the contracts' */
export function walletErrorOf(code: number): WalletError | undefined {
  return walletErrors[code - 1];
}
