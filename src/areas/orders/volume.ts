import { compareDecimals } from '../../lib/amount.ts';
import type { Db } from '../../store/types.ts';
import type { PaymentStatus } from './outer.ts';
import type { OrderRecord } from './types.ts';

/** Months over which the light identity check counts. */
export const volumeMonths = 12;

/** Of orders that have passed all checks: they can be paid, or are. */
const passedStatuses: readonly PaymentStatus[] = ['awaiting-payment', 'in-progress', 'completed'];

/**
 * Worth of a user's orders since an instant in US dollars, a decimal: the one at hand, those that were paid or can be, and of those
 * that are looked at in the same moment the ones that were priced before it, so that of several at once the first is the one that fits.
 * Of an order that has passed itself nothing counts that was priced after it: that counted it. Orders tell their worth in
 * `facts.amountUsd`.
 */
export async function selectVolumeUsd(
  db: Db,
  input: {
    readonly projectId: string;
    readonly userId: string;
    /** The order at hand. */
    readonly order: Pick<OrderRecord, 'id' | 'createdAt' | 'quotedAt' | 'outer'>;
    readonly amountUsd: string;
    readonly since: Date;
  },
): Promise<string> {
  const { order } = input;
  compareDecimals(input.amountUsd, '0');
  const { rows } = await db.query<{ volume: string }>({
    name: 'orders-volume',
    text: `select (coalesce(sum((facts->>'amountUsd')::numeric), 0) + $5::numeric)::text as volume from orders
      where project_id = $1 and user_id = $2 and created_at >= $4 and id <> $3
        and ((payment_status = any($7) and (state <> 'closed' or facts ? 'received'))
          or (payment_status = 'refunded' and delivery_status = 'partial-delivery')
          or state = 'quoted')
        and ((state <> 'quoted' and not $8) or (coalesce(quoted_at, created_at), id) < ($6, $3))`,
    values: [
      input.projectId,
      input.userId,
      order.id,
      input.since,
      input.amountUsd,
      order.quotedAt ?? order.createdAt,
      passedStatuses,
      passedStatuses.includes(order.outer.payment),
    ],
  });
  return rows[0]!.volume;
}
