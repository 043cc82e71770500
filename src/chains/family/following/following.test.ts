import { setTimeout as delay } from 'node:timers/promises';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { startTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts';
import type { Running } from '../capabilities/status.ts';
import {
  BrokenHistoryError,
  type FinalHistory,
  type FollowerEntrances,
  type FollowingDeps,
  followerStatus,
  runFollower,
  selectFinalHeight,
  watchChain,
} from './index.ts';

// A chain of numbers that grows as it is told, in this process: heights that are even have a block.
// Those of the families are followed in their own tests.
const waitMaxMs = 10_000;
let database: TestDatabase;
let chain: string;
let head: bigint;
/** Of the block at height 0; one a second follows. */
let madeAt: number;
let told: { operations: bigint[]; final: bigint[] };
let running: Running[];
let count = 0;

beforeAll(async () => {
  database = await startTestDatabase();
});
beforeEach(() => {
  chain = `numbers-${++count}`;
  head = 0n;
  madeAt = Date.now() - 3_600_000;
  told = { operations: [], final: [] };
  running = [];
});
afterEach(async () => {
  await Promise.all(running.map((one) => one.stop()));
});
afterAll(() => database?.close());

const hashOf = (height: bigint) => `block ${height}`;

function theChain(over: Partial<FinalHistory> = {}, stretchMax = 5n): FinalHistory {
  return {
    chain,
    lookbackMax: 10_000n,
    readHead: async () => head,
    async readTimeFrom({ from, upTo }) {
      const even = from + (from % 2n);
      return even > upTo ? undefined : new Date(madeAt + Number(even) * 1_000);
    },
    async readOn({ next, head: upTo, last }) {
      if (last && last.hash !== hashOf(last.height))
        throw new BrokenHistoryError(`${last.height} is another block`);
      const heights = Array.from(
        { length: Number(upTo - next) + 1 },
        (_, index) => next + BigInt(index),
      ).filter((one) => one % 2n === 0n);
      const read = heights.slice(0, Number(stretchMax));
      const end = read.at(-1);
      if (end === undefined) return undefined;
      const operations = read.map((height) => {
        return {
          operationId: String(height),
          chain,
          txId: String(height),
          succeeded: true,
          height,
          at: new Date(),
        };
      });
      return {
        last: { height: end, hash: hashOf(end) },
        isBehind: read.length < heights.length,
        transfers: [],
        operations,
      };
    },
    ...over,
  };
}

const entrances = (over: Partial<FollowerEntrances> = {}): FollowerEntrances => ({
  ownAddresses: async () => new Set(),
  depositAddresses: async () => new Set(),
  recordTransfers: async () => undefined,
  recordOperations: async (_, operations) =>
    void told.operations.push(...operations.map(({ height }) => height)),
  finalizeTransfers: async (_, _chain, height) => void told.final.push(height),
  ...over,
});

async function follow(over: Partial<FollowingDeps> = {}): Promise<Running> {
  const deps = {
    store: database.store,
    log: pino({ level: 'silent' }),
    entrances: entrances(),
    pollMs: 10,
    workerName: 'test',
  };
  const one = await runFollower({
    ...deps,
    history: theChain(),
    followAlways: true,
    leaseMs: 600,
    ...over,
  });
  running.push(one);
  return one;
}

async function until(check: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (const endAt = Date.now() + waitMaxMs; !(await check()); await delay(10))
    if (Date.now() > endAt) throw new Error(`waited ${waitMaxMs} ms for ${what}`);
}

const evenFrom = (first: number, last: number) =>
  Array.from({ length: (last - first) / 2 + 1 }, (_, index) => BigInt(first + 2 * index));
const status = async () => (await followerStatus(database.store, chain))[0]!;

it('a chain is followed from a minute before its first use, in stretches, and to its newest final height', async () => {
  head = 3_700n;
  const since = Date.now();
  await follow();
  await until(() => told.operations.at(-1) === 3_700n, 'the newest');
  const [first] = told.operations;
  const atMost = BigInt(Math.ceil((since + 5_000 - madeAt) / 1_000)) - 60n;
  expect(first).toBeLessThanOrEqual(atMost);
  expect(first).toBeGreaterThan(atMost - 12n);
  expect(told.operations).toEqual(evenFrom(Number(first), 3_700));
  expect(told.final).toEqual(
    told.operations.filter((height, index) => index % 5 === 4 || height === 3_700n),
  );
  expect(await selectFinalHeight(database.store, chain)).toBe(3_700n);
  expect(await status()).toMatchObject({ chain, lagBlocks: 0n, followed: true, stalled: false });
});

it('nobody follows a chain that is not in use, and it has no status', async () => {
  await follow({ followAlways: false, startHeight: 0n });
  await delay(50);
  expect([await followerStatus(database.store, chain), told.operations]).toEqual([[], []]);
  await watchChain(database.store, chain);
  expect(await selectFinalHeight(database.store, chain)).toBeUndefined();
  await until(() => told.operations.length === 1, 'the first');
});

it('two workers and a restart tell each thing once', async () => {
  head = 6n;
  const first = await follow({ startHeight: 2n });
  await follow({ startHeight: 2n });
  await until(() => told.operations.length === 3, 'three');
  await first.stop();
  head = 31n;
  await until(() => told.operations.at(-1) === 30n, 'the rest');
  expect(told.operations).toEqual(evenFrom(2, 30));
});

it('what cannot be recorded moves no cursor, and what cannot be read shows with its reason until it can', async () => {
  head = 4n;
  let fails = true;
  const recordOperations: FollowerEntrances['recordOperations'] = async (tx, operations) => {
    if (fails) throw new Error('no room');
    await entrances().recordOperations(tx, operations);
  };
  await follow({ startHeight: 0n, entrances: entrances({ recordOperations }) });
  await until(async () => (await status()).failure === 'no room', 'the failure');
  expect((await status()).failingSince).toBeInstanceOf(Date);
  expect(await selectFinalHeight(database.store, chain)).toBeUndefined();
  fails = false;
  await until(() => told.operations.length === 3, 'all');
  await until(async () => (await status()).failure === undefined, 'the failure to be over');
  expect(told.operations).toEqual([0n, 2n, 4n]);
});

it('another history, a stretch that ends below its start, and a node that stays behind are told and not believed', async () => {
  head = 10n;
  const good = await follow({ startHeight: 0n });
  await until(() => told.operations.length === 6, 'six');
  await good.stop();
  const seen = told.operations.length;
  head = 20n;
  const honest = theChain();
  const other = await follow({
    history: theChain({
      readOn: async () => Promise.reject(new BrokenHistoryError('10 is another block')),
    }),
  });
  await until(async () => (await status()).failure === '10 is another block', 'another history');
  await other.stop();
  const last = { height: 8n, hash: hashOf(8n) };
  const back = await follow({
    history: theChain({
      readOn: async (from, lookUps) => ({ ...(await honest.readOn(from, lookUps))!, last }),
    }),
  });
  await until(
    async () => (await status()).failure?.includes('ends at 8, below 11') === true,
    'a stretch of nothing',
  );
  await back.stop();
  head = 3n;
  await follow();
  await until(
    async () => (await status()).failure?.includes('it is behind, or of another chain') === true,
    'the node behind',
  );
  expect(told.operations.length).toBe(seen);
  head = 20n;
  await until(() => told.operations.at(-1) === 20n, 'the rest');
  expect(told.operations).toEqual(evenFrom(0, 20));
});

it('a follower that lost its chain to another worker records nothing any more', async () => {
  head = 2n;
  let release: (() => void) | undefined;
  const stuck = theChain({
    readOn: async (from, lookUps) => {
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      return theChain().readOn(from, lookUps);
    },
  });
  await follow({ history: stuck, startHeight: 0n });
  await until(() => release !== undefined, 'the first worker to read');
  await database.store.query({
    text: 'update followed_chains set lease_until = null, fence = fence + 1 where chain = $1',
    values: [chain],
  });
  await follow({ startHeight: 0n });
  await until(() => told.operations.length === 2, 'the second worker');
  release!();
  head = 4n;
  await until(() => told.operations.at(-1) === 4n, 'the rest');
  expect(told.operations).toEqual([0n, 2n, 4n]);
});
