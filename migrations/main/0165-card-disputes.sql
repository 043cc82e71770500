-- Owner: src/areas/orders. Card payments that payers' banks took back, by the acquirer's id of the dispute.
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

-- An order has one refund by card under way or done.
create unique index order_refunds_card on order_refunds (order_id) where via = 'card' and status <> 'failed';
-- Orders that wait for an identity check, to be woken when it ends.
create index orders_identity on orders (user_id) where state in ('kyc_needed', 'kyc_review', 'kyc_manual');
