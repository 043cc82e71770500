import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestDatabase, type TestDatabase } from '../../test/harness/database.ts';
import { expectLedgerBalanced } from '../../test/harness/ledger.ts';
import {
  foldLedger,
  holdEntries,
  type NewEntry,
  type Posting,
  postEntries,
  readBalances,
  settleHolds,
  trialBalance,
  voidHolds,
} from './index.ts';
import { aLedger, anEntry, aProject, endOf } from './test-kit.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database.close());

const account = fc.constantFrom(
  'bank:sandbox:account',
  'fees:network',
  'chain:base:treasury',
  'gas:spent',
  'suspense:held',
);
const asset = fc.constantFrom('usd', 'eur', 'jpy');
const amount = fc
  .oneof(fc.bigInt(1n, 1_000n), fc.bigInt(1n, 10n ** 60n))
  .chain((size) => fc.constantFrom(size, -size));

/** Random legs, and per asset one more that makes them add up to 0. */
const postings = fc
  .array(fc.record({ account, asset, amountMinor: amount }), { minLength: 1, maxLength: 5 })
  .map((some): Posting[] => {
    const all: Posting[] = [...some];
    for (const one of new Set(some.map((posting) => posting.asset))) {
      const sum = some.reduce(
        (total, posting) => (posting.asset === one ? total + posting.amountMinor : total),
        0n,
      );
      if (sum !== 0n) all.push({ account: 'equity:owner', asset: one, amountMinor: -sum });
    }
    return all;
  });

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('post' as const),
      entries: fc.array(postings, { minLength: 1, maxLength: 4 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('hold' as const),
      entries: fc.array(postings, { minLength: 1, maxLength: 3 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom('settle' as const, 'void' as const),
      pick: fc.nat(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('fold' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('wait' as const),
      ms: fc.integer({ min: 1, max: 5_000 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('repeat' as const), pick: fc.nat() }) },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** What the books should be: every leg with its time, added up anew for each question. */
interface NaiveLeg extends Posting {
  readonly at: Date;
  readonly column: 'posted' | 'pending';
}

async function play(steps: readonly Step[]) {
  const ledger = aLedger(database.store);
  const projectId = aProject();
  const naive: NaiveLeg[] = [];
  const instants = [new Date(ledger.clock.now().getTime() - 1)];
  const posted: NewEntry[] = [];
  let open: NewEntry[] = [];
  const note = (entry: NewEntry, column: NaiveLeg['column'], sign: 1n | -1n) =>
    naive.push(
      ...entry.postings.map((leg) => ({
        ...leg,
        amountMinor: sign * leg.amountMinor,
        at: ledger.clock.now(),
        column,
      })),
    );
  for (const one of steps) {
    instants.push(ledger.clock.now());
    if (one.do === 'wait') ledger.clock.advance(one.ms);
    else if (one.do === 'fold') await foldLedger(ledger, { tailMin: 1 });
    else if (one.do === 'post' || one.do === 'hold') {
      const entries = one.entries.map((legs) => anEntry({ projectId, postings: legs }));
      await ledger.store.transaction((tx) =>
        (one.do === 'post' ? postEntries : holdEntries)(ledger, tx, entries),
      );
      for (const entry of entries) note(entry, one.do === 'post' ? 'posted' : 'pending', 1n);
      if (one.do === 'post') posted.push(...entries);
      else open.push(...entries);
    } else if (one.do === 'repeat') {
      const again = posted[one.pick % Math.max(1, posted.length)];
      if (again) await ledger.store.transaction((tx) => postEntries(ledger, tx, [again]));
    } else {
      const held = open[one.pick % Math.max(1, open.length)];
      if (!held) continue;
      open = open.filter((entry) => entry !== held);
      await ledger.store.transaction((tx) =>
        (one.do === 'settle' ? settleHolds : voidHolds)(ledger, tx, [endOf(held)]),
      );
      note(held, 'pending', -1n);
      if (one.do === 'settle') note(held, 'posted', 1n);
    }
  }
  return { ledger, projectId, naive, instants };
}

function sumUp(
  naive: readonly NaiveLeg[],
  at: Date | undefined,
): Map<string, { posted: bigint; pending: bigint }> {
  const sums = new Map<string, { posted: bigint; pending: bigint }>();
  for (const leg of naive) {
    if (at && leg.at > at) continue;
    const key = `${leg.account} ${leg.asset}`;
    const sum = sums.get(key) ?? { posted: 0n, pending: 0n };
    sums.set(key, { ...sum, [leg.column]: sum[leg.column] + leg.amountMinor });
  }
  return new Map([...sums].filter(([, sum]) => sum.posted !== 0n || sum.pending !== 0n).toSorted());
}

it('balances at any instant are the plain sum of what was posted until then, whatever was held, ended, repeated and folded', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
      const { ledger, projectId, naive, instants } = await play(steps);
      for (const at of [undefined, ...instants]) {
        const rows = await readBalances(ledger.store, {
          projectId,
          limit: 1_000,
          ...(at && { at }),
        });
        const read = rows.filter((row) => row.postedMinor !== 0n || row.pendingMinor !== 0n);
        expect(
          new Map(
            read.map((row) => [
              `${row.account} ${row.asset}`,
              { posted: row.postedMinor, pending: row.pendingMinor },
            ]),
          ),
        ).toEqual(sumUp(naive, at));
        for (const { debitMinor, creditMinor, accounts } of await trialBalance(ledger.store, {
          projectId,
          ...(at && { at }),
        })) {
          expect(debitMinor).toBe(creditMinor);
          expect(accounts.reduce((sum, line) => sum + line.pendingMinor, 0n)).toBe(0n);
        }
      }
    }),
    { numRuns: 25 },
  );
  await expectLedgerBalanced(database.store);
});
