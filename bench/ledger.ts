import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startPostgres } from '../devnet/postgres.ts';
import { checkLedger, foldLedger, type NewEntry, postEntries } from '../src/ledger/index.ts';
import { systemClock } from '../src/lib/clock.ts';
import { systemIds } from '../src/lib/id.ts';
import { migrate } from '../src/store/migrate.ts';
import { createStore } from '../src/store/pool.ts';
import type { Store, Tx } from '../src/store/types.ts';
import { type BenchOptions, interleave, type Measure, median } from './measure.ts';

const poolSize = 16;
const accountCount = 1_000;
const foldEveryMs = 500;

interface Shape {
  readonly name: string;
  /** Debit account of the entry with this number. */
  readonly accountOf: (nr: number) => string;
  readonly entriesPerCall: number;
  readonly goal: number;
}

const spread = (nr: number) => `fees:bench-${nr % accountCount}`;
const shapes: readonly Shape[] = [
  {
    name: 'spread over 1,000 accounts, 64 entries a call',
    accountOf: spread,
    entriesPerCall: 64,
    goal: 0.3,
  },
  {
    name: 'on one hot account, 64 entries a call',
    accountOf: () => 'fees:hot',
    entriesPerCall: 64,
    goal: 0.3,
  },
  {
    name: 'spread over 1,000 accounts, one entry a call',
    accountOf: spread,
    entriesPerCall: 1,
    goal: 0.3,
  },
  {
    name: 'on one hot account, one entry a call',
    accountOf: () => 'fees:hot',
    entriesPerCall: 1,
    goal: 0.3,
  },
];

/**
 * Postings per second on a durable PostgreSQL of its own, while the worker’s scheduled job folds them,
 * beside the same rows inserted into two plain tables with nothing but a primary key: one
 * transaction per call on both sides.
 */
export async function benchLedger(options: BenchOptions): Promise<Measure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'purser-bench-ledger-'));
  const postgres = await startPostgres({ dataDir: folder, log: () => undefined });
  const store = createStore({ url: postgres.url('postgres'), poolSize, applicationName: 'bench' });
  try {
    await migrate(store, fileURLToPath(new URL('../migrations/main', import.meta.url)));
    await store.query({ text: bareTables });
    const measures: Measure[] = [];
    for (const shape of shapes) measures.push(await measureShape(store, shape, options));
    const { findings } = await checkLedger(store);
    if (findings.length > 0)
      throw new Error(`The books are not in order: ${JSON.stringify(findings[0])}`);
    return measures;
  } finally {
    await store.close();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function measureShape(
  store: Store,
  shape: Shape,
  { progress, quick }: BenchOptions,
): Promise<Measure> {
  progress(`ledger postings ${shape.name}, in turn with bare inserts of the same rows`);
  const count = (quick ? 1_500 : 12_000) * (shape.entriesPerCall > 1 ? 4 : 1);
  const post = (tx: Tx, entries: readonly NewEntry[]) =>
    postEntries({ clock: systemClock, ids: systemIds }, tx, entries);
  await runCalls(store, { shape, count: 1_000, write: post });
  await runCalls(store, { shape, count: 1_000, write: insertBare });
  const { as, bs, ratio } = await interleave({
    rounds: quick ? 3 : 7,
    a: () => whileFolding(store, () => runCalls(store, { shape, count, write: post })),
    b: () => runCalls(store, { shape, count, write: insertBare }),
    rateOf: { a: (perSecond) => perSecond, b: (perSecond) => perSecond },
  });
  return {
    name: `ledger postings ${shape.name}`,
    value: median(as),
    unit: '/s',
    beside: { what: 'bare insert of the same rows', value: median(bs), unit: '/s' },
    ratio,
    goal: { atLeast: shape.goal },
  };
}

interface Calls {
  readonly shape: Shape;
  /** Entries, each with two postings. */
  readonly count: number;
  readonly write: (tx: Tx, entries: readonly NewEntry[]) => Promise<unknown>;
}

/** @returns postings per second */
async function runCalls(store: Store, { shape, count, write }: Calls): Promise<number> {
  const entries = Array.from({ length: count }, (_, nr) => anEntry(shape.accountOf(nr)));
  const startedMs = performance.now();
  let next = 0;
  await Promise.all(
    Array.from({ length: poolSize }, async () => {
      while (next < count) {
        const from = next;
        next += shape.entriesPerCall;
        await store.transaction((tx) =>
          write(tx, entries.slice(from, from + shape.entriesPerCall)),
        );
      }
    }),
  );
  return (2 * count) / ((performance.now() - startedMs) / 1_000);
}

const projectId = systemIds.uuid();

function anEntry(account: string): NewEntry {
  const id = systemIds.uuid();
  return {
    projectId,
    reference: `bench:${id}:final`,
    kind: 'bench',
    orderId: id,
    effectiveAt: systemClock.now(),
    postings: [
      { account, asset: 'usd', amountMinor: -1_234n },
      { account: `order:${id}:clearing`, asset: 'usd', amountMinor: 1_234n },
    ],
    data: { txId: '0xa5f3c1' },
  };
}

async function whileFolding<T>(store: Store, run: () => Promise<T>): Promise<T> {
  let folding: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    folding = folding.then(() => foldLedger({ store, clock: systemClock }));
  }, foldEveryMs);
  try {
    return await run();
  } finally {
    clearInterval(timer);
    await folding;
  }
}

const bareTables = `
  create table bare_entries (
    id uuid primary key, project_id uuid, reference text, kind text, phase text, order_id uuid, effective_at timestamptz,
    recorded_at timestamptz, leg_count smallint, data jsonb, content_hash bytea);
  create table bare_postings (
    entry_id uuid, leg smallint, project_id uuid, account text, asset text, posted_minor numeric(78, 0), pending_minor numeric(78, 0),
    recorded_at timestamptz, primary key (entry_id, leg))`;
const contentHash = Buffer.alloc(32, 7);

function insertBare(tx: Tx, entries: readonly NewEntry[]): Promise<unknown> {
  const rows = entries.map((entry) => ({ id: systemIds.uuid(), ...entry }));
  const legs = rows.flatMap(({ id, postings }) =>
    postings.map((posting, index) => ({ id, leg: index + 1, ...posting })),
  );
  return tx.query({
    name: 'bare',
    text: `with e as (
             insert into bare_entries select i.id, i.project_id, i.reference, i.kind, 'post', i.order_id, i.at, $8, 2, i.data, i.hash
             from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::uuid[], $6::timestamptz[], $7::jsonb[], $9::bytea[])
               as i(id, project_id, reference, kind, order_id, at, data, hash))
           insert into bare_postings select l.id, l.leg, $15, l.account, l.asset, l.amount, 0, $8
           from unnest($10::uuid[], $11::smallint[], $12::text[], $13::text[], $14::numeric[]) as l(id, leg, account, asset, amount)`,
    values: [
      rows.map(({ id }) => id),
      rows.map((row) => row.projectId),
      rows.map(({ reference }) => reference),
      rows.map(({ kind }) => kind),
      rows.map(({ orderId }) => orderId),
      rows.map(({ effectiveAt }) => effectiveAt),
      rows.map(({ data }) => JSON.stringify(data)),
      systemClock.now(),
      rows.map(() => contentHash),
      legs.map(({ id }) => id),
      legs.map(({ leg }) => leg),
      legs.map(({ account }) => account),
      legs.map(({ asset }) => asset),
      legs.map(({ amountMinor }) => amountMinor.toString()),
      projectId,
    ],
  });
}
