import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { expectLedgerBalanced } from '../../../../../test/harness/ledger.ts';
import { sandboxAddresses } from '../../../../providers/screening/sandbox.ts';
import { selectHeldDeposits } from '../../legs/deposit/store.ts';
import { selectMoves } from '../../state/store.ts';
import type { OrderRecord } from '../../state/types.ts';
import {
  depositChain,
  type OfframpWorld,
  otherChain,
  startOfframpWorld,
  type ToldDeposit,
} from '../../testing/offramp-kit.ts';
import { writeOrder } from '../../testing/write-order-kit.ts';

let world: OfframpWorld;
beforeAll(async () => {
  world = await startOfframpWorld();
}, 180_000);
afterAll(async () => {
  if (!world) return;
  await expectLedgerBalanced(world.stack.ctx.store);
  await world.close();
});
beforeEach(() => world.settings({}));

const minute = 60_000;
const stranger = '0x00000000000000000000000000000000000000a7';
const usdx = (tokens: number) => BigInt(Math.round(tokens * 1_000_000));

/** The defined ends: all went to the bank, a part went back, all went back, an operator decides. */
type End = 'paid' | 'partly refunded' | 'refunded' | 'held';

interface Row {
  readonly name: string;
  /** Makes the deposits; the order asks for 100. */
  act(order: OrderRecord): Promise<void>;
  readonly end: End;
  readonly state: OrderRecord['state'];
  /** `<reason> <status> <amount>`. */
  readonly refunds?: readonly string[];
  /** Cents that the bank is asked to pay. */
  readonly paidOut?: string;
  readonly failure?: string;
  /** Reasons of the deposits that wait for the operator. */
  readonly waiting?: readonly string[];
  /** It takes seconds, and rows of fewer deposits show its rules. */
  readonly isSlow?: true;
}

const fits = (order: OrderRecord, amountMinor: bigint, more: Partial<ToldDeposit> = {}) =>
  world.deposit({ memo: order.memo, amountMinor, ...more });
const settle = async (order: OrderRecord, amountMinor: bigint, more: Partial<ToldDeposit> = {}) => {
  const told = await fits(order, amountMinor, more);
  await told.finalize();
  return told;
};
/** The quote ends, and its time limit is applied. */
async function expire(order: OrderRecord, ms = 11 * minute, ...states: string[]) {
  await world.stack.advance(ms);
  await world.until(order.id, ...(states.length === 0 ? ['quote_expired'] : states));
}
const native = { chain: depositChain, locator: `${depositChain}:eth`, symbol: 'eth', decimals: 18 };

