import type { Ctx } from '../../../../context.ts';
import { ServiceError } from '../../../../lib/errors.ts';
import { screenAddresses } from '../../../../providers/screening/index.ts';
import { checkIdentity } from '../../identity/gate.ts';
import { authorisationGraceMs, quoteOver } from '../../legs/card/payment.ts';
import { deliveredAsset, tryDelivery } from '../../legs/delivery/delivery.ts';
import { wasReleased } from '../../legs/delivery/released.ts';
import { isFairPrice, isWithinSlippage, repriceOrder } from '../../pricing/index.ts';
import { changeOrder } from '../../state/change-order.ts';
import type { OrderFailure } from '../../state/failures.ts';
import { isAllCollectible } from '../../state/items.ts';
import type { OrderRecord } from '../../state/types.ts';
import { orderEffect } from '../steps.ts';
import { worthInUsd } from './onramp.ts';

/** Beyond this an authorised payment is given back, whoever cannot be asked. */
const undecidedMsMax = 15 * 60_000;

type Verdict =
  | { readonly verdict: 'go' }
  | { readonly verdict: 'review' }
  | { readonly verdict: 'release'; readonly failure: OrderFailure };

/**
 * The card is authorised: everything is looked at once more before money is taken, so that what is
 * captured can be delivered.
 */
export const checkAuthorised = orderEffect<Verdict>({
  turn: 'check',
  perform: async (ctx, order) => {
    try {
      return await judge(ctx, order);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      const age = ctx.clock.now().getTime() - order.updatedAt.getTime();
      if (age < undecidedMsMax) throw error;
      return release(error.message);
    }
  },
  async record(ctx, tx, order, outcome) {
    if (outcome.verdict === 'go')
      await changeOrder(ctx, tx, order, {
        event: 'screening-clear',
        facts: { captureKey: `capture-${order.id}` },
      });
    else if (outcome.verdict === 'review')
      await changeOrder(ctx, tx, order, {
        event: 'screening-review',
        set: { attention: 'The recipient is on a sanctions list.' },
      });
    else
      await changeOrder(ctx, tx, order, {
        event: 'delivery-impossible',
        facts: { failure: outcome.failure },
        note: outcome.failure.code,
      });
    return { goto: 'look' };
  },
});

async function judge(ctx: Ctx, order: OrderRecord): Promise<Verdict> {
  const released = await wasReleased(ctx.store, order.id);
  if (!released && isLate(order)) return { verdict: 'release', failure: quoteOver };
  if (!released && (await isBlocked(ctx, order))) return { verdict: 'review' };
  const changed = isAllCollectible(order) ? undefined : await judgeMoney(ctx, order);
  if (changed) return changed;
  const refusal = await tryDelivery(ctx, order);
  return refusal ? release(refusal.message) : { verdict: 'go' };
}

/** Of tokens, which are as good as money: of items the price is the project's, and was agreed. */
async function judgeMoney(ctx: Ctx, order: OrderRecord): Promise<Verdict | undefined> {
  const identity = await checkIdentity(ctx, {
    order,
    operation: 'onramp',
    userId: order.userId!,
    amountUsd: worthInUsd(order),
  });
  if (identity.state !== 'clear')
    return release('The identity check no longer covers this order.', 'kyc-rejected');
  const { terms } = await repriceOrder(ctx, order);
  return isWithinSlippage(order.terms!, terms) && isFairPrice(order.terms!, terms)
    ? undefined
    : release('The price moved by more than the order allows.');
}

function release(reason: string, code = 'unknown'): Verdict {
  return {
    verdict: 'release',
    failure: { code, message: `${reason} Nothing was charged.`, retryPolicy: 'new-order' },
  };
}

/** By the time at which the authorisation was seen: acquirers do not say when it was made. */
function isLate(order: OrderRecord): boolean {
  const authorizedAt = new Date(String(order.facts.authorizedAt)).getTime();
  return authorizedAt > (order.quoteExpiresAt?.getTime() ?? 0) + authorisationGraceMs;
}

async function isBlocked(ctx: Ctx, order: OrderRecord): Promise<boolean> {
  const { chain } = deliveredAsset(order);
  const addresses = [order.recipientKey!];
  const { status } = await screenAddresses(ctx, {
    projectId: order.projectId,
    subject: `order:${order.id}`,
    chain,
    addresses,
  });
  return status === 'blocked';
}
