import { randomBytes, randomUUID } from 'node:crypto';
import pino from 'pino';
import { createEventFeed } from '../src/areas/webhooks/index.ts';
import { claimOperations, enqueueOperations } from '../src/chains/evm/relay/queue/queue.ts';
import type { RelayItem } from '../src/chains/evm/relay/types.ts';
import { appendEvents } from '../src/jobs/index.ts';
import { systemClock } from '../src/lib/clock.ts';
import { systemIds } from '../src/lib/id.ts';
import { Secret } from '../src/lib/sealing/secret.ts';
import { createStore } from '../src/store/pool.ts';
import { createRowMacs, type RowMacs } from '../src/store/row-mac.ts';
import type { Store } from '../src/store/types.ts';
import { startTestDatabase } from '../test/harness/database.ts';
import { type BenchOptions, interleave, type Measure, median } from './measure.ts';

const rounds = 15;
const perCall = 50;
const chain = 'base-sepolia';

/** The same columns filled and nothing computed: what a service without seals would do. */
const noSeals: RowMacs = {
  keyId: 'none',
  seals: true,
  seal: () => `none.${'A'.repeat(43)}`,
  fits: () => true,
  problemOf: () => undefined,
  check: () => undefined,
  refuse: () => {
    throw new Error('nothing is refused without seals');
  },
};

type Run = (store: Store, count: number) => Promise<number>;

/**
 * What seals cost where most rows are written and read: events on their way to projects, and
 * operations through a relay's queue.
 */
export async function benchSeals({ progress, quick }: BenchOptions): Promise<Measure[]> {
  const database = await startTestDatabase();
  const key = new Secret<Uint8Array>(new Uint8Array(randomBytes(32)));
  const seals = createRowMacs([{ id: 'bench', key }]);
  const count = quick ? 500 : 2_000;
  // Each run finds the same tables and has connections of its own, whose plans are made for them.
  const turn = async (rowMacs: RowMacs, run: Run) => {
    await database.store.query({ text: 'truncate outbox, outbox_readers, events, evm_operations' });
    const store = createStore({ url: database.url, poolSize: 4, rowMacs });
    try {
      await run(store, perCall);
      return await run(store, count);
    } finally {
      await store.close();
    }
  };
  try {
    const measures: Measure[] = [];
    for (const [name, run] of [
      ['events appended, read and made ready to be sent', passEvents],
      ['operations queued and claimed by a relay', passOperations],
    ] as const) {
      progress(`${name}, with and without seals in turn`);
      const { as, bs, ratio } = await interleave({
        rounds,
        a: () => turn(seals, run),
        b: () => turn(noSeals, run),
        rateOf: { a: (rate) => rate, b: (rate) => rate },
      });
      const beside = { what: 'the same without seals', value: median(bs), unit: '/s' };
      measures.push({ name, value: median(as), unit: '/s', beside, ratio, goal: { atLeast: 0.6 } });
    }
    return measures;
  } finally {
    await database.close();
  }
}

/** @returns a second */
async function passEvents(store: Store, count: number): Promise<number> {
  const ctx = { store, clock: systemClock, ids: systemIds, log: pino({ level: 'silent' }) };
  const projectId = randomUUID();
  const data = {
    orderId: randomUUID(),
    phase: 'delivery',
    lineItems: [{ quote: { status: 'valid' }, delivery: { status: 'in-progress' } }],
  };
  const from = performance.now();
  for (let done = 0; done < count; done += perCall) {
    const events = Array.from({ length: perCall }, (_, nr) => ({
      projectId,
      type: 'orders.delivery.initiated',
      object: `order:${done + nr}`,
      data,
    }));
    await store.transaction((tx) => appendEvents(tx, events, ctx));
  }
  await createEventFeed(ctx).drain();
  return rateOf(count, from);
}

/** @returns a second */
async function passOperations(store: Store, count: number): Promise<number> {
  const projectId = randomUUID();
  const from = performance.now();
  for (let done = 0; done < count; done += perCall) {
    const items = Array.from({ length: perCall }, () => anItem(projectId));
    await store.transaction((tx) => enqueueOperations(tx, items));
    const { operations } = await claimOperations(store, {
      chain,
      countMax: perCall,
      gasMax: 10n ** 12n,
      claimMs: 600_000,
    });
    if (operations.length !== perCall)
      throw new Error(`${operations.length} operations were claimed, not ${perCall}`);
  }
  return rateOf(count, from);
}

const rateOf = (count: number, from: number) => (count * 1_000) / (performance.now() - from);

function anItem(projectId: string): RelayItem {
  return {
    operationId: randomUUID(),
    subject: 'transaction',
    projectId,
    chain,
    operationHash: `0x${randomBytes(32).toString('hex')}`,
    validUntil: new Date('2040-01-01'),
    gasLimit: 200_000n,
    op: {
      wallet: `0x${randomBytes(20).toString('hex')}`,
      calls: [],
      nonce: 1n,
      epoch: 0n,
      validAfter: 0,
      validUntil: 1,
      callGas: 0n,
    },
    signature: `0x${randomBytes(65).toString('hex')}`,
    deployment: '0x',
  };
}
