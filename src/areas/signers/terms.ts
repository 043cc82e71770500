import type { Addresses, Delegate } from '../../chains/family.ts';

/** Until when a delegated signer may act, and what it may do. */
export type Terms = Pick<Delegate, 'expiresAt' | 'scopes'>;

/** Equal for terms that mean the same: in any order of scopes and recipients, in any spelling of addresses. */
export function termsKey(family: Addresses, { expiresAt, scopes }: Terms): string {
  const parts = scopes.map(({ token, recipients, spendingLimit }) =>
    JSON.stringify([
      token.address === undefined ? null : family.canonicalAddress(token.address),
      recipients === undefined ? null : [...new Set(recipients.map((recipient) => family.canonicalAddress(recipient)))].sort(),
      spendingLimit?.amountMinor.toString() ?? null,
      spendingLimit?.intervalSeconds ?? null,
    ]),
  );
  return JSON.stringify([expiresAt === undefined ? null : Math.floor(expiresAt.getTime() / 1_000), parts.sort()]);
}
