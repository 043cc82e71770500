import { xdr } from '@stellar/stellar-sdk/base';
import type { Storage } from '../host/storage.ts';
import {
  type AccountId,
  accountAddress,
  accountId,
  changeAccount,
  minBalance,
  readAccount,
  sponsorshipOf,
  withSponsorship,
  writeAccount,
} from '../ledger/accounts.ts';

/**
 * Who pays reserves for whom, between `begin` and `end` of one transaction: sponsored account to
 * sponsor.
 */
export type Sponsors = Map<string, string>;

interface Reservation {
  readonly owner: AccountId;
  /** Reserves, of 0.5 XLM each. */
  readonly count: number;
  /**
   * Entries that hang on the account have a number there; claimable balances and the account itself
   * do not.
   */
  readonly isSubEntry: boolean;
}

/**
 * Takes the reserves of a new entry from its owner, or from who sponsors the owner.
 * @returns what the entry says of its sponsor; undefined where nobody has enough
 */
export function reserve(
  storage: Storage,
  sponsors: Sponsors,
  { owner, count, isSubEntry }: Reservation,
): xdr.LedgerEntryExt | undefined {
  const sponsor = sponsors.get(accountAddress(owner));
  const account = readAccount(storage, owner);
  if (account && isSubEntry)
    writeAccount(storage, changeAccount(account, { numSubEntries: account.numSubEntries + count }));
  if (sponsor === undefined) return hasEnough(storage, owner) ? xdr.LedgerEntryExt.v0() : undefined;
  addSponsorship(storage, accountId(sponsor), { sponsored: 0, sponsoring: count });
  if (isSubEntry) addSponsorship(storage, owner, { sponsored: count, sponsoring: 0 });
  return hasEnough(storage, accountId(sponsor)) ? sponsoredBy(accountId(sponsor)) : undefined;
}

export function sponsoredBy(sponsor: AccountId): xdr.LedgerEntryExt {
  return xdr.LedgerEntryExt.v1(
    new xdr.LedgerEntryExtensionV1({
      sponsoringId: sponsor,
      ext: xdr.LedgerEntryExtensionV1Ext.v0(),
    }),
  );
}

export function sponsorOf(ext: xdr.LedgerEntryExt | undefined): AccountId | undefined {
  return ext?.type === 'v1' ? (ext.v1.sponsoringId ?? undefined) : undefined;
}

/** Gives the reserves of an entry back to whom they are of. */
export function release(
  storage: Storage,
  ext: xdr.LedgerEntryExt | undefined,
  { owner, count, isSubEntry }: Reservation,
): void {
  const account = readAccount(storage, owner);
  if (account && isSubEntry)
    writeAccount(storage, changeAccount(account, { numSubEntries: account.numSubEntries - count }));
  const sponsor = sponsorOf(ext);
  if (!sponsor) return;
  addSponsorship(storage, sponsor, { sponsored: 0, sponsoring: -count });
  if (isSubEntry) addSponsorship(storage, owner, { sponsored: -count, sponsoring: 0 });
}

export function addSponsorship(
  storage: Storage,
  id: AccountId,
  more: { readonly sponsored: number; readonly sponsoring: number },
): void {
  const account = readAccount(storage, id);
  if (!account) return;
  const { sponsored, sponsoring } = sponsorshipOf(account);
  const sum = { sponsored: sponsored + more.sponsored, sponsoring: sponsoring + more.sponsoring };
  writeAccount(storage, withSponsorship(account, sum));
}

function hasEnough(storage: Storage, id: AccountId): boolean {
  const account = readAccount(storage, id);
  return account !== undefined && account.balance >= minBalance(account);
}
