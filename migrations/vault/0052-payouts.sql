-- Owner: src/areas/payment-methods (payouts). One row per payout, stored with its key before the first call to a bank.
create table payouts (
  -- Given by whoever asks for the payout: asked again it is the same one.
  id uuid primary key,
  project_id text not null,
  payment_method_id text not null,
  account_type text not null,
  -- What it serves, e.g. `order:<id>`.
  object text not null,
  provider text not null,
  rail text not null,
  amount_minor numeric(40) not null check (amount_minor > 0),
  currency text not null,
  statement text not null,
  status text not null check (status in ('accepted', 'submitting', 'unknown', 'pending', 'settled', 'final', 'rejected', 'returned',
    'needs-operator', 'canceled')),
  -- The idempotency key towards the bank: the same at every try.
  bank_key text not null unique,
  -- The bank's id of the destination, and of the payout.
  counterparty text,
  entity_type text,
  bank_reference text,
  -- Why it was rejected or returned; why it needs an operator.
  code text,
  attention text,
  calls int not null default 0,
  looks int not null default 0,
  first_sent_at timestamptz,
  last_sent_at timestamptz,
  submitted_at timestamptz,
  settled_at timestamptz,
  -- Until then it may be returned; set when it settles.
  final_at timestamptz,
  ended_at timestamptz,
  -- A payout that is pending then needs an operator.
  overdue_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create unique index payouts_bank_reference on payouts (provider, bank_reference) where bank_reference is not null;
create index payouts_open on payouts (status, id) where status in ('accepted', 'submitting', 'unknown', 'pending', 'settled', 'needs-operator');
create index payouts_project on payouts (project_id, id);
create index payouts_object on payouts (object);
create index payouts_age on payouts (created_at, id);

-- Callbacks of banks that were taken, so that each counts once.
create table payout_bank_events (
  provider text not null,
  event_id text not null,
  payout_id uuid not null,
  received_at timestamptz not null,
  primary key (provider, event_id)
);
create index payout_bank_events_age on payout_bank_events (received_at);

-- Notices of change, by the bank's id. What they corrected is in the payment method, not here.
create table payout_notices (
  payout_id uuid not null references payouts (id),
  notice_id text not null,
  code text not null,
  outcome text not null check (outcome in ('corrected', 'duplicate-method', 'not-applicable', 'method-gone')),
  at timestamptz not null,
  primary key (payout_id, notice_id)
);
