-- Owner: src/areas/orders.

create table orders (
  id                 uuid primary key,
  project_id         uuid not null,
  kind               text not null check (kind in ('onramp', 'offramp', 'checkout')),
  state              text not null,
  -- Where on_hold and needs_operator came from.
  resume_state       text,
  -- Why an operator is needed.
  attention          text,
  -- What callers see; follows from the state, kept for the filters of the list.
  phase              text not null,
  quote_status       text not null,
  payment_status     text not null,
  delivery_status    text not null,
  -- Id of the user, and the locator that the caller named; null where nobody is known.
  user_id            uuid,
  user_locator       text,
  -- Canonical addresses.
  payer_key          text,
  recipient_key      text,
  -- What a deposit carries to say whose it is.
  memo               text,
  -- Currency of payment.totalPaid.
  paid_currency      text,
  -- Id of the acquirer's payment, `<provider>/<reference>`.
  card_reference     text,
  payout_id          uuid,
  client_secret_hash bytea not null,
  request            jsonb not null,
  terms              jsonb,
  facts              jsonb not null,
  quoted_at          timestamptz,
  quote_expires_at   timestamptz,
  -- When the owner of the state has to have moved; null in the last states.
  deadline_at        timestamptz,
  version            integer not null default 1,
  created_at         timestamptz not null,
  updated_at         timestamptz not null,
  -- The buckets that lists filter by (interface, "List filter buckets for orders"; supplement,
  -- section 22).
  payment_bucket     text not null generated always as (
    case
      when payment_status = 'requires-quote' and quote_status = 'expired' then 'expired'
      when payment_status in ('requires-quote', 'requires-crypto-payer-address', 'crypto-payer-insufficient-funds',
        'crypto-payer-insufficient-funds-for-gas') then 'quote-phase'
      when payment_status = 'completed' then 'succeeded'
      when payment_status = 'refunded' then 'refunded'
      when payment_status in ('failed', 'failed-kyc') then 'declined'
      else 'in-progress'
    end) stored,
  delivery_bucket    text not null generated always as (
    case delivery_status
      when 'awaiting-payment' then 'not-started'
      when 'completed' then 'delivered'
      else delivery_status
    end) stored,
  -- The turn of order_volume_looks in which the volume of its user was looked at, and for which of
  -- its quotes.
  looked_nr          bigint,
  looked_quote       timestamptz,
  -- Seal (src/store/row-mac.ts) of whom money goes to, and how much. Null of an order that was found
  -- changed behind the service: it never carries one again.
  mac                text
);
create unique index orders_memo on orders (memo) where memo is not null;
create unique index orders_card on orders (card_reference) where card_reference is not null;
create unique index orders_payout on orders (payout_id) where payout_id is not null;
create index orders_page on orders (project_id, created_at, id);
create index orders_due on orders (deadline_at) where deadline_at is not null;
create index orders_user on orders (project_id, user_id, created_at);
-- A list reads the newest of each pair of buckets from one of these and merges them: whatever is
-- filtered for, it reads no more than a page per pair.
create index orders_by_status
  on orders (project_id, payment_bucket, delivery_bucket, created_at, id);
create index orders_by_currency on orders
  (project_id, paid_currency, payment_bucket, delivery_bucket, created_at, id)
  where paid_currency is not null;
create index orders_by_recipient on orders
  (project_id, recipient_key, payment_bucket, delivery_bucket, created_at, id)
  where recipient_key is not null;
-- A deposit without its memo is known by payer and amount.
create index orders_open_payer on orders (project_id, payer_key)
  where state in ('awaiting_deposit', 'deposit_short');
-- What waits for an operator.
create index orders_waiting on orders (project_id, created_at)
  where state in ('on_hold', 'needs_operator');
-- Orders that wait for an identity check, to be woken when it ends.
create index orders_identity on orders (user_id)
  where state in ('kyc_needed', 'kyc_review', 'kyc_manual');
-- For the walks of src/areas/reconciliation: what changed since.
create index orders_compared on orders (project_id, updated_at, id)
  where deadline_at is null or card_reference is not null or payout_id is not null;
create index orders_delivering on orders (project_id) where state = 'delivering';
-- A dispute, or what a bank says late, asks for the operator after an order was closed by hand,
-- too.
create index orders_attention_any on orders (project_id, created_at) where attention is not null;
create index orders_asking on orders (project_id, updated_at, id)
  where state in ('on_hold', 'needs_operator') or attention is not null;
-- What the lists of the console read: the newest first of a project, one short read of an index
-- for each page.
create index orders_state_page on orders (project_id, state, created_at, id);
create index orders_payouts on orders (project_id, created_at, id) where payout_id is not null;
create index orders_payouts_by_status on orders
  (project_id, (facts -> 'payout' ->> 'status'), (facts -> 'payout' ->> 'rail'), created_at, id)
  where payout_id is not null;
