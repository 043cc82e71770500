-- Owner: src/areas/payment-methods (payouts). What the vault pays at most, in the smallest unit of each currency. No
-- operation of the main side writes here; a currency without a row is not paid at all.
create table payout_limits (
  currency text primary key check (currency ~ '^[a-z]{3}$'),
  per_payout_minor numeric(40) not null check (per_payout_minor >= 0),
  project_day_minor numeric(40) not null check (project_day_minor >= 0),
  destination_day_minor numeric(40) not null check (destination_day_minor >= 0),
  set_by text,
  updated_at timestamptz not null default now()
);
insert into payout_limits (currency, per_payout_minor, project_day_minor, destination_day_minor) values
  ('usd', 1000000, 10000000, 2500000),
  ('eur', 1000000, 10000000, 2500000),
  ('mxn', 20000000, 200000000, 50000000),
  ('cop', 4000000000, 40000000000, 10000000000);

-- The days of projects and destinations are summed by these.
create index payouts_project_day on payouts (project_id, currency, created_at);
create index payouts_destination_day on payouts (payment_method_id, currency, created_at);

-- While `stopped_at` is set nothing is handed to a bank.
create table payout_switch (
  id int primary key check (id = 1),
  stopped_at timestamptz,
  reason text
);
insert into payout_switch (id) values (1);
