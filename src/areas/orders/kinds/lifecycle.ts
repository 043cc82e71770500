import type { Ctx, RequestCtx } from '../../../context.ts';
import { ServiceError } from '../../../lib/errors.ts';
import { changeOrder, type OrderChange } from '../state/change-order.ts';
import type { OrderEvent, OrderKind } from '../state/machine.ts';
import type { PublicStatus } from '../state/public-status.ts';
import { lockOrder } from '../state/store.ts';
import type { OrderFacts, OrderRecord, OrderRequest, OrderTerms } from '../state/types.ts';
import { checkoutLifecycle } from './checkout/checkout.ts';
import { offrampLifecycle } from './offramp/offramp.ts';
import { onrampLifecycle } from './onramp/onramp.ts';

/** An order that is about to be stored. */
export interface OpeningInput {
  readonly orderId: string;
  readonly projectId: string;
  readonly request: OrderRequest;
  /** Absent when nothing could be priced. */
  readonly terms?: OrderTerms;
  readonly quoteExpiresAt?: Date;
}

/** What an opening order is, beside its request and terms. */
export interface Opening {
  readonly event: 'created' | 'created-incomplete';
  /** Why it is incomplete. */
  readonly quote?: PublicStatus['quote'];
  readonly set: Partial<
    Pick<OrderRecord, 'userId' | 'userLocator' | 'payerKey' | 'recipientKey' | 'memo'>
  >;
  readonly facts?: Partial<OrderFacts>;
}

/** Where an order in `quoted` goes from there. */
export interface Assessment {
  readonly event: OrderEvent;
  readonly facts?: Partial<OrderFacts>;
  readonly set?: OrderChange['set'];
  /** For the history; no personal data. */
  readonly note?: string;
}

/**
 * What differs between kinds of orders until somebody may pay. Everything after that is the kind's
 * flow.
 */
export interface Lifecycle {
  /** Checks who pays and who receives. Reads only. @throws the codes of create order */
  open(ctx: RequestCtx, input: OpeningInput): Promise<Opening>;
  /**
   * Of an order in `quoted`: what is its next state: checks, identity, preparation. It may be asked
   * again.
   * @throws ServiceError, which creation answers and the flow retries
   */
  assess(ctx: Ctx, order: OrderRecord): Promise<Assessment>;
  /**
   * True when `assess` has effects outside, e.g. an acquirer's payment: the order is stored before
   * it.
   */
  readonly assessHasEffects: boolean;
}

export const lifecycles: Readonly<Record<OrderKind, Lifecycle>> = {
  offramp: offrampLifecycle,
  onramp: onrampLifecycle,
  checkout: checkoutLifecycle,
};

/**
 * The order is there already; its flow does this too if this process dies, and whoever is first has
 * done it.
 */
export async function assessStored(
  ctx: RequestCtx,
  lifecycle: Lifecycle,
  order: OrderRecord,
): Promise<OrderRecord> {
  let assessment: Assessment;
  try {
    assessment = await lifecycle.assess(ctx, order);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    ctx.log.warn(
      { err: error, orderId: order.id },
      'an order could not be assessed at once; its flow tries again',
    );
    return order;
  }
  return ctx.store.transaction(async (tx) => {
    const locked = await lockOrder(tx, { by: 'id', id: order.id });
    if (!locked) throw new ServiceError('order-not-found');
    return locked.version === order.version ? changeOrder(ctx, tx, locked, assessment) : locked;
  });
}