-- Those at no end yet, which are few whatever was paid: an order by time over all of them would
-- be walked to its end.
create index orders_payouts_open on orders (project_id, created_at, id)
  where payout_id is not null and facts -> 'payout' ->> 'status' in ('asked', 'held');
-- Orders that are paid in just this token and amount, near in time: what a deposit of nobody may
-- have been meant for.
create index orders_paid_in_tokens on orders
  (project_id, (terms -> 'pay' ->> 'asset'), (terms -> 'pay' ->> 'amountMinor'), created_at)
  where kind in ('offramp', 'checkout');

-- Looks at the volume of a user: of several orders at once the later look counts the earlier one,
-- whichever of them was priced or stored first.
create sequence order_volume_looks;

-- What the API's role may do to an order: price it, prepare it and note what its payer said, until
-- money is there. Whatever follows (deposits, captures, payouts, deliveries, refunds) is the
-- worker's. See docs/decisions/0035-database-roles.md.
create function orders_check_api() returns trigger language plpgsql as $$
declare
  -- As src/areas/orders/state/machine.ts has them before anything was paid.
  unpaid constant text[] := array['incomplete', 'quoted', 'email_needed', 'payer_needed', 'payer_short', 'payer_short_of_gas', 'kyc_needed',
    'kyc_review', 'kyc_manual', 'kyc_failed', 'proof_needed', 'quote_expired', 'awaiting_payment', 'awaiting_deposit'];
  workers constant text[] := array['payout', 'payoutRetried', 'conversion', 'totalPaid', 'received', 'refunded', 'refundGrants',
    'deliveryTransferId', 'deliveryRetried', 'deliveries', 'deliveredAt', 'deliveredMinor', 'shortTransferIds', 'dustMinor', 'captureKey',
    'screeningReleased'];
  fact text;
begin
  if tg_op = 'INSERT' then
    if new.state <> all (array['incomplete', 'quoted']) or new.payout_id is not null or new.facts ?| workers then
      raise exception 'The role of the API opens no order as %.', new.state using errcode = 'insufficient_privilege';
    end if;
    return new;
  end if;
  if new.state <> old.state and not (old.state = any (unpaid) and new.state = any (unpaid))
     and not (old.state = 'quoted' and new.state = 'screened' and new.terms->'pay'->>'amountMinor' = '0') then
    raise exception 'The role of the API does not move an order from % to %.', old.state, new.state using errcode = 'insufficient_privilege';
  end if;
  foreach fact in array workers loop
    -- Of an order that is free.
    continue when fact = 'totalPaid' and new.terms->'pay'->>'amountMinor' = '0' and new.facts->'totalPaid'->>'amountMinor' = '0';
    if new.facts->fact is distinct from old.facts->fact then
      raise exception 'The role of the API does not write the fact % of an order.', fact using errcode = 'insufficient_privilege';
    end if;
  end loop;
  if (new.id, new.project_id, new.kind, new.payout_id, new.resume_state, new.created_at)
       is distinct from (old.id, old.project_id, old.kind, old.payout_id, old.resume_state, old.created_at)
     or (old.state <> all (unpaid) and
       (new.terms, new.payer_key, new.recipient_key, new.memo, new.card_reference, new.request->'lineItem', new.request->'moreLineItems',
         new.request->'recipient'->'paymentMethodId', new.request->'recipient'->'walletAddress')
       is distinct from (old.terms, old.payer_key, old.recipient_key, old.memo, old.card_reference, old.request->'lineItem',
         old.request->'moreLineItems', old.request->'recipient'->'paymentMethodId', old.request->'recipient'->'walletAddress')) then
    raise exception 'The role of the API does not change what order % is to pay, or to whom.', old.id using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;
create trigger orders_api before insert or update on orders
  for each row when (current_user = 'purser_api') execute function orders_check_api();

-- What happened to an order, in order. Written with every move, never changed.
create table order_moves (
  order_id   uuid not null references orders (id),
  nr         integer not null,
  from_state text,
  event      text not null,
  to_state   text not null,
  note       text,
  at         timestamptz not null,
  primary key (order_id, nr)
);

-- Transactions that payers posted as their deposit: each belongs to one order of a project.
create table order_posted_txs (
  project_id uuid not null,
  chain      text not null,
  tx_id      text not null,
  order_id   uuid not null references orders (id),
  posted_at  timestamptz not null,
  primary key (project_id, chain, tx_id)
);
create index order_posted_txs_order on order_posted_txs (order_id);

