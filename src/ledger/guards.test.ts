import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestDatabase, type TestDatabase } from '../../test/harness/database.ts';
import { expectLedgerBalanced } from '../../test/harness/ledger.ts';
import type { Tx } from '../store/types.ts';
import {
  checkLedger,
  foldLedger,
  holdEntries,
  LedgerOverdrawn,
  type NewEntry,
  postEntries,
  settleHolds,
} from './index.ts';
import { aLedger, anEntry, aProject, endOf, legs } from './test-kit.ts';

// The database is written to as somebody with its password would, past all code of ours.

let database: TestDatabase;
let ledger: ReturnType<typeof aLedger>;
const projectId = aProject();
const held = anEntry({ projectId, postings: legs('equity:owner', 'suspense:held', 9n) });
const settled = anEntry({ projectId });
let heldId: string;

beforeAll(async () => {
  database = await startTestDatabase();
  ledger = aLedger(database.store);
  await ledger.store.transaction(async (tx) => {
    await postEntries(ledger, tx, [anEntry({ projectId })]);
    await holdEntries(ledger, tx, [held, settled]);
  });
  await ledger.store.transaction((tx) => settleHolds(ledger, tx, [endOf(settled)]));
  await foldLedger(ledger, { tailMin: 1 });
  const { rows } = await ledger.store.query<{ id: string }>({
    text: 'select id from ledger_entries where reference = $1',
    values: [held.reference],
  });
  heldId = rows[0]!.id;
});
afterAll(() => database.close());

it.each(['ledger_entries', 'ledger_postings', 'ledger_checkpoints', 'ledger_assets'])(
  '%s is append-only: update, delete and truncate are refused',
  async (table) => {
    const column =
      table === 'ledger_assets' ? 'asset' : table === 'ledger_entries' ? 'kind' : 'account';
    for (const text of [
      `update ${table} set ${column} = ${column}`,
      `update ${table} set ${column} = 'x' where false`,
      `delete from ${table}`,
      `delete from ${table} where false`,
      `truncate ${table}`,
      `truncate ${table} cascade`,
      `insert into ${table} select * from ${table} on conflict do nothing; delete from ${table}`,
    ])
      await expect(ledger.store.query({ text })).rejects.toThrow(
        /The ledger is append-only|cannot insert a non-DEFAULT/,
      );
    await expectLedgerBalanced(ledger.store);
  },
);

interface Row {
  readonly phase?: string;
  readonly legCount?: number;
  readonly holdId?: string | null;
  readonly reference?: string;
  readonly legs?: readonly {
    leg?: number;
    account?: string;
    asset?: string;
    posted?: bigint;
    pending?: bigint;
    projectId?: string;
    at?: string;
  }[];
}

/** One statement, as the ledger writes: an entry and its legs. */
function write(
  tx: Pick<Tx, 'query'>,
  { phase = 'post', legCount, holdId = null, reference = aProject(), legs = [] }: Row,
) {
  return tx.query({
    text: `with e as (insert into ledger_entries
             (id, project_id, reference, kind, phase, hold_id, effective_at, recorded_at, leg_count, data, content_hash)
             values ($1, $2, $3, 'tampered', $4, $5, now(), '2026-01-01Z', $6, '{}', case when $5::uuid is null then '\\x00'::bytea end) returning id)
           insert into ledger_postings (entry_id, leg, project_id, account, asset, posted_minor, pending_minor, recorded_at)
           select $1, l.* from jsonb_to_recordset($7::jsonb)
             as l(leg smallint, project_id uuid, account text, asset text, posted numeric, pending numeric, at timestamptz)`,
    values: [
      aProject(),
      projectId,
      reference,
      phase,
      holdId,
      legCount ?? Math.max(2, legs.length),
      JSON.stringify(
        legs.map((leg, index) => ({
          leg: leg.leg ?? index + 1,
          project_id: leg.projectId ?? projectId,
          account: leg.account ?? 'gas:spent',
          asset: leg.asset ?? 'usd',
          posted: (leg.posted ?? 0n).toString(),
          pending: (leg.pending ?? 0n).toString(),
          at: leg.at ?? '2026-01-01Z',
        })),
      ),
    ],
  });
}