const rows: readonly Row[] = [
  {
    name: 'exact',
    act: async (o) => void (await settle(o, usdx(100))),
    end: 'paid',
    state: 'payout_submitted',
    paidOut: '9900',
  },
  {
    name: 'short, and nothing follows until the quote ends',
    act: async (o) => {
      await settle(o, usdx(60));
      await world.until(o.id, 'deposit_short');
      expect((await world.view(o.id)).payment).toMatchObject({
        status: 'awaiting-payment',
        failureReason: { code: 'deposit-short' },
      });
      await expire(o, 11 * minute, 'refunding', 'refunded');
    },
    end: 'refunded',
    state: 'refunded',
    refunds: ['order final 60000000'],
    failure: 'deposit-short',
  },
  {
    name: 'short within the tolerance: accepted, with less paid out',
    act: async (o) => void (await settle(o, usdx(99.5))),
    end: 'paid',
    state: 'payout_submitted',
    paidOut: '9850',
  },
  {
    name: 'a top-up completes it',
    act: async (o) => {
      await settle(o, usdx(60));
      await world.until(o.id, 'deposit_short');
      await settle(o, usdx(40));
    },
    end: 'paid',
    state: 'payout_submitted',
    paidOut: '9900',
  },
  {
    name: 'over: the rest goes back',
    act: async (o) => void (await settle(o, usdx(130))),
    end: 'partly refunded',
    state: 'payout_submitted',
    paidOut: '9900',
    refunds: ['excess final 30000000'],
  },
  {
    name: 'over by dust: kept',
    act: async (o) => void (await settle(o, usdx(100.04))),
    end: 'paid',
    state: 'payout_submitted',
    paidOut: '9900',
  },
  {
    name: 'late within the tolerance, and the price still covers it',
    isSlow: true,
    act: async (o) => {
      await expire(o);
      await settle(o, usdx(100));
    },
    end: 'paid',
    state: 'payout_submitted',
    paidOut: '9900',
  },
  {
    name: 'made in time, and seen after the quote had ended',
    isSlow: true,
    act: async (o) => {
      await expire(o, 3 * 60 * minute);
      await settle(o, usdx(100), { agoMs: 3 * 60 * minute });
    },
    end: 'paid',
    state: 'payout_submitted',
    paidOut: '9900',
  },
  {
    name: 'late',
    act: async (o) => {
      await expire(o, 75 * minute);
      await settle(o, usdx(100));
    },
    end: 'refunded',
    state: 'refunded',
    refunds: ['order final 100000000'],
    failure: 'deposit-late',
  },
  {
    name: 'a second one',
    act: async (o) => {
      await settle(o, usdx(100));
      await world.until(o.id, 'payout_submitted');
      await settle(o, usdx(100));
    },
    end: 'partly refunded',
    state: 'payout_submitted',
    paidOut: '9900',
    refunds: ['second final 100000000'],
  },
  {
    name: 'two at once that are each enough',
    isSlow: true,
    act: async (o) => {
      const [one, two] = [await fits(o, usdx(100)), await fits(o, usdx(100))];
      await one.finalize();
      await two.finalize();
    },
    end: 'partly refunded',
    state: 'payout_submitted',
    paidOut: '9900',
    refunds: ['second final 100000000'],
  },
  {
    name: 'another token',
    act: async (o) => {
      const token = await world.stack.ctx.chains
        .familyOfChain(depositChain)
        .resolveToken(depositChain, { symbol: 'usdc' });
      await settle(o, usdx(100), { token });
    },
    end: 'held',
    state: 'awaiting_deposit',
    waiting: ['wrong-token'],
  },
  {
    name: 'native coin instead of the token',
    act: async (o) => void (await settle(o, 10n ** 17n, { token: native })),
    end: 'held',
    state: 'awaiting_deposit',
    waiting: ['wrong-token'],
  },
  {
    name: 'another chain',
    act: async (o) => {
      const token = await world.stack.ctx.chains
        .familyOfChain(otherChain)
        .resolveToken(otherChain, { symbol: 'usdxm' });
      await settle(o, usdx(100), { chain: otherChain, token });
    },
    end: 'held',
    state: 'awaiting_deposit',
    waiting: ['wrong-chain'],
  },
  {
    name: 'the memo from another wallet: a copy of it, or a payer who took the wrong one',
    act: async (o) => void (await settle(o, usdx(100), { sender: stranger })),
    end: 'held',
    state: 'awaiting_deposit',
    waiting: ['wrong-payer'],
  },
  {
    name: 'without its memo, and the only open order of this payer and amount',
    act: async () =>
      void (await world.deposit({ amountMinor: usdx(100) }).then((told) => told.finalize())),
    end: 'paid',
    state: 'payout_submitted',
    paidOut: '9900',
  },
  {
    name: 'without its memo, and not the amount of an open order',
    act: async () =>
      void (await world.deposit({ amountMinor: usdx(77) }).then((told) => told.finalize())),
    end: 'held',
    state: 'awaiting_deposit',
    waiting: ['memo-missing'],
  },
  {
    name: 'a memo that nobody knows',
    act: async () =>
      void (await world
        .deposit({ amountMinor: usdx(100), memo: `0x${'ab'.repeat(32)}` })
        .then((told) => told.finalize())),
    end: 'held',
    state: 'awaiting_deposit',
    waiting: ['memo-unknown'],
  },
  {
    name: 'reorganised after it was seen, and made again',
    act: async (o) => {
      const told = await fits(o, usdx(100));
      await told.retract();
      expect((await world.read(o.id)).state).toBe('awaiting_deposit');
      await told.again();
      expect((await world.read(o.id)).state).toBe('deposit_seen');
      await told.finalize();
    },
    end: 'paid',
    state: 'payout_submitted',
    paidOut: '9900',
  },
  {
    name: 'a top-up that a reorganisation takes',
    isSlow: true,
    act: async (o) => {
      await settle(o, usdx(60));
      const told = await fits(o, usdx(40));
      await told.retract();
      await world.until(o.id, 'deposit_short');
      await expire(o, 11 * minute, 'refunding', 'refunded');
    },
    end: 'refunded',
    state: 'refunded',
    refunds: ['order final 60000000'],
    failure: 'deposit-short',
  },
  {
    name: 'short and final, taken by a reorganisation, there again and topped up',
    isSlow: true,
    act: async (o) => {
      const told = await settle(o, usdx(60));
      await told.retract();
      await world.until(o.id, 'awaiting_deposit');
      await told.again();
      await told.finalize();
      await world.until(o.id, 'deposit_short');
      await settle(o, usdx(40));
    },
    end: 'paid',
    state: 'payout_submitted',
    paidOut: '9900',
  },
  {
    name: 'short and final, taken by a reorganisation, and there again when the quote has ended',
    act: async (o) => {
      const told = await settle(o, usdx(60));
      await told.retract();
      await expire(o);
      await told.again();
      await told.finalize();
      await world.until(o.id, 'refunded');
    },
    end: 'refunded',
    state: 'refunded',
    refunds: ['order final 60000000'],
    failure: 'deposit-late',
  },
  {
    name: 'reorganised although it was final, while the bank has the payout',
    act: async (o) => {
      const told = await settle(o, usdx(100));
      await world.submitted(o.id);
      await told.retract();
    },
    end: 'held',
    state: 'needs_operator',
    paidOut: '9900',
  },
  {
    name: 'of nothing',
    act: async (o) => void (await settle(o, 0n)),
    end: 'held',
    state: 'awaiting_deposit',
    waiting: [],
  },
];

