import { checkIdentity, type IdentityState, isIdentityNews } from '../../identity/gate.ts';
import { prepareDeposit } from '../../legs/deposit/preparation.ts';
import { requoteOf, retakeLimits } from '../../limits/requote-limits.ts';
import { type Repriced, repriceOrder } from '../../pricing/index.ts';
import { nextEndOf, quoteOf, showsEndedQuote } from '../../pricing/quote-life.ts';
import { changeOrder, noteOrder } from '../../state/change-order.ts';
import { identityRefused } from '../../state/failures.ts';
import type { OrderFacts } from '../../state/types.ts';
import { orderEffect, sleepByAge } from '../steps.ts';

const pollMsMax = 60_000;

interface Outcome {
  readonly identity: IdentityState;
  /** Once it passed: a new price, and how to pay it. */
  readonly ready?: { readonly repriced: Repriced; readonly facts: Partial<OrderFacts> };
}

/** Follows the identity check of an offramp until it passes, with a new price, or is refused. */
export const followOfframpIdentity = orderEffect<Outcome>({
  turn: 'identity',
  async perform(ctx, order) {
    const amountUsd = order.facts.amountUsd ?? '0';
    const identity = await checkIdentity(ctx, {
      order,
      operation: 'offramp',
      userId: order.userId!,
      amountUsd,
    });
    if (identity.state !== 'clear') return { identity };
    const repriced = await repriceOrder(ctx, order);
    const payerAddress = order.request.payment.payerAddress!;
    return {
      identity,
      ready: {
        repriced,
        facts: await prepareDeposit(ctx, order, { terms: repriced.terms, payerAddress }),
      },
    };
  },
  async record(ctx, tx, order, { identity, ready }) {
    if (ready) {
      const failure = await retakeLimits(ctx, tx, order, ready.repriced);
      const requote = requoteOf(ready.repriced);
      if (failure)
        await changeOrder(ctx, tx, order, {
          event: 'expired',
          facts: { preparation: undefined, failure },
          note: 'above a limit',
        });
      else
        await changeOrder(ctx, tx, order, {
          ...requote,
          event: 'kyc-passed',
          facts: { ...requote.facts, ...ready.facts },
        });
      return { goto: 'look' };
    }
    if (identity.state === 'refused') {
      await changeOrder(ctx, tx, order, {
        event: 'kyc-refused',
        ...quoteOf(ctx, order),
        facts: { preparation: undefined, failure: identityRefused },
      });
      return { goto: 'look' };
    }
    const quote = quoteOf(ctx, order);
    if (identity.state !== 'clear' && isIdentityNews(order.facts, identity.facts))
      await noteOrder(ctx, tx, order, { event: 'kyc-opened', facts: identity.facts, ...quote });
    else if (showsEndedQuote(ctx, order))
      await noteOrder(ctx, tx, order, { event: 'quote-ended', ...quote });
    return sleepByAge(ctx, order, { maxMs: pollMsMax, until: nextEndOf(ctx, order) });
  },
});
