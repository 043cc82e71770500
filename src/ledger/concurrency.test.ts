import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { startTestDatabase, type TestDatabase } from '../../test/harness/database.ts';
import { expectLedgerBalanced } from '../../test/harness/ledger.ts';
import {
  foldLedger,
  holdEntries,
  LedgerConflict,
  type NewEntry,
  postEntries,
  readBalances,
  settleHolds,
  voidHolds,
} from './index.ts';
import { aLedger, anEntry, aProject, endOf, legs } from './test-kit.ts';

let database: TestDatabase;
let ledger: ReturnType<typeof aLedger>;
let projectId: string;

beforeAll(async () => {
  database = await startTestDatabase({ poolSize: 52 });
  ledger = aLedger(database.store);
});
afterAll(() => database.close());
beforeEach(() => {
  projectId = aProject();
});

const post = (...entries: NewEntry[]) =>
  ledger.store.transaction((tx) => postEntries(ledger, tx, entries));
const hot = 'bank:sandbox:account';
async function hotBalance(): Promise<[bigint, bigint] | undefined> {
  const [row] = await readBalances(ledger.store, { projectId, account: hot, limit: 1 });
  return row && [row.postedMinor, row.pendingMinor];
}

async function countFolds(): Promise<bigint> {
  const { rows } = await ledger.store.query<{ fold: string }>({
    text: 'select fold from ledger_folds',
  });
  return BigInt(rows[0]!.fold);
}

/** Resolves when `count` have arrived. */
function aGate(count: number): () => Promise<void> {
  let arrived = 0;
  let open: () => void;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return () => {
    arrived += 1;
    if (arrived === count) open();
    return opened;
  };
}

it('50 writers stand with uncommitted postings on one account at once: none waits for another', async () => {
  const allHavePosted = aGate(50);
  await Promise.all(
    Array.from({ length: 50 }, () =>
      ledger.store.transaction(async (tx) => {
        await postEntries(ledger, tx, [anEntry({ projectId })]);
        // Whoever waited for a lock of another writer would never arrive here.
        await allHavePosted();
      }),
    ),
  );
  expect(await hotBalance()).toEqual([5_000n, 0n]);
});

it('50 writers with several turns each lose nothing, while folders and readers run', async () => {
  let writing = true;
  const folding = Promise.all(
    [1, 2].map(async () => {
      while (writing) await foldLedger(ledger, { tailMin: 1 });
    }),
  );
  let highest = 0n;
  const reading = (async () => {
    while (writing) {
      const posted = (await hotBalance())?.[0] ?? 0n;
      // A balance that only grows is never seen to shrink: nobody reads half a fold.
      expect(posted).toBeGreaterThanOrEqual(highest);
      highest = posted;
    }
  })();
  await Promise.all(
    Array.from({ length: 50 }, async () => {
      for (let turn = 0; turn < 6; turn++)
        await post(anEntry({ projectId }), anEntry({ projectId }));
    }),
  );
  writing = false;
  await Promise.all([folding, reading]);
  expect(await hotBalance()).toEqual([60_000n, 0n]);
  await foldLedger(ledger, { tailMin: 1 });
  expect(await hotBalance()).toEqual([60_000n, 0n]);
  await expectLedgerBalanced(ledger.store);
});

it('what a long transaction posted before others is counted once, though it commits after folds that passed it', async () => {
  const hasPosted = aGate(2);
  const mayCommit = aGate(2);
  const long = ledger.store.transaction(async (tx) => {
    await postEntries(ledger, tx, [
      anEntry({ projectId, postings: legs('equity:owner', hot, 1_000n) }),
    ]);
    await hasPosted();
    await mayCommit();
  });
  await hasPosted();
  for (let nr = 0; nr < 3; nr++) {
    await post(anEntry({ projectId }));
    expect(await foldLedger(ledger, { tailMin: 1 })).toBeGreaterThan(0);
  }
  expect(await hotBalance()).toEqual([300n, 0n]);
  void mayCommit();
  await long;
  expect(await hotBalance()).toEqual([1_300n, 0n]);
  expect(await foldLedger(ledger, { tailMin: 1 })).toBe(1);
  expect(await hotBalance()).toEqual([1_300n, 0n]);
  await expectLedgerBalanced(ledger.store);
});