describe('a deposit that is', () => {
  const ends = async (row: Row) => {
    const order = await world.order();
    const before = new Set((await held()).map(({ depositId }) => depositId));
    await row.act(order);
    const ended = await world.until(order.id, row.state);
    expect(await world.refunds(order.id)).toEqual(row.refunds ?? []);
    const payout = ended.facts.payout as { amountMinor: string } | undefined;
    expect(payout?.amountMinor).toBe(row.paidOut);
    expect(ended.facts.failure?.code).toBe(row.failure);
    expect(
      (await held()).filter(({ depositId }) => !before.has(depositId)).map(({ reason }) => reason),
    ).toEqual(row.waiting ?? []);
    expect((await world.view(order.id)).payment.status).toBe(paymentStatusOf(row.end, ended));
    if (row.end !== 'held') await expectEnd(order.id, row.end);
    // Nothing open is left for the next row to meet.
    if (ended.state === 'awaiting_deposit') await expire(order);
  };
  const [slow, quick] = [true, false].map((isSlow) =>
    rows.filter((row) => !!row.isSlow === isSlow),
  );
  it.each(quick!)('$name: $end', { timeout: 60_000 }, ends);
  it.each(slow!)('$name: $end', { tags: 'slow', timeout: 60_000 }, ends);

  it('reorganised after it was seen, and never made again: nothing was paid, and the quote ends', async () => {
    const order = await world.order();
    const told = await fits(order, usdx(100));
    expect((await world.view(order.id)).payment.status).toBe('in-progress');
    await told.retract();
    const back = (await world.view(order.id)).payment;
    expect([back.status, back.received]).toEqual(['awaiting-payment', undefined]);
    await expire(order);
    expect(await world.view(order.id)).toMatchObject({
      phase: 'quote',
      quote: { status: 'expired' },
    });
    expect(await world.refunds(order.id)).toEqual([]);
    await world.expectCleared(order.id);
  }, 60_000);

  it('of a payer on a sanctions list: held, released by nobody but the operator', async () => {
    const order = await world.order();
    // The order is older than the list.
    await writeOrder(
      world.stack.ctx.store,
      'update orders set payer_key = $2 where id = $1',
      order.id,
      sandboxAddresses.blocked,
    );
    await settle(order, usdx(100), { sender: sandboxAddresses.blocked });
    const onHold = await world.until(order.id, 'on_hold');
    expect(onHold.facts).not.toHaveProperty('payout');
    expect((await world.view(order.id)).payment.status).toBe('in-progress');
    await world.stack.advance(25 * 60 * minute);
    await expect
      .poll(
        async () => (await selectMoves(world.stack.ctx.store, order.id)).map(({ event }) => event),
        { timeout: 30_000 },
      )
      .toContain('alarm');
    expect((await world.read(order.id)).state).toBe('on_hold');
  }, 60_000);

  it('made long after the quote, when nobody looks at the order any more: goes back', async () => {
    const order = await world.order();
    await expire(order, 40 * 24 * 60 * minute);
    await settle(order, usdx(100));
    expect(await world.refunds(order.id)).toEqual(['order-closed final 100000000']);
    expect((await world.read(order.id)).state).toBe('quote_expired');
    await world.expectCleared(order.id);
  }, 60_000);

  it.each(['kyc_needed', 'kyc_failed', 'closed', 'payment_failed'])(
    'for an order that takes none (%s) goes back',
    async (state) => {
      const order = await world.order();
      // The order's flow may look at any moment, and would take one out of `kyc_needed` again: the
      // deposit would pay it then.
      await world.stack.ctx.store.query({
        text: `update flows set status = 'canceled', finished_at = updated_at, fence = fence + 1, lease_until = null where key = $1`,
        values: [order.id],
      });
      await writeOrder(
        world.stack.ctx.store,
        'update orders set state = $2 where id = $1',
        order.id,
        state,
      );
      await settle(order, usdx(100));
      expect(await world.refunds(order.id)).toEqual(['order-closed final 100000000']);
      const after = await world.read(order.id);
      expect(after.state).toBe(state);
      expect(after.facts.payout).toBeUndefined();
      await world.expectCleared(order.id);
    },
    60_000,
  );
});

const held = () =>
  selectHeldDeposits(world.stack.ctx.store, { projectId: world.projectId, limit: 500 });

function paymentStatusOf(end: End, order: OrderRecord): string {
  if (end === 'refunded') return 'refunded';
  return order.state === 'awaiting_deposit' ? 'awaiting-payment' : 'completed';
}

/** The bank pays, or has nothing to pay; then the order owes nobody anything. */
async function expectEnd(orderId: string, end: End): Promise<void> {
  if (end !== 'refunded') {
    await world.submitted(orderId);
    await world.stack.advance(7 * 24 * 60 * minute);
    await world.until(orderId, 'payout_settled');
  }
  await world.expectCleared(orderId);
}
