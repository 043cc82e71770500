import { createManualClock } from '../lib/clock.ts';
import { systemIds } from '../lib/id.ts';
import type { Store } from '../store/types.ts';
import type { HoldEnd, NewEntry, Posting } from './types.ts';

/** Builders for the tests of the ledger. */

export const bankTime = new Date('2026-01-15T11:59:00.000Z');

export function aLedger(store: Store) {
  const clock = createManualClock();
  return { store, clock, ids: systemIds };
}

export const aProject = () => systemIds.randomUuid();

/** Two legs in US cents: `from` is credited, `to` is debited. */
export function legs(from: string, to: string, amountMinor: bigint, asset = 'usd'): Posting[] {
  return [
    { account: from, asset, amountMinor: -amountMinor },
    { account: to, asset, amountMinor },
  ];
}

let entryCount = 0;

/** 100 cents from equity to the bank, under a reference of its own. */
export function anEntry(overrides: Partial<NewEntry> & { projectId: string }): NewEntry {
  entryCount += 1;
  return {
    reference: `entry-${entryCount}`,
    kind: 'test',
    effectiveAt: bankTime,
    postings: legs('equity:owner', 'bank:sandbox:account', 100n),
    ...overrides,
  };
}

export function endOf({ projectId, reference }: NewEntry): HoldEnd {
  return { projectId, reference, effectiveAt: bankTime };
}
