import type { StripeServer } from '../../src/providers/card/testing/stripe-server.ts';
import { diceOf } from './dice.ts';
import type { Tally } from './happened.ts';
import type { DisputePlan } from './plan.ts';

const dayMs = 24 * 60 * 60_000;

/** A payment that its payer's bank takes back, as the acquirer knows it. */
export interface DisputeBooks {
  readonly status: 'open' | 'won' | 'lost';
  readonly amountMinor: bigint;
}

/**
 * What goes on at the acquirer as the service's time passes: disputes are opened and decided, and
 * refunds arrive or come back.
 */
export interface CardDesk {
  /** The payer of this payment is going to dispute it, or not. */
  expect(intentId: string, plan: DisputePlan): void;
  /** Moves everything on to where it is by now. */
  work(): void;
  /** From now on refunds arrive at once. */
  calm(): void;
  disputeOf(intentId: string): DisputeBooks | undefined;
}

interface Expected {
  readonly intentId: string;
  readonly plan: DisputePlan & { readonly end: Exclude<DisputePlan['end'], 'none'> };
  capturedAtMs?: number;
  openedAtMs?: number;
  status?: DisputeBooks['status'];
}

const decidedAfterMs = 20 * dayMs;
const refundTakesMs = dayMs;

export function createCardDesk(input: {
  readonly stripe: StripeServer;
  readonly now: () => Date;
  readonly tally: Tally;
}): CardDesk {
  const { stripe, now, tally } = input;
  const dice = diceOf(0xca4d);
  const expected: Expected[] = [];
  const refunds: { readonly id: string; readonly madeAtMs: number }[] = [];
  let read = 0;
  let isCalm = false;

  function followDispute(one: Expected): void {
    const {
      status,
      amount_received: amount,
      latest_charge: charge,
    } = stripe.intents.get(one.intentId)!;
    const nowMs = now().getTime();
    if (status !== 'succeeded' || one.status === 'won' || one.status === 'lost') return;
    one.capturedAtMs ??= nowMs;
    if (one.openedAtMs === undefined) {
      if (nowMs < one.capturedAtMs + one.plan.afterMs || amount === 0 || charge.amount_refunded > 0)
        return;
      Object.assign(one, { openedAtMs: nowMs, status: 'open' });
      stripe.openDispute(one.intentId);
      tally.add('a payment was disputed');
      return;
    }
    const { end } = one.plan;
    if (end === 'open' || nowMs < one.openedAtMs + decidedAfterMs) return;
    one.status = end;
    stripe.closeDispute(one.intentId, end);
    tally.add(end === 'won' ? 'a dispute was won' : 'a dispute was lost');
  }

  function followRefunds(): void {
    for (const event of stripe.events.slice(read))
      if (event.type === 'refund.created' && event.data.object.status === 'pending')
        refunds.push({ id: event.data.object.id, madeAtMs: now().getTime() });
    read = stripe.events.length;
    for (const refund of refunds.splice(0))
      if (!isCalm && now().getTime() < refund.madeAtMs + refundTakesMs) refunds.push(refund);
      else {
        const fails = !isCalm && dice.percent(60);
        stripe.endRefund(refund.id, fails ? 'failed' : 'succeeded');
        if (fails) tally.add('a card refund failed at its bank');
      }
    stripe.nextRefundStatus = !isCalm && dice.percent(85) ? 'pending' : 'succeeded';
  }

  return {
    expect: (intentId, { end, afterMs }) =>
      void (end !== 'none' && expected.push({ intentId, plan: { end, afterMs } })),
    work() {
      expected.forEach(followDispute);
      followRefunds();
    },
    calm: () => void (isCalm = true),
    disputeOf(intentId) {
      const one = expected.find((other) => other.intentId === intentId);
      if (one?.status === undefined) return undefined;
      return {
        status: one.status,
        amountMinor: BigInt(stripe.intents.get(intentId)!.amount_received),
      };
    },
  };
}