const holdLegs = (sign: bigint, posted: bigint) => [
  { account: 'equity:owner', posted: -posted, pending: 9n * sign },
  { account: 'suspense:held', posted, pending: -9n * sign },
];

it.each<[string, () => Row, RegExp]>([
  [
    'that is not balanced',
    () => ({ legs: [{ posted: 5n }, { posted: -4n }] }),
    /not balanced in usd/,
  ],
  [
    'that is balanced over two assets only',
    () => ({ legs: [{ posted: 5n }, { posted: -5n, asset: 'eur' }] }),
    /not balanced/,
  ],
  [
    'whose held legs are not balanced',
    () => ({ phase: 'hold', legs: [{ pending: 5n }, { pending: -4n }] }),
    /not balanced/,
  ],
  [
    'with a leg of zero',
    () => ({ legs: [{ posted: 0n }, { posted: 0n }] }),
    /violates check constraint/,
  ],
  ['without legs', () => ({}), /has no legs/],
  [
    'with fewer legs than it counts',
    () => ({ legCount: 3, legs: [{ posted: 5n }, { posted: -5n }] }),
    /not those that it counts/,
  ],
  [
    'with more legs than it counts',
    () => ({ legCount: 2, legs: [{ posted: 5n }, { posted: -6n }, { posted: 1n }] }),
    /not those that it counts/,
  ],
  [
    'whose legs are numbered with a gap',
    () => ({ legs: [{ posted: 5n }, { leg: 3, posted: -5n }] }),
    /not those that it counts/,
  ],
  [
    'of an unknown asset',
    () => ({
      legs: [
        { posted: 5n, asset: 'base:0x00' },
        { posted: -5n, asset: 'base:0x00' },
      ],
    }),
    /knows no asset base:0x00/,
  ],
  [
    'with legs of another project',
    () => ({ legs: [{ posted: 5n, projectId: aProject() }, { posted: -5n }] }),
    /do not fit/,
  ],
  [
    'with legs of another time',
    () => ({ legs: [{ posted: 5n, at: '2020-01-01Z' }, { posted: -5n }] }),
    /do not fit/,
  ],
  [
    'that is posted and moves what is held',
    () => ({
      legs: [
        { posted: 5n, pending: 1n },
        { posted: -5n, pending: -1n },
      ],
    }),
    /do not fit/,
  ],
  [
    'that is held and moves what is posted',
    () => ({
      phase: 'hold',
      legs: [
        { posted: 5n, pending: 5n },
        { posted: -5n, pending: -5n },
      ],
    }),
    /do not fit/,
  ],
  [
    'that settles no hold',
    () => ({ phase: 'settle', legs: [{ posted: 5n }, { posted: -5n }] }),
    /violates check constraint/,
  ],
  [
    'that settles an entry that does not exist',
    () => ({ phase: 'settle', holdId: aProject(), legs: holdLegs(1n, 9n) }),
    /do not fit/,
  ],
  [
    'that settles another amount',
    () => ({ phase: 'settle', holdId: heldId, legs: holdLegs(1n, 10n) }),
    /do not fit/,
  ],
  [
    'that gives back more than was held',
    () => ({ phase: 'void', holdId: heldId, legs: holdLegs(2n, 0n) }),
    /do not fit/,
  ],
  [
    'that voids and posts',
    () => ({ phase: 'void', holdId: heldId, legs: holdLegs(1n, 9n) }),
    /do not fit/,
  ],
  [
    'with a reference that is there',
    () => ({ reference: held.reference, legs: [{ posted: 5n }, { posted: -5n }] }),
    /ledger_entries_reference/,
  ],
])('the database refuses an entry %s', async (_, row, sentence) => {
  await expect(write(ledger.store, row())).rejects.toThrow(sentence);
  await expectLedgerBalanced(ledger.store);
});

