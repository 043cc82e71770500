-- Owner: src/areas/orders.

-- The buckets that lists filter by (interface, "List filter buckets for orders"; supplement, section 22).
alter table orders
  add column payment_bucket text not null generated always as (
    case
      when payment_status = 'requires-quote' and quote_status = 'expired' then 'expired'
      when payment_status in ('requires-quote', 'requires-crypto-payer-address', 'crypto-payer-insufficient-funds',
        'crypto-payer-insufficient-funds-for-gas') then 'quote-phase'
      when payment_status = 'completed' then 'succeeded'
      when payment_status = 'refunded' then 'refunded'
      when payment_status in ('failed', 'failed-kyc') then 'declined'
      else 'in-progress'
    end) stored,
  add column delivery_bucket text not null generated always as (
    case delivery_status
      when 'awaiting-payment' then 'not-started'
      when 'completed' then 'delivered'
      else delivery_status
    end) stored;

-- A list reads the newest of each pair of buckets from one of these and merges them: whatever is filtered for, it reads no more
-- than a page per pair.
create index orders_by_status on orders (project_id, payment_bucket, delivery_bucket, created_at, id);
create index orders_by_currency on orders (project_id, paid_currency, payment_bucket, delivery_bucket, created_at, id)
  where paid_currency is not null;
create index orders_by_recipient on orders (project_id, recipient_key, payment_bucket, delivery_bucket, created_at, id)
  where recipient_key is not null;
