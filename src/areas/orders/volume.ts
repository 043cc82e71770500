import { compareDecimals } from '../../lib/amount.ts';
import type { Db } from '../../store/types.ts';

/** Months over which the light identity check counts. */
export const volumeMonths = 12;

/**
 * Worth of a user's orders since an instant in US dollars, a decimal: the one at hand, and those that were paid or still can be.
 * Orders tell their worth in `facts.amountUsd`.
 */
export async function selectVolumeUsd(
  db: Db,
  input: {
    readonly projectId: string;
    readonly userId: string;
    /** The order at hand: those made before it count, so that of several at once the first is the one that fits. */
    readonly order: { readonly id: string; readonly createdAt: Date };
    readonly amountUsd: string;
    readonly since: Date;
  },
): Promise<string> {
  compareDecimals(input.amountUsd, '0');
  const { rows } = await db.query<{ volume: string }>({
    name: 'orders-volume',
    text: `select (coalesce(sum((facts->>'amountUsd')::numeric), 0) + $5::numeric)::text as volume from orders
      where project_id = $1 and user_id = $2 and created_at >= $4 and (created_at, id) < ($6, $3)
        and payment_status in ('awaiting-payment', 'in-progress', 'completed')`,
    values: [input.projectId, input.userId, input.order.id, input.since, input.amountUsd, input.order.createdAt],
  });
  return rows[0]!.volume;
}
