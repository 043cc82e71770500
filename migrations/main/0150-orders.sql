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
  updated_at         timestamptz not null
);
create unique index orders_memo on orders (memo) where memo is not null;
create unique index orders_card on orders (card_reference) where card_reference is not null;
create unique index orders_payout on orders (payout_id) where payout_id is not null;
create index orders_page on orders (project_id, created_at, id);
create index orders_due on orders (deadline_at) where deadline_at is not null;
create index orders_user on orders (project_id, user_id, created_at);

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

-- Money that goes back to a payer. The id is the treasury's transfer or the acquirer's refund.
create table order_refunds (
  id           uuid primary key,
  order_id     uuid not null references orders (id),
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
  updated_at   timestamptz not null
);
create index order_refunds_order on order_refunds (order_id, created_at);
create unique index order_refunds_deposit on order_refunds (deposit_id, reason) where deposit_id is not null;
