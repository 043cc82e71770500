import type { Db, Statement } from '../../../store/types.ts';
import { type OrderRow, orderColumns, toOrder } from '../state/store.ts';
import type { OrderRecord } from '../state/types.ts';

export const paymentBuckets = [
  'quote-phase',
  'in-progress',
  'succeeded',
  'declined',
  'expired',
  'refunded',
] as const;
export const deliveryBuckets = [
  'not-started',
  'in-progress',
  'partial-delivery',
  'delivered',
  'failed',
] as const;
export type PaymentBucket = (typeof paymentBuckets)[number];
export type DeliveryBucket = (typeof deliveryBuckets)[number];

export interface OrderFilter {
  readonly projectId: string;
  readonly paymentBuckets?: readonly PaymentBucket[];
  readonly deliveryBuckets?: readonly DeliveryBucket[];
  /** Of `payment.totalPaid`, lower case. */
  readonly currencies?: readonly string[];
  /** Canonical addresses. */
  readonly recipients?: readonly string[];
  readonly ids?: readonly string[];
}

export interface OrderPage {
  /**
   * Orders strictly beyond this place in the direction of `order`; from the beginning when absent.
   */
  readonly beyond?: { readonly at: Date; readonly id: string };
  readonly order: 'asc' | 'desc';
  readonly limit: number;
}

/**
 * Orders that fit every filter, by creation. Reads at most a page per combination of buckets,
 * currencies and recipients.
 */
export async function selectOrders(
  db: Db,
  filter: OrderFilter,
  page: OrderPage,
): Promise<OrderRecord[]> {
  const { rows } = await db.query<OrderRow>(listStatement(filter, page));
  return rows.map(toOrder);
}

/** The statement of {@link selectOrders}, so that its plan can be looked at. */
export function listStatement(filter: OrderFilter, page: OrderPage): Statement {
  const source = sourceOf(filter);
  const beyond = page.beyond ?? (page.order === 'desc' ? lastPlace : firstPlace);
  const pairs = pairsOf(filter);
  return {
    name: `orders-list-${source}-${page.order}`,
    text: listText(source, page.order),
    values: [
      filter.projectId,
      beyond.at,
      beyond.id,
      page.limit,
      pairs.map(([payment]) => payment),
      pairs.map(([, delivery]) => delivery),
      filter.currencies ?? null,
      filter.recipients ?? null,
      filter.ids ?? null,
    ],
  };
}

const firstPlace = { at: '-infinity', id: '00000000-0000-0000-0000-000000000000' };
const lastPlace = { at: 'infinity', id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' };

/** Which filter leads: the narrowest that is there. */
type Source = 'all' | 'status' | 'currency' | 'recipient' | 'ids';

function sourceOf(filter: OrderFilter): Source {
  if (filter.ids) return 'ids';
  if (filter.recipients) return 'recipient';
  if (filter.currencies) return 'currency';
  return filter.paymentBuckets || filter.deliveryBuckets ? 'status' : 'all';
}

function pairsOf(filter: OrderFilter): [PaymentBucket, DeliveryBucket][] {
  // Nothing is delivered in part before it is paid.
  const deliveries = filter.deliveryBuckets ?? deliveryBuckets;
  return (filter.paymentBuckets ?? paymentBuckets).flatMap((payment) =>
    deliveries
      .filter(
        (delivery) =>
          delivery !== 'partial-delivery' || payment === 'succeeded' || payment === 'refunded',
      )
      .map((delivery) => [payment, delivery] as [PaymentBucket, DeliveryBucket]),
  );
}

/** Every text has all parameters, so that their numbers are the same everywhere. */
const parameters = `(select $1::uuid as project_id, $2::timestamptz as at, $3::uuid as id, $4::int as size,
  $5::text[] as payments, $6::text[] as deliveries, $7::text[] as currencies, $8::text[] as recipients, $9::uuid[] as ids)`;

function listText(source: Source, order: OrderPage['order']): string {
  const beyond = order === 'desc' ? '<' : '>';
  const place = `o.project_id = $1 and (o.created_at, o.id) ${beyond} ($2::timestamptz, $3::uuid)`;
  const buckets = 'o.payment_bucket = pair.payment and o.delivery_bucket = pair.delivery';
  const pairs = 'unnest($5::text[], $6::text[]) as pair(payment, delivery)';
  const read = (where: string) =>
    `select o.created_at as page_at, o.id as page_id from orders o where ${where} order by o.created_at ${order}, o.id ${order} limit $4`;
  const currencyFits = '($7::text[] is null or o.paid_currency = any($7))';
  const texts: Readonly<Record<Source, string>> = {
    all: read(place),
    status: `select page_at, page_id from ${pairs} cross join lateral (${read(`${place} and ${buckets}`)}) as found`,
    currency: `select page_at, page_id from unnest($7::text[]) as paid(currency) cross join ${pairs}
      cross join lateral (${read(`${place} and ${buckets} and o.paid_currency = paid.currency`)}) as found`,
    recipient: `select page_at, page_id from unnest($8::text[]) as recipient(key) cross join ${pairs}
      cross join lateral (${read(`${place} and ${buckets} and o.recipient_key = recipient.key and ${currencyFits}`)}) as found`,
    ids: read(`${place} and o.id = any($9) and (o.payment_bucket, o.delivery_bucket) in (select * from ${pairs})
      and ${currencyFits} and ($8::text[] is null or o.recipient_key = any($8))`),
  };
  return `with parameters as ${parameters},
    page as (select page_at, page_id from (${texts[source]}) as found order by page_at ${order}, page_id ${order} limit $4)
    select ${orderColumns} from page join orders on orders.id = page.page_id order by page_at ${order}, page_id ${order}`;
}