it('what is rolled back leaves nothing', async () => {
  const failed = ledger.store.transaction(async (tx) => {
    await postEntries(ledger, tx, [anEntry({ projectId })]);
    throw new TypeError('no');
  });
  await expect(failed).rejects.toThrow('no');
  expect(await hotBalance()).toBeUndefined();
});

it('20 that post one reference at once post it once, and another content is refused whoever comes first', async () => {
  const entry = anEntry({ projectId });
  const other = { ...entry, kind: 'other' };
  const results = await Promise.allSettled(
    Array.from({ length: 20 }, (_, nr) => post(nr % 4 === 0 ? other : entry)),
  );
  const posted = results.flatMap((result) =>
    result.status === 'fulfilled' ? [result.value.posted] : [],
  );
  expect(posted.reduce((sum, count) => sum + count, 0)).toBe(1);
  expect([5, 15]).toContain(posted.length);
  for (const result of results)
    if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(LedgerConflict);
  expect(await hotBalance()).toEqual([100n, 0n]);
});

it('batches of the same references in different orders all end', async () => {
  const entries = Array.from({ length: 10 }, () => anEntry({ projectId }));
  const results = await Promise.all(
    Array.from({ length: 10 }, (_, nr) => post(...entries.slice(nr), ...entries.slice(0, nr))),
  );
  expect(results.reduce((sum, { posted }) => sum + posted, 0)).toBe(10);
});

it.each([
  ['two settlers', settleHolds, settleHolds],
  ['a settler and a voider', settleHolds, voidHolds],
])('%s of one hold at once: one ends it, the other is refused', async (_, one, other) => {
  for (let round = 0; round < 10; round++) {
    const held = anEntry({ projectId });
    await ledger.store.transaction((tx) => holdEntries(ledger, tx, [held]));
    const before = (await hotBalance())![0];
    const gate = aGate(2);
    const results = await Promise.allSettled(
      [one, other].map((end) =>
        ledger.store.transaction(async (tx) => {
          await gate();
          await end(ledger, tx, [endOf(held)]);
        }),
      ),
    );
    const refused = results.filter((result) => result.status === 'rejected');
    expect(refused).toHaveLength(1);
    expect(refused[0]!.reason).toBeInstanceOf(LedgerConflict);
    const settledFirst = results[0]!.status === 'fulfilled' || one === other;
    expect(await hotBalance()).toEqual([before + (settledFirst ? 100n : 0n), 0n]);
  }
});

it('a run takes a long tail in several folds', { tags: 'slow' }, async () => {
  await foldLedger(ledger, { tailMin: 1 });
  for (let call = 0; call < 12; call++)
    await post(...Array.from({ length: 1_000 }, () => anEntry({ projectId })));
  const before = await countFolds();
  expect(await foldLedger(ledger)).toBe(12);
  expect((await countFolds()) - before).toBe(2n);
  expect(await hotBalance()).toEqual([1_200_000n, 0n]);
});

it('a fold takes no more than there is, skips a tail that is short, and does not wait for another folder', async () => {
  await foldLedger(ledger, { tailMin: 1 });
  await post(anEntry({ projectId }));
  expect(await foldLedger(ledger)).toBe(0);
  await ledger.store.transaction(async (tx) => {
    await tx.query({ text: 'select 1 from ledger_folds for update' });
    expect(await foldLedger(ledger, { tailMin: 1 })).toBe(0);
  });
  expect(await foldLedger(ledger, { tailMin: 1 })).toBe(1);
  expect(await foldLedger(ledger, { tailMin: 0 })).toBe(0);
  await post(anEntry({ projectId }), anEntry({ projectId }), anEntry({ projectId }));
  expect(await foldLedger(ledger, { tailMin: 4 })).toBe(0);
  expect(await foldLedger(ledger, { tailMin: 3 })).toBe(1);
});
