import type { Store } from '../../../store/types.ts';
import type { OrderFilter } from '../api/list-store.ts';

/**
 * Stores `count` orders of one project that look like three years of business, a second or two
 * apart. For benches and long tests.
 */
export async function fillOrders(
  store: Store,
  input: { readonly projectId: string; readonly count: number },
): Promise<void> {
  const batch = 100_000;
  for (let from = 0; from < input.count; from += batch)
    await store.query({
      text: `insert into orders (id, project_id, kind, state, phase, quote_status, payment_status, delivery_status, user_id, recipient_key,
          paid_currency, client_secret_hash, request, facts, quoted_at, quote_expires_at, version, created_at, updated_at)
        select gen_random_uuid(), $1, case when nr % 3 = 0 then 'offramp' else 'onramp' end, 'delivered', 'completed',
          case when kind < 30 then 'expired' else 'valid' end,
          case when kind < 30 then 'requires-quote' when kind < 90 then 'completed' when kind < 95 then 'failed'
            when kind < 97 then 'refunded' when kind < 99 then 'awaiting-payment' else 'requires-kyc' end,
          case when kind < 30 or kind >= 97 then 'awaiting-payment' when kind < 88 then 'completed' when kind < 90 then 'in-progress'
            when kind < 95 then 'awaiting-payment' else 'failed' end,
          null, '0x' || lpad(to_hex((nr * 7919) % 50000), 40, '0'),
          case when kind between 30 and 96 then (array['usd', 'usd', 'usd', 'eur', 'usdc', 'usdc', 'eth'])[1 + nr % 7] end,
          decode(md5(nr::text), 'hex'),
          '{"locale":"en-US","payment":{"method":"card","currency":"usd"},"recipient":{},"lineItem":{"tokenLocator":"base:usdc","mode":"exact-in","amount":"100"}}',
          '{"item":{"chain":"base","name":"USDC"}}', at, at, 2, at, at
        from (select nr, (nr * 7907 + nr / 13) % 100 as kind, timestamptz '2023-01-01' + nr * interval '90 seconds' as at
          from generate_series($2::bigint, $3::bigint) as nr) as made`,
      values: [input.projectId, from, Math.min(from + batch, input.count) - 1],
      timeoutMs: 600_000,
    });
  await store.query({ text: 'analyze orders', timeoutMs: 600_000 });
}

const recipient = (nr: number) => `0x${nr.toString(16).padStart(40, '0')}`;

/** Lists as people ask for them: common, rare, and with nothing to find. */
export const listCases: readonly {
  readonly name: string;
  readonly filter: Omit<OrderFilter, 'projectId'>;
}[] = [
  { name: 'everything', filter: {} },
  { name: 'succeeded', filter: { paymentBuckets: ['succeeded'] } },
  {
    name: 'refunded or declined, failed',
    filter: { paymentBuckets: ['refunded', 'declined'], deliveryBuckets: ['failed'] },
  },
  {
    name: 'every payment status',
    filter: {
      paymentBuckets: [
        'quote-phase',
        'in-progress',
        'succeeded',
        'declined',
        'expired',
        'refunded',
      ],
    },
  },
  { name: 'a status that nobody has', filter: { paymentBuckets: ['quote-phase'] } },
  {
    name: 'a pair that nobody has',
    filter: { paymentBuckets: ['expired'], deliveryBuckets: ['delivered'] },
  },
  { name: 'one currency', filter: { currencies: ['eth'] } },
  {
    name: 'all fiat, in progress',
    filter: {
      currencies: [
        'aud',
        'cop',
        'eur',
        'gbp',
        'hkd',
        'inr',
        'jpy',
        'krw',
        'mxn',
        'sgd',
        'usd',
        'vnd',
      ],
      deliveryBuckets: ['in-progress'],
    },
  },
  { name: 'a currency that nobody paid in', filter: { currencies: ['vnd'] } },
  { name: 'one recipient', filter: { recipients: [recipient(4711)] } },
  {
    name: '20 recipients, delivered, paid in usdc',
    filter: {
      recipients: Array.from({ length: 20 }, (_, nr) => recipient(nr * 13)),
      deliveryBuckets: ['delivered'],
      currencies: ['usdc'],
    },
  },
];