-- What each deposit at a treasury is to the orders.
create table order_deposits (
  deposit_id uuid primary key,
  project_id uuid not null,
  -- The order that it pays or belongs to; of a held one the order that it seems to be meant
  -- for. Null: nobody knows.
  order_id   uuid references orders (id),
  use        text not null check (use in ('pays', 'extra', 'held')),
  -- Why it does not pay, e.g. `second`, `wrong-token`, `memo-unknown`.
  reason     text,
  -- The ledger account that it was posted to when it became final; null before.
  account    text,
  -- How often it became final.
  posted     integer not null default 0,
  -- It is posted now: false before it is final, and after a reorganisation took it back.
  counts     boolean not null default false,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index order_deposits_order on order_deposits (order_id) where order_id is not null;
create index order_deposits_held on order_deposits (project_id, created_at, deposit_id)
  where use = 'held';

-- Money that goes back to a payer. The id is the treasury's transfer or the acquirer's refund.
create table order_refunds (
  id           uuid primary key,
  order_id     uuid references orders (id),
  project_id   uuid not null,
  via          text not null check (via in ('chain', 'card')),
  reason       text not null,
  -- The deposit that goes back, where one does: it goes back once.
  deposit_id   uuid,
  chain        text,
  asset        text not null,
  decimals     smallint not null,
  amount_minor numeric(78, 0) not null,
  recipient    text,
  status       text not null check (status in ('pending', 'sent', 'final', 'failed')),
  tx_id        text,
  error        text,
  created_at   timestamptz not null,
  updated_at   timestamptz not null,
  -- The transfer of the treasury under way or done: a new one after a failure that is for
  -- good.
  transfer_id  uuid,
  transfers    integer not null default 1,
  -- How often it became final: a network that breaks its rule may take it back.
  finals       integer not null default 0,
  -- The ledger account in which the money waits.
  account      text,
  -- Seal of refunds on a chain, over what never changes of them.
  mac          text
);
create index order_refunds_order on order_refunds (order_id, created_at);
create unique index order_refunds_deposit on order_refunds (deposit_id, reason)
  where deposit_id is not null;
create unique index order_refunds_transfer on order_refunds (transfer_id)
  where transfer_id is not null;
create index order_refunds_open on order_refunds (project_id, created_at)
  where status in ('pending', 'sent', 'failed');
-- An order has one refund by card under way or done.
create unique index order_refunds_card on order_refunds (order_id)
  where via = 'card' and status <> 'failed';

-- What a project asks to be given back of a delivered order; the operator decides.
create table order_refund_requests (
  id         uuid primary key,
  order_id   uuid not null references orders (id),
  project_id uuid not null,
  line_item  smallint not null,
  reason     text not null,
  status     text not null check (status in ('initiated', 'accepted', 'rejected', 'completed')),
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index order_refund_requests_order on order_refund_requests (order_id, created_at);
-- One at a time, and none after one that was accepted.
create unique index order_refund_requests_open on order_refund_requests (order_id, line_item)
  where status <> 'rejected';
create index order_refund_requests_waiting on order_refund_requests (project_id, created_at, id)
  where status in ('initiated', 'accepted');

-- Card payments that payers' banks took back, by the acquirer's id of the dispute.
create table order_disputes (
  provider     text not null,
  reference    text not null,
  order_id     uuid not null references orders (id),
  project_id   uuid not null,
  currency     text not null,
  amount_minor numeric(78, 0) not null,
  reason       text not null,
  status       text not null check (status in ('open', 'won', 'lost')),
  opened_at    timestamptz not null,
  decided_at   timestamptz,
  primary key (provider, reference)
);
create index order_disputes_order on order_disputes (order_id);
create index order_disputes_open on order_disputes (project_id, opened_at) where status = 'open';

-- What an operator has set for a project: fees, limits, tolerances. Absent values are the
-- service's defaults.
create table order_settings (
  project_id uuid primary key,
  settings   jsonb not null,
  updated_at timestamptz not null
);

-- Owner: src/areas/order-limits.

-- What has been used of limits, per subject and day or month of New York. Hundredths of a US
-- dollar.
create table order_limit_usage (
  project_id uuid not null,
  subject    text not null,
  period     text not null,
  used_cents numeric(20, 0) not null check (used_cents >= 0),
  updated_at timestamptz not null,
  primary key (project_id, subject, period)
);
create index order_limit_usage_age on order_limit_usage (updated_at);

-- What each order took, so that it can be given back once.
create table order_limit_uses (
  order_id   uuid not null,
  project_id uuid not null,
  subject    text not null,
  period     text not null,
  cents      numeric(20, 0) not null,
  at         timestamptz not null,
  primary key (order_id, subject, period)
);
create index order_limit_uses_age on order_limit_uses (at);

-- Owner: src/areas/card-payments.

-- Events that acquirers called back with, for the operator and for telling repeated ones apart.
-- Only what kind of news it was and about which payment.
create table card_callback_events (
  provider       text not null,
  event_id       text not null,
  type           text not null,
  reference      text not null,
  first_seen_at  timestamptz not null,
  times          integer not null default 1,
  primary key (provider, event_id)
);
create index card_callback_events_age on card_callback_events (first_seen_at);

-- Owner: src/areas/payment-methods (payout client).

-- Up to where the vault's events about payouts were handled.
create table payout_event_cursors (
  name text primary key,
  position bigint not null,
  updated_at timestamptz not null
);