it('the database refuses a second end of a hold, and more legs for an entry that has its own', async () => {
  const { rows } = await ledger.store.query<{ id: string; holdId: string }>({
    text: `select id, hold_id as "holdId" from ledger_entries where phase = 'settle'`,
  });
  const end = {
    phase: 'void',
    holdId: rows[0]!.holdId,
    legs: [
      { account: 'equity:owner', pending: 100n },
      { account: 'bank:sandbox:account', pending: -100n },
    ],
  };
  await expect(write(ledger.store, end)).rejects.toThrow('ledger_entries_hold');
  for (const [first, second] of [
    [1, 2],
    [3, 4],
  ])
    await expect(
      ledger.store.query({
        text: `insert into ledger_postings select $1, l, $2, 'gas:spent', 'usd', 2 * l - $3::int, 0, now() from unnest($4::int[]) l`,
        values: [heldId, projectId, first! + second!, [first, second]],
      }),
    ).rejects.toThrow(/duplicate key|not those that it counts/);
});

it('what an owner of the database changes with the guards off is found and named', async () => {
  const damaged = await startTestDatabase({ damagesLedger: true });
  try {
    const books = aLedger(damaged.store);
    const entries = [
      anEntry({ projectId }),
      anEntry({ projectId }),
      anEntry({ projectId, data: { txId: '0x1' } }),
    ];
    await books.store.transaction((tx) => postEntries(books, tx, entries));
    await foldLedger(books, { tailMin: 1 });
    expect((await checkLedger(books.store)).findings).toEqual([]);
    const problems = async (...statements: string[]) => {
      class Undo extends Error {}
      let found: string[] = [];
      await books.store
        .transaction(async (tx) => {
          for (const text of ["set local session_replication_role = 'replica'", ...statements])
            await tx.query({ text });
          // The check begins a transaction of its own; here it has to see this one.
          const inside = {
            transaction: (work: (tx: Tx) => Promise<unknown>) =>
              work({
                ...tx,
                query: (s) =>
                  s.text.startsWith('set transaction')
                    ? Promise.resolve({ rows: [], rowCount: 0 })
                    : tx.query(s),
              }),
          };
          found = (await checkLedger(inside as typeof books.store)).findings.map(
            ({ where, problem }) => `${where}: ${problem}`,
          );
          throw new Undo();
        })
        .catch((error: unknown) => {
          if (!(error instanceof Undo)) throw error;
        });
      return found.join('\n');
    };
    const third = `(select id from ledger_entries where reference = '${entries[2]!.reference}')`;
    const named = `post of ${entries[2]!.reference}`;
    expect(await problems()).toBe('');
    expect(
      await problems(
        `update ledger_postings set posted_minor = posted_minor + 1 where leg = 1 and entry_id = ${third}`,
      ),
    ).toMatch(new RegExp(`${named}, .*: its posted legs in usd add up to 1 instead of 0`));
    expect(
      await problems(
        `update ledger_postings set posted_minor = posted_minor * 2 where entry_id = ${third}`,
      ),
    ).toMatch(
      new RegExp(
        `${named}, .*: its content is not what was written[^]*checkpoint and tail say 300 posted, its postings add up to 400`,
      ),
    );
    expect(
      await problems(`update ledger_entries set data = '{"txId":"0x2"}' where id = ${third}`),
    ).toMatch(/its content is not what was written/);
    expect(
      await problems(`delete from ledger_postings where leg = 2 and entry_id = ${third}`),
    ).toMatch(/it has 1 legs and counts 2/);
    expect(
      await problems(
        `update ledger_postings set recorded_at = '2020-01-01Z' where entry_id = ${third}`,
      ),
    ).toMatch(/of another project or time/);
    expect(await problems(`delete from ledger_entries where id = ${third}`)).toMatch(
      /does not exist and has legs/,
    );
    expect(
      await problems(
        `update ledger_entries set phase = 'settle', content_hash = null, hold_id = id where id = ${third}`,
      ),
    ).toMatch(/ends a hold that does not exist/);
    expect(await problems('update ledger_checkpoints set posted_minor = posted_minor + 1')).toMatch(
      /checkpoint and tail say 301 posted/,
    );
    expect(await problems('delete from ledger_checkpoints')).toMatch(
      /in no checkpoint and not in the tail/,
    );
    expect(
      await problems(
        `insert into ledger_tail values ('${projectId}', '${projectId}', array[${third}])`,
      ),
    ).toMatch(/say 400 posted/);
    expect((await checkLedger(books.store)).findings).toEqual([]);

    await books.store.transaction(async (tx) => {
      await tx.query({ text: "set local session_replication_role = 'replica'" });
      await tx.query({
        text: `update ledger_postings set posted_minor = posted_minor + 1 where leg = 1 and entry_id = ${third}`,
      });
    });
    await expect(expectLedgerBalanced(books.store)).rejects.toThrow(
      `${named}, project ${projectId}): its posted legs in usd add up to 1`,
    );
    await expect(expectLedgerBalanced(books.store)).rejects.toThrow(
      'all postings in usd add up to 1',
    );
  } finally {
    await damaged.close();
  }
});

