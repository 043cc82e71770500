import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Stack } from '../../../../../test/harness/stack.ts';
import { eventually } from '../../../../jobs/test-kit.ts';
import { runWorker } from '../../../../processes/worker/run.ts';
import {
  type CardProvider,
  CardProviderError,
  sandboxCards,
} from '../../../../providers/card/index.ts';
import type { Store } from '../../../../store/types.ts';
import { selectTransfersOfSubject } from '../../../treasury/index.ts';
import { resolveByContinuing, resolveByRefund } from '../../operator/operator.ts';
import { selectMoves } from '../../state/store.ts';
import {
  aBuyer,
  clearingBalances,
  createOnramp,
  onrampChain,
  orderEvents,
  orderRecord,
  payByCard,
  startOnrampStack,
  untilFlowRests,
  untilState,
} from '../../testing/onramp-kit.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await startOnrampStack();
}, 120_000);
afterAll(() => stack?.close());

const seed = Number(process.env.PURSER_SEED ?? Date.now() % 100_000);

/** Numbers in [0, 1) that a seed repeats (mulberry32). */
function randomOf(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/**
 * Calls of the acquirer lose their answers, and transactions of the database die before their
 * commit, as if their process had.
 */
function breakEverything(random: () => number): () => void {
  const { store } = stack.ctx;
  const { card } = stack.ctx.providers;
  const { transaction } = store;
  const faulty = store as { transaction: Store['transaction'] };
  faulty.transaction = (work) =>
    transaction.call(store, async (tx) => {
      const done = await work(tx);
      if (random() < 0.07) throw new Error('the process was killed before its commit');
      return done;
    }) as never;
  const lose = <A extends unknown[], R>(call: (...args: A) => Promise<R>) => {
    return async (...args: A): Promise<R> => {
      if (random() < 0.1)
        throw new CardProviderError('sandbox', 'refused', { mayHaveHappened: false });
      const answer = await call(...args);
      if (random() < 0.2)
        throw new CardProviderError('sandbox', 'the answer was lost', { mayHaveHappened: true });
      return answer;
    };
  };
  const providers = stack.ctx.providers as { card?: CardProvider };
  const real = card!;
  providers.card = {
    ...real,
    findPayment: lose(real.findPayment),
    capture: lose(real.capture),
    cancel: lose(real.cancel),
    refund: lose(real.refund),
    findRefund: lose(real.findRefund),
  };
  return () => {
    faulty.transaction = transaction;
    providers.card = real;
  };
}

async function hasEnded(id: string): Promise<boolean> {
  const { state } = await orderRecord(stack, id);
  return state === 'delivered' || state === 'payment_failed';
}

test(`with lost answers and deaths at any commit each order is captured, delivered or given back once (seed ${seed})`, {
  tags: 'slow',
  timeout: 120_000,
}, async () => {
  const { address } = await aBuyer(stack);
  const orders = await Promise.all(
    Array.from({ length: 6 }, () => createOnramp(stack, { address, amount: '15' })),
  );
  const mend = breakEverything(randomOf(seed));
  const ids = orders.map(({ id }) => id);
  try {
    for (const id of ids) await payUntilTaken(id);
    await eventually(
      'most orders have gone on',
      async () => (await Promise.all(ids.map(hasEnded))).filter(Boolean).length >= 3,
      40_000,
    );
  } finally {
    mend();
  }
  // Whoever backs off is due now.
  await stack.advance(60_000);
  await Promise.all(ids.slice(0, 5).map((id) => untilState(stack, id, 'delivered')));
  await untilState(stack, ids[5]!, 'payment_failed');
  for (const id of ids) {
    expect(await clearingBalances(stack, id)).toEqual({});
    const payment = await stack.ctx.providers.card!.findPayment(
      (await orderRecord(stack, id)).cardReference!.split('/')[1]!,
    );
    const transfers = await selectTransfersOfSubject(stack.ctx.store, `order:${id}`);
    const isLast = id === ids[5];
    expect([payment!.capturedMinor, transfers.map(({ status }) => status)]).toEqual(
      isLast ? [0n, []] : [1_500n, ['final']],
    );
    const events = (await selectMoves(stack.ctx.store, id)).map(({ event }) => event);
    expect(events.filter((event) => event === 'delivered')).toHaveLength(isLast ? 0 : 1);
  }

  /** The last one by a card whose capture is declined. */
  async function payUntilTaken(id: string) {
    const { number } = id === ids[5] ? sandboxCards.captureDeclined : sandboxCards.approved;
    for (let tries = 0; tries < 50; tries++) {
      const page = await payByCard(stack, id, number).catch(() => undefined);
      if (page && page.payment.status !== 'requires-payment') return;
    }
    throw new Error('the page never took the card');
  }
});

test('two workers that carry the same orders deliver each once', { tags: 'slow' }, async () => {
  const second = await runWorker(stack.ctx);
  try {
    const { address } = await aBuyer(stack);
    const orders = await Promise.all(
      Array.from({ length: 5 }, () => createOnramp(stack, { address, amount: '10' })),
    );
    await Promise.all(orders.map(({ id }) => payByCard(stack, id, sandboxCards.approved.number)));
    await Promise.all(orders.map(({ id }) => untilState(stack, id, 'delivered')));
    for (const { id } of orders) {
      expect(await selectTransfersOfSubject(stack.ctx.store, `order:${id}`)).toHaveLength(1);
      expect(await clearingBalances(stack, id)).toEqual({});
    }
    const family = stack.ctx.chains.familyOfChain(onrampChain);
    const token = await family.resolveToken(onrampChain, { symbol: 'usdc' });
    const each = (await orderRecord(stack, orders[0]!.id)).terms!.receive.amountMinor;
    expect((await family.readBalances(address, [token]))[0]!.amountMinor).toBe(each * 5n);
  } finally {
    await second.stop();
  }
});

test('an order of which the acquirer captured less than agreed waits for its operator, who can neither deliver it nor give it back', async () => {
  const { id } = await createOnramp(stack, await aBuyer(stack));
  const decided = { projectId: stack.api.projectId, orderId: id, note: 'looked at' };
  const { card: acquirer } = stack.ctx.providers;
  const providers = stack.ctx.providers as { card?: typeof acquirer };
  providers.card = {
    ...acquirer!,
    capture: (input) => acquirer!.capture({ ...input, amountMinor: input.amountMinor - 1n }),
  };
  const pay = async () => {
    await payByCard(stack, id, sandboxCards.approved.number);
    await untilState(stack, id, 'needs_operator');
  };
  await pay().finally(() => (providers.card = acquirer!));
  expect((await orderRecord(stack, id)).attention).toBe(
    'The acquirer captured 1999 instead of 2000.',
  );
  // Whoever names another project, or no order, does not even have the acquirer asked.
  await untilFlowRests(stack, id);
  providers.card = {
    ...acquirer!,
    findPayment: () => Promise.reject(new Error('asked all the same')),
  };
  const strange = [
    { ...decided, projectId: 'another' },
    { ...decided, orderId: '01900000-0000-7000-8000-000000000000' },
  ];
  const refused = Promise.allSettled(strange.map((input) => resolveByRefund(stack.ctx, input)));
  for (const one of await refused.finally(() => (providers.card = acquirer!)))
    expect(one).toMatchObject({ reason: { code: 'order-not-found' } });
  for (const [times, resolve] of [resolveByContinuing, resolveByRefund].entries()) {
    await resolve(stack.ctx, decided);
    await eventually('nothing is gone on with', async () => {
      const asked = (await orderEvents(stack, id)).filter(
        (event) => event === 'attention-needed',
      ).length;
      return asked === times + 2 && (await orderRecord(stack, id)).state === 'needs_operator';
    });
    expect((await orderRecord(stack, id)).attention).toMatch(/captured 1999 of 2000/);
  }
  const { rows: refunds } = await stack.ctx.store.query({
    text: 'select id from order_refunds where order_id = $1',
    values: [id],
  });
  expect([await selectTransfersOfSubject(stack.ctx.store, `order:${id}`), refunds]).toEqual([
    [],
    [],
  ]);
  expect([
    await clearingBalances(stack, id),
    (await orderRecord(stack, id)).facts.totalPaid,
  ]).toEqual([{}, undefined]);
});
