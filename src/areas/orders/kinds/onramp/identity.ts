import type { Ctx } from '../../../../context.ts';
import type { Tx } from '../../../../store/types.ts';
import { checkIdentity, type IdentityState, isIdentityNews } from '../../identity/gate.ts';
import { requoteOf, retakeLimits } from '../../limits/requote-limits.ts';
import { type Repriced, repriceOrder } from '../../pricing/index.ts';
import { isQuoteOver, nextEndOf, quoteOf, showsEndedQuote } from '../../pricing/quote-life.ts';
import { changeOrder, noteOrder } from '../../state/change-order.ts';
import { identityRefused } from '../../state/failures.ts';
import type { OrderRecord } from '../../state/types.ts';
import { type OrderStepResult, orderEffect, sleepByAge } from '../steps.ts';
import { worthInUsd } from './onramp.ts';

const pollMsMax = 10 * 60_000;

interface Outcome {
  readonly identity: IdentityState;
  /** The price as of now, where the check outlived the quote. */
  readonly repriced?: Repriced;
}

/** Follows the identity check of an order until it passes or is refused. */
export const followIdentity = orderEffect<Outcome>({
  turn: 'identity',
  async perform(ctx, order) {
    const identity = await checkIdentity(ctx, {
      order,
      operation: 'onramp',
      userId: order.userId!,
      amountUsd: worthInUsd(order),
    });
    return {
      identity,
      ...(identity.state === 'clear' &&
        isQuoteOver(order, ctx.clock.now()) && { repriced: await repriceOrder(ctx, order) }),
    };
  },
  async record(ctx, tx, order, { identity, repriced }) {
    switch (identity.state) {
      case 'clear':
        return passIdentity(ctx, tx, order, repriced);
      case 'refused':
        await changeOrder(ctx, tx, order, {
          event: 'kyc-refused',
          ...quoteOf(ctx, order),
          facts: { preparation: undefined, failure: identityRefused },
        });
        return { goto: 'look' };
      default:
        return followOpen(ctx, tx, order, identity);
    }
  },
});

/** A check that outlived the quote makes a new price, which counts against the limits of today. */
async function passIdentity(
  ctx: Ctx,
  tx: Tx,
  order: OrderRecord,
  repriced: Repriced | undefined,
): Promise<OrderStepResult> {
  const failure = repriced && (await retakeLimits(ctx, tx, order, repriced));
  if (failure) {
    await changeOrder(ctx, tx, order, {
      event: 'expired',
      facts: { preparation: undefined, failure },
      note: 'above a limit',
    });
    return { goto: 'look' };
  }
  const requote = repriced && requoteOf(repriced);
  await changeOrder(ctx, tx, order, {
    ...requote,
    event: 'kyc-passed',
    facts: { ...requote?.facts, preparation: undefined },
  });
  return { goto: 'assess' };
}

type OpenCheck = Exclude<
  IdentityState,
  { readonly state: 'clear' } | { readonly state: 'refused' }
>;

const stateOf = { needed: 'kyc_needed', review: 'kyc_review', manual: 'kyc_manual' } as const;

async function followOpen(
  ctx: Ctx,
  tx: Tx,
  order: OrderRecord,
  { state, facts }: OpenCheck,
): Promise<OrderStepResult> {
  const event = eventFor(order, state);
  const quote = quoteOf(ctx, order);
  if (event) await changeOrder(ctx, tx, order, { event, facts, ...quote });
  else if (isIdentityNews(order.facts, facts))
    await noteOrder(ctx, tx, order, { event: 'kyc-opened', facts, ...quote });
  else if (showsEndedQuote(ctx, order))
    await noteOrder(ctx, tx, order, { event: 'quote-ended', ...quote });
  return sleepByAge(ctx, order, { maxMs: pollMsMax, until: nextEndOf(ctx, order) });
}

function eventFor(order: OrderRecord, state: OpenCheck['state']) {
  if (order.state === stateOf[state]) return undefined;
  if (state === 'manual') return 'kyc-manual';
  if (state === 'needed') return 'kyc-reopened';
  // People of the company are not followed by its machines.
  return order.state === 'kyc_needed' ? 'kyc-submitted' : undefined;
}
