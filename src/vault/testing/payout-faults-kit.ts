import { expect } from 'vitest';
import { eventually } from '../../jobs/test-kit.ts';
import {
  type PayoutCallback,
  PayoutNotSentError,
  PayoutOutcomeUnknownError,
  type PayoutProvider,
  PayoutUnavailableError,
} from '../../providers/payout/payout.ts';
import { aUsAccount } from '../../providers/payout/test-kit.ts';
import type { Store } from '../../store/types.ts';
import { receiveCallback } from '../payouts/callbacks.ts';
import { findPayout } from '../payouts/store.ts';
import { aPayoutWorker, aPayoutWorld, aVault, pay, takenBy, toldOf } from './payout-kit.ts';

// A bank at its worst: it does not recognise a key that it has seen, loses requests and answers,
// and repeats, mixes up and forgets its callbacks. Whoever sends twice pays twice, and the test
// sees it. A seed makes the same run again.

const scripts = ['', '9003', '9016', '5001', '5003', '7000', '9906'];
const destinations = new Map(scripts.map((digits) => [digits || 'settles', aUsAccount(digits)]));
const ends: Readonly<Record<string, readonly string[]>> = {
  settles: ['final'],
  '7000': ['final'],
  '9003': ['returned', 'rejected'],
  '9016': ['returned', 'rejected'],
  '9906': ['returned', 'final'],
  '5001': ['rejected'],
  '5003': ['rejected'],
};

/** Mulberry32. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Each payout has dice of its own, so that it does not matter which of two is worked on first. */
interface Faults {
  rate: number;
  readonly dice: Map<string, () => number>;
}

function makeForgetful(bank: PayoutProvider, faults: Faults): PayoutProvider {
  const sent = new Map<string, number>();
  const strikes = (key: string, share: number) => faults.dice.get(key)!() < faults.rate * share;
  return {
    ...bank,
    async submit(order, signal) {
      if (strikes(order.key, 0.5)) throw new PayoutNotSentError('worst', 'down');
      if (strikes(order.key, 0.5)) throw new PayoutOutcomeUnknownError('worst', 'request lost');
      const number = (sent.get(order.key) ?? 0) + 1;
      sent.set(order.key, number);
      const report = await bank.submit({ ...order, key: `${order.key}__${number}` }, signal);
      if (strikes(order.key, 1)) throw new PayoutOutcomeUnknownError('worst', 'answer lost');
      return report;
    },
    async find(query, signal) {
      if (strikes(query.key, 1)) throw new PayoutUnavailableError('worst', 'away');
      for (let number = 1; number <= (sent.get(query.key) ?? 0); number++) {
        const found = await bank.find({ ...query, key: `${query.key}__${number}` }, signal);
        if (found) return found;
      }
      return undefined;
    },
    readCallback(callback) {
      const result = bank.readCallback(callback);
      if (result.kind !== 'event') return result;
      return { kind: 'event', event: { ...result.event, key: result.event.key?.split('__')[0] } };
    },
  };
}

/**
 * One run: eight payouts through such a bank for some weeks, then in peace until all have ended.
 * @throws what an expectation throws
 */
export async function runSeed(store: Store, seed: number): Promise<void> {
  const random = randomFrom(seed);
  const faults: Faults = { rate: 0.6, dice: new Map() };
  const world = aPayoutWorld(store, aVault(destinations).vault, (bank) =>
    makeForgetful(bank, faults),
  );
  const { ctx, clock, bank } = world;
  const worker = aPayoutWorker(ctx);
  worker.start();
  const idle = () =>
    eventually('all work sleeps', async () => {
      const { rows } = await ctx.store.query<{ busy: number }>({
        text: `select count(*)::int as busy from flows where status = 'active' and (run_at <= $1 or lease_until is not null)`,
        values: [clock.now()],
      });
      return rows[0]!.busy === 0;
    });
  const payouts: { id: string; to: string }[] = [];
  // In an order that does not depend on ids.
  const placeOf = ({ body }: PayoutCallback) => {
    const { id, key } = JSON.parse(body.toString()) as { id: string; key: string };
    return (
      payouts.findIndex((payout) => key.startsWith(`purser-${payout.id}`)) * 100 +
      Number(id.split('_').at(-1))
    );
  };
  const postbag: PayoutCallback[] = [];
  const collect = async () => {
    await bank.deliverDue(async (callback) => void postbag.push(callback));
    postbag.sort((one, other) => placeOf(one) - placeOf(other));
  };
  const deliverSome = async () => {
    for (let count = postbag.length; count > 0; count--) {
      const picked = postbag.splice(Math.floor(random() * postbag.length), 1)[0]!;
      if (random() < 0.3) continue;
      for (let times = random() < 0.4 ? 2 : 1; times > 0; times--) {
        await receiveCallback(ctx, {
          provider: 'sandbox',
          headers: picked.headers,
          body: picked.body,
        }).catch(() => undefined);
        await idle();
      }
    }
  };

  try {
    for (let count = 0; count < 8; count++) {
      const to = scripts[Math.floor(random() * scripts.length)] || 'settles';
      const id = ctx.ids.randomUuid();
      faults.dice.set(`purser-${id}`, randomFrom(seed * 1_000 + count));
      payouts.push({ id, to });
      await pay(ctx, { id, to, rail: random() < 0.5 ? 'rtp' : 'ach' });
    }
    for (let round = 0; round < 25; round++) {
      await idle();
      await collect();
      if (random() < 0.7) await deliverSome();
      clock.advance(Math.floor(10 ** (3 + random() * 4.2)));
    }
    faults.rate = 0;
    for (let day = 0; day < 80; day += 4) {
      await idle();
      clock.advance(4 * 86_400_000);
    }
    await idle();

    const taken = await takenBy(store);
    for (const { id, to } of payouts) {
      const payout = (await findPayout(store, id))!;
      expect(ends[to], `${to} ${payout.status} ${payout.attention}`).toContain(payout.status);
      const money = [...taken]
        .filter(([key]) => key.startsWith(`purser-${id}`))
        .reduce((sum, [, count]) => sum + count, 0);
      expect(money).toBe(1);
      const told = (await toldOf(ctx, id)).map((type) => type.split(' ')[0]!);
      expect(new Set(told).size, told.join()).toBe(told.length);
      const order = ['submitted', 'settled', 'final', 'rejected', 'returned'];
      const steps = told.filter((type) => order.includes(type));
      expect(steps.toSorted((a, b) => order.indexOf(a) - order.indexOf(b))).toEqual(steps);
    }
  } finally {
    await worker.stop();
    await store.query({
      text: `update flows set status = 'canceled', finished_at = now() where finished_at is null`,
    });
  }
}
