-- Owner: src/areas/payment-methods (payouts).

-- One row per payout, stored with its key before the first call to a bank.
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
  status text not null
    check (status in ('accepted', 'submitting', 'unknown', 'pending', 'settled', 'final', 'rejected',
      'returned', 'needs-operator', 'canceled')),
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
  updated_at timestamptz not null,
  -- The account by its keyed hash, and since when its person has it.
  destination bytea,
  destination_since timestamptz not null,
  -- What it waits for, as the main side was told; both empty once it was handed in.
  needs_approval boolean not null default false,
  held_until timestamptz
);
create unique index payouts_bank_reference on payouts (provider, bank_reference)
  where bank_reference is not null;
create index payouts_open on payouts (status, id)
  where status in ('accepted', 'submitting', 'unknown', 'pending', 'settled', 'needs-operator');
create index payouts_project on payouts (project_id, id);
create index payouts_object on payouts (object);
create index payouts_age on payouts (created_at, id);
-- Books are compared by when a payout was first sent.
create index payouts_sent on payouts (provider, first_sent_at) where first_sent_at is not null;
create index payouts_held on payouts (created_at, id)
  where status = 'accepted' and (needs_approval or held_until is not null);
-- A day is summed by what left in it and what has yet to leave.
create index payouts_project_day on payouts (project_id, currency, first_sent_at);
create index payouts_unsent on payouts (project_id, currency)
  where first_sent_at is null and status not in ('rejected', 'canceled');

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
  outcome text not null
    check (outcome in ('corrected', 'duplicate-method', 'not-applicable', 'method-gone')),
  at timestamptz not null,
  primary key (payout_id, notice_id)
);

-- What the vault pays at most, in the smallest unit of each currency. No operation of the main
-- side writes here; a currency without a row is not paid at all. Limits, waiting time, approvers and
-- approvals are written by the owner of this database alone (src/vault/grants.ts): the running vault
-- reads them.
create table payout_limits (
  currency text primary key check (currency ~ '^[a-z]{3}$'),
  per_payout_minor numeric(40) not null check (per_payout_minor >= 0),
  project_day_minor numeric(40) not null check (project_day_minor >= 0),
  destination_day_minor numeric(40) not null check (destination_day_minor >= 0),
  set_by text,
  updated_at timestamptz not null default now(),
  -- Above it a second person says so. As much as one payout may be: whoever raises that finds
  -- a second person asked for.
  second_person_minor numeric(40) not null check (second_person_minor >= 0)
);
insert into payout_limits
  (currency, per_payout_minor, project_day_minor, destination_day_minor, second_person_minor) values
  ('usd', 1000000, 10000000, 2500000, 1000000),
  ('eur', 1000000, 10000000, 2500000, 1000000),
  ('mxn', 20000000, 200000000, 50000000, 20000000),
  ('cop', 4000000000, 40000000000, 10000000000, 4000000000);

-- How long a new destination waits; null: as the vault's configuration says.
create table payout_rules (
  id int primary key check (id = 1),
  new_destination_wait_hours int check (new_destination_wait_hours between 0 and 168),
  set_by text,
  updated_at timestamptz
);
insert into payout_rules (id) values (1);

-- While `stopped_at` is set nothing is handed to a bank.
create table payout_switch (
  id int primary key check (id = 1),
  stopped_at timestamptz,
  reason text
);
insert into payout_switch (id) values (1);

-- Whoever takes a payout of a currency on locks its row here.
create table payout_turns (currency text primary key);

-- Persons who may say yes to a payout that needs a second one. Of a token only its hash is kept.
create table payout_approvers (
  name text primary key,
  token_hash bytea not null unique,
  added_by text not null,
  added_at timestamptz not null,
  removed_at timestamptz
);

-- What was approved, of this amount to this payment method: what is changed afterwards is not
-- approved.
create table payout_approvals (
  payout_id uuid primary key references payouts (id),
  payment_method_id text not null,
  amount_minor numeric(40) not null,
  approver text not null,
  asked_by text not null,
  approved_at timestamptz not null
);

create function refuse_payout_approval_change() returns trigger language plpgsql as $$
begin
  raise exception 'approvals of payouts are append-only';
end
$$;
create trigger payout_approvals_append_only before update or delete on payout_approvals
  for each row execute function refuse_payout_approval_change();
