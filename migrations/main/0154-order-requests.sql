-- Owner: src/areas/orders.

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
create unique index order_refund_requests_open on order_refund_requests (order_id, line_item) where status <> 'rejected';
create index order_refund_requests_waiting on order_refund_requests (project_id, created_at) where status in ('initiated', 'accepted');
