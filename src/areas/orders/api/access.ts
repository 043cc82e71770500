import { createHash, timingSafeEqual } from 'node:crypto';
import type { Ctx, RequestCtx } from '../../../context.ts';
import { ServiceError } from '../../../lib/errors.ts';
import { loadHasher } from '../../users/index.ts';
import { requireUnchanged, selectOrder } from '../state/store.ts';
import type { OrderRecord } from '../state/types.ts';

const uuidPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

type AccessCtx = Pick<RequestCtx, 'caller' | 'store'>;

export interface AccessOptions {
  /**
   * A client key with the JWT of the order's creator reaches it too, with the scope
   * `orders.create`.
   */
  readonly orUser?: boolean;
}

/**
 * The order, for a server key of its project or a client key with the order's secret. Whatever else
 * exists is not there.
 * @throws order-not-found, not-authorized a client key without a secret
 */
export async function findOrder(
  ctx: AccessCtx,
  orderId: string,
  options: AccessOptions = {},
): Promise<OrderRecord> {
  const { caller } = ctx;
  const mayAsUser =
    options.orUser === true && caller.user !== undefined && caller.scopes.has('orders.create');
  if (caller.keyKind === 'client' && caller.orderSecret === undefined && !mayAsUser)
    throw new ServiceError('not-authorized', {
      message: `With a client-side key send the order's client secret as "Authorization: <clientSecret>", without "Bearer".`,
    });
  const order = isUuid(orderId)
    ? await selectOrder(ctx.store, { by: 'id', id: orderId.toLowerCase() })
    : undefined;
  if (!order || order.projectId !== caller.projectId) throw new ServiceError('order-not-found');
  requireUnchanged(ctx.store, order);
  if (caller.keyKind === 'server') return order;
  const isOpened = caller.orderSecret !== undefined && opensOrder(order, caller.orderSecret);
  if (!isOpened && !(mayAsUser && isCreator(caller, order)))
    throw new ServiceError('order-not-found');
  return order;
}

export function isUuid(text: string): boolean {
  return uuidPattern.test(text.toLowerCase());
}

/**
 * The end user behind a client key that made an order; kept with it, so that their JWT opens it
 * again.
 */
export function creatorOf(caller: RequestCtx['caller']): string | undefined {
  return caller.user && `${caller.user.kind}:${caller.user.value}`;
}

function isCreator(caller: RequestCtx['caller'], order: OrderRecord): boolean {
  const creator = creatorOf(caller);
  return creator !== undefined && order.facts.creator === creator;
}

/** Marks the text as a secret for whoever finds it in a log. */
const prefix = 'os_';

/**
 * The client secret of an order. It is derived from a key of the project, so that a repeated call
 * answers the same one although only its hash is kept.
 */
export async function makeClientSecret(
  ctx: Pick<Ctx, 'config' | 'store' | 'clock' | 'ids'>,
  order: { readonly id: string; readonly projectId: string },
): Promise<string> {
  const hash = await loadHasher(ctx, order.projectId);
  return `${prefix}${hash('order-client-secret', order.id).toString('base64url')}`;
}

export function hashClientSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

/** True when the secret is this order's. */
function opensOrder(order: Pick<OrderRecord, 'clientSecretHash'>, secret: string): boolean {
  return timingSafeEqual(hashClientSecret(secret), order.clientSecretHash);
}
