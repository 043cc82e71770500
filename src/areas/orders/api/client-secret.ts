import { createHash, timingSafeEqual } from 'node:crypto';
import type { Ctx } from '../../../context.ts';
import { loadHasher } from '../../users/index.ts';
import type { OrderRecord } from '../state/types.ts';

/** Marks the text as a secret for whoever finds it in a log. */
const prefix = 'os_';

/**
 * The client secret of an order. It is derived from a key of the project, so that a repeated call answers the same one although
 * only its hash is kept.
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
export function opensOrder(order: Pick<OrderRecord, 'clientSecretHash'>, secret: string): boolean {
  return timingSafeEqual(hashClientSecret(secret), order.clientSecretHash);
}
