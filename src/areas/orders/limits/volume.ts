import { compareDecimals } from '../../../lib/money/amount.ts';
import type { Store, Tx } from '../../../store/types.ts';
import type { PaymentStatus } from '../state/public-status.ts';
import type { OrderRecord } from '../state/types.ts';

/** Months over which the light identity check counts. */
export const volumeMonths = 12;

/** Of orders that have passed all checks: they can be paid, or are. */
const passedStatuses: readonly PaymentStatus[] = ['awaiting-payment', 'in-progress', 'completed'];

export interface VolumeInput {
  readonly projectId: string;
  readonly userId: string;
  /** The order at hand, as it is stored. */
  readonly order: Pick<OrderRecord, 'id' | 'state' | 'createdAt' | 'quotedAt' | 'publicStatus'>;
  readonly amountUsd: string;
  readonly since: Date;
}

/**
 * Worth of a user's orders since an instant in US dollars, a decimal: the one at hand, those that
 * were paid or can be, and those that are looked at in the same moment and were so before it. Looks
 * at the orders of one user take turns, so that of several orders at once the first is the one that
 * fits, and none passes unseen. Of an order that has passed nothing counts that came after it: that
 * counted it. Orders tell their worth in `facts.amountUsd`. Not for callers that hold the order.
 */
export function selectVolumeUsd(
  store: Pick<Store, 'transaction'>,
  input: VolumeInput,
): Promise<string> {
  compareDecimals(input.amountUsd, '0');
  return store.transaction(async (tx) => {
    await tx.query({
      name: 'orders-volume-turn',
      text: `select pg_advisory_xact_lock(hashtextextended('order-volume ' || $1, 0))`,
      values: [input.userId],
    });
    if (input.order.state === 'quoted') await noteLook(tx, input);
    return sumVolume(tx, input);
  });
}

/**
 * Marks the order, until its price is made anew. One that somebody changes at this moment is looked
 * at again anyway.
 */
async function noteLook(tx: Tx, { order }: VolumeInput): Promise<void> {
  await tx.query({
    name: 'orders-volume-look',
    text: `update orders set looked_quote = quoted_at,
        looked_nr = case when looked_quote = quoted_at then looked_nr else nextval('order_volume_looks') end
      where id in (select id from orders where id = $1 and state = 'quoted' for update skip locked)`,
    values: [order.id],
  });
}

async function sumVolume(
  tx: Tx,
  { projectId, userId, order, amountUsd, since }: VolumeInput,
): Promise<string> {
  const { rows } = await tx.query<{ volume: string }>({
    name: 'orders-volume',
    text: `select (coalesce(sum((o.facts->>'amountUsd')::numeric), 0) + $5::numeric)::text as volume
      from orders o left join orders mine on mine.id = $3
      where o.project_id = $1 and o.user_id = $2 and o.created_at >= $4 and o.id <> $3
        and ((o.payment_status = any($7) and (o.state <> 'closed' or o.facts ? 'received'))
          or (o.payment_status = 'refunded' and o.delivery_status = 'partial-delivery')
          or (o.state = 'quoted' and o.looked_quote = o.quoted_at and coalesce(o.looked_nr < mine.looked_nr, true)))
        and (not $8 or coalesce(o.looked_nr < mine.looked_nr, (coalesce(o.quoted_at, o.created_at), o.id) < ($6, $3)))`,
    values: [
      projectId,
      userId,
      order.id,
      since,
      amountUsd,
      order.quotedAt ?? order.createdAt,
      passedStatuses,
      passedStatuses.includes(order.publicStatus.payment),
    ],
  });
  return rows[0]!.volume;
}