it('the harness fails a test file that leaves books behind that do not balance', async () => {
  const careless = await startTestDatabase();
  const books = aLedger(careless.store);
  await books.store.transaction((tx) => postEntries(books, tx, [anEntry({ projectId })]));
  await books.store.transaction(async (tx) => {
    await tx.query({ text: "set local session_replication_role = 'replica'" });
    await tx.query({ text: 'delete from ledger_postings where leg = 1' });
  });
  await expect(careless.close()).rejects.toThrow('it has 1 legs and counts 2');
});

/** What an order was paid, in an entry of its own, and what is to leave it. */
const anOrder = () => `order:${aProject()}:clearing`;
const leaves = (account: string, amountMinor: bigint) =>
  anEntry({ projectId, postings: legs('suspense:asked', account, amountMinor) });
const paid = (account: string, amountMinor: bigint) =>
  anEntry({ projectId, postings: legs(account, 'chain:base:treasury', amountMinor) });

it('an order gives out no more than was paid into it: posted and held together, by whoever writes', async () => {
  const account = anOrder();
  const post = (entry: NewEntry) =>
    ledger.store.transaction((tx) => postEntries(ledger, tx, [entry]));
  await expect(post(leaves(account, 1n))).rejects.toThrow(LedgerOverdrawn);
  await post(paid(account, 100n));
  const hold = leaves(account, 60n);
  await ledger.store.transaction((tx) => holdEntries(ledger, tx, [hold]));
  await expect(post(leaves(account, 41n))).rejects.toThrow(/overdraws order:.* in usd by 1/);
  await ledger.store.transaction((tx) => settleHolds(ledger, tx, [endOf(hold)]));
  await expect(post(leaves(account, 41n))).rejects.toThrow(LedgerOverdrawn);
  await post(leaves(account, 40n));
  await expect(post(leaves(account, 1n))).rejects.toThrow(LedgerOverdrawn);
});

it.each(['read committed', 'repeatable read'])(
  'of two that empty an order at once one is refused, also with %s',
  async (level) => {
    const account = anOrder();
    await ledger.store.transaction((tx) => postEntries(ledger, tx, [paid(account, 100n)]));
    const empty = () =>
      ledger.store.transaction(async (tx) => {
        await tx.query({ text: `set transaction isolation level ${level}` });
        // Both see the order full.
        await tx.query({ text: 'select count(*) from ledger_postings' });
        await postEntries(ledger, tx, [leaves(account, 100n)]);
      });
    const ends = await Promise.allSettled([empty(), empty(), empty(), empty()]);
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const end of ends)
      if (end.status === 'rejected') expect(end.reason).toBeInstanceOf(LedgerOverdrawn);
  },
);
