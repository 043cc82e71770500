-- The sandbox bank of src/providers/payout: what a bank would keep on its own side, so that it
-- outlives restarts. It stores what an account number stands for, never the number.
create table sandbox_bank_counterparties (
  id text primary key,
  introduced_by text not null unique,
  script text not null,
  suffix text not null,
  created_at timestamptz not null
);

create table sandbox_bank_transfers (
  id text primary key,
  key text not null unique,
  counterparty text not null references sandbox_bank_counterparties (id),
  script text not null,
  account_type text not null,
  rail text not null,
  amount_minor numeric(40) not null check (amount_minor > 0),
  currency text not null,
  statement text not null,
  -- Null while the bank has only lost or refused calls under this key: no money has moved.
  taken_at timestamptz,
  calls int not null,
  -- How many of its events were handed over as callbacks, and when the next one is due.
  events_sent int not null default 0,
  next_event_at timestamptz,
  created_at timestamptz not null
);
create index sandbox_bank_transfers_counterparty on sandbox_bank_transfers (counterparty);
create index sandbox_bank_transfers_due on sandbox_bank_transfers (next_event_at)
  where next_event_at is not null;
create index sandbox_bank_transfers_taken on sandbox_bank_transfers (rail, taken_at, id)
  where taken_at is not null;
