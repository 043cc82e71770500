import { createHash } from 'node:crypto';
import type { Json } from '../lib/json/json.ts';
import { checkAccount, checkAsset, isUuid } from './accounts.ts';
import { LedgerInvalid } from './errors.ts';
import type { EntryPhase, NewEntry, Posting } from './types.ts';

const legsMax = 1_000;
const referenceLengthMax = 300;
const kindLengthMax = 100;
/** Digits of 2^256, the largest amount a chain can hold. */
const amountLimit = 10n ** 78n;

/** @throws LedgerInvalid with the sentence that says what is wrong */
export function checkEntry(entry: NewEntry): void {
  const refuse = (reason: string): never => {
    throw new LedgerInvalid(`Ledger entry ${entry.reference.slice(0, 100)}: ${reason}`);
  };
  if (entry.reference === '' || entry.reference.length > referenceLengthMax)
    refuse(`a reference has 1 to ${referenceLengthMax} characters.`);
  if (entry.kind === '' || entry.kind.length > kindLengthMax)
    refuse(`a kind has 1 to ${kindLengthMax} characters.`);
  if (!isUuid(entry.projectId)) refuse('projectId is no UUID in lower case.');
  if (entry.orderId !== undefined && !isUuid(entry.orderId))
    refuse('orderId is no UUID in lower case.');
  if (Number.isNaN(entry.effectiveAt.getTime())) refuse('effectiveAt is no time.');
  if (entry.postings.length < 2 || entry.postings.length > legsMax)
    refuse(`it has 2 to ${legsMax} legs, not ${entry.postings.length}.`);
  for (const { account, asset, amountMinor } of entry.postings) {
    checkAccount(account);
    checkAsset(asset);
    if (amountMinor === 0n) refuse(`the leg of ${account} is zero.`);
    if (amountMinor >= amountLimit || -amountMinor >= amountLimit)
      refuse(`the leg of ${account} is larger than any amount can be.`);
  }
  for (const [asset, sum] of sumByAsset(entry.postings))
    if (sum !== 0n) refuse(`its legs in ${asset} add up to ${sum} instead of 0.`);
}

/** The legs of each asset added up: in an entry all of them are 0. */
export function sumByAsset(postings: readonly Posting[]): Map<string, bigint> {
  const sums = new Map<string, bigint>();
  for (const { asset, amountMinor } of postings)
    sums.set(asset, (sums.get(asset) ?? 0n) + amountMinor);
  return sums;
}

/**
 * What makes two entries of one reference the same: all that the caller gave. The order of the legs
 * counts as little as that of the fields of `data`.
 */
export function hashContent(
  entry: Omit<NewEntry, 'projectId' | 'reference'>,
  phase: EntryPhase,
): Buffer {
  const legs = entry.postings
    .map(({ account, asset, amountMinor }) => `${account} ${asset} ${amountMinor}`)
    .toSorted();
  const parts = [
    phase,
    entry.kind,
    entry.orderId ?? '',
    entry.effectiveAt.toISOString(),
    ...legs,
    canonicalJson(entry.data ?? {}),
  ];
  return createHash('sha256').update(JSON.stringify(parts)).digest();
}

function canonicalJson(value: Json): string {
  return JSON.stringify(value, (_, part: unknown) =>
    part !== null && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
