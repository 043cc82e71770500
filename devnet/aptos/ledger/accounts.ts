import type { Draft, Reading } from './state.ts';

const sequenceKey = (account: string) => `sequence/${account}`;
const nonceKey = (account: string, nonce: bigint) => `nonce/${account}/${nonce}`;

/** How far apart two transactions with one nonce must expire, in seconds (`nonce_validation`). */
const nonceApartS = 65n;

/** Accounts are there before anything is done with them, with the number 0. */
export function sequenceOf(state: Reading, account: string): bigint {
  return BigInt(state.get(sequenceKey(account)) ?? 0);
}

export function isCreated(state: Reading, account: string): boolean {
  return state.get(sequenceKey(account)) !== undefined;
}

export function createAccount(draft: Draft, account: string): void {
  if (!isCreated(draft, account)) draft.set(sequenceKey(account), '0');
}

export function useSequence(draft: Draft, account: string): void {
  draft.set(sequenceKey(account), (sequenceOf(draft, account) + 1n).toString());
}

/** Whether the nonce was used by a transaction that expires close to this one. */
export function isNonceUsed(
  state: Reading,
  account: string,
  nonce: bigint,
  expirationS: bigint,
): boolean {
  const used = state.get(nonceKey(account, nonce));
  return used !== undefined && expirationS <= BigInt(used) + nonceApartS;
}

export function useNonce(draft: Draft, account: string, nonce: bigint, expirationS: bigint): void {
  draft.set(nonceKey(account, nonce), expirationS.toString());
}
