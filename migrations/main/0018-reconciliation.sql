-- Owner: src/areas/reconciliation.

-- Where two of chain, ledger, bank and acquirer say different things, one row for each, while it
-- lasts.
create table reconciliation_differences (
  id             uuid primary key,
  -- The order of the lists.
  nr             bigint generated always as identity,
  -- Null: of the books as a whole.
  project_id     uuid,
  -- Which comparison found it, e.g. `treasury`, `deposit`, `payout`.
  comparison     text not null,
  -- What was compared: the id of a deposit, transfer, payout or order, or a chain.
  object         text not null,
  -- Which of its numbers, e.g. `captured`; and in which asset of the ledger.
  aspect         text not null,
  asset          text not null,
  expected_minor numeric(78, 0) not null,
  found_minor    numeric(78, 0) not null,
  -- The sentence for people.
  problem        text not null,
  -- Since when it has been so, and when it was last looked at.
  first_seen_at  timestamptz not null,
  last_seen_at   timestamptz not null,
  -- Seen by two looks with nothing moving in between; before that it may be money on its way.
  confirmed_at   timestamptz,
  gone_at        timestamptz
);
create unique index reconciliation_differences_open on reconciliation_differences
  (project_id, comparison, object, aspect, asset) nulls not distinct where gone_at is null;
create index reconciliation_differences_page on reconciliation_differences (project_id, nr);
create index reconciliation_confirmed on reconciliation_differences (project_id, first_seen_at, id)
  where gone_at is null and confirmed_at is not null;

-- How far each walk over the objects of a project has come.
create table reconciliation_walks (
  project_id  uuid not null,
  -- e.g. `orders`; `orders:all` is the slow walk over everything.
  walk        text not null,
  position_at timestamptz not null,
  position_id text not null,
  -- When the slow walk last came to the end.
  ended_at    timestamptz,
  primary key (project_id, walk)
);

-- Which process compares a project now, and how its last turn went.
create table reconciliation_turns (
  project_id  uuid primary key,
  lease_until timestamptz not null,
  ended_at    timestamptz,
  compared    bigint not null default 0,
  -- What could not be compared, e.g. a node that does not answer.
  skipped     jsonb not null default '[]'
);
