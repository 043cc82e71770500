-- Owner: src/areas/orders. What each deposit at a treasury is to the orders.
create table order_deposits (
  deposit_id uuid primary key,
  project_id uuid not null,
  -- The order that it pays or belongs to; of a held one the order that it seems to be meant for. Null: nobody knows.
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
create index order_deposits_held on order_deposits (project_id, created_at) where use = 'held';

-- A deposit without its memo is known by payer and amount.
create index orders_open_payer on orders (project_id, payer_key) where state in ('awaiting_deposit', 'deposit_short');
