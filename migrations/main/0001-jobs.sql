-- Owner: src/jobs.

-- Durable work: one row per flow, advanced in the transaction of the change it makes.
create table flows (
  id uuid primary key,
  project_id text not null,
  kind text not null,
  version int not null,
  step text not null,
  state jsonb not null,
  -- Idempotent start: one flow per kind and key.
  key text,
  status text not null default 'active'
    check (status in ('active', 'done', 'failed', 'dead', 'canceled')),
  -- Service time (movable in development). Leases below are database time.
  run_at timestamptz not null,
  -- Tries of the present step, the running one included.
  attempts int not null default 0,
  lease_until timestamptz,
  worker text,
  -- Moves with every claim: a step commits only while its fence is current.
  fence bigint not null default 0,
  -- Moves with every wake: a step that decided to sleep before it saw the news does not.
  wakes int not null default 0,
  -- What an effect outside the database is about to do, with its idempotency key, stored
  -- before it is tried. json and not jsonb: it keeps the order of fields, so that every try
  -- sends the same bytes.
  intent json,
  last_error text,
  history jsonb not null default '[]',
  created_at timestamptz not null,
  updated_at timestamptz not null,
  finished_at timestamptz,
  check ((status = 'active') = (finished_at is null))
) with (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500);
-- The only index a claim needs. No column that claiming and advancing change is in any index,
-- partial ones included: that keeps them heap-only updates.
create index flows_due on flows (project_id, run_at) where status = 'active';
create unique index flows_key on flows (kind, key) where key is not null;
create index flows_finished on flows (finished_at) where finished_at is not null;
create index flows_dead on flows (id) where status = 'dead';
-- Work that is tried again, few whatever is under way: the console's page of health.
create index flows_failing on flows (id) where status = 'active' and last_error is not null;

-- Events, written in the transaction in which they happen. `position` is given after the commit,
-- by whoever reads next and holds the one row of outbox_sequence: so a transaction that commits
-- late is never behind a reader.
create table outbox (
  id uuid primary key,
  written bigint generated always as identity,
  position bigint unique,
  project_id text not null,
  type text not null,
  object text not null,
  data jsonb not null,
  created_at timestamptz not null,
  -- Seal (src/store/row-mac.ts) of what projects are told. Null of one that a person's erasure has
  -- emptied.
  mac text
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500);
create index outbox_unplaced on outbox (written) where position is null;
create index outbox_project_time on outbox (project_id, created_at);
create index outbox_created on outbox (created_at);

create table outbox_sequence (id int primary key check (id = 1), position bigint not null);
insert into outbox_sequence (id, position) values (1, 0);

create table outbox_readers (
  name text primary key,
  position bigint not null,
  attempts int not null default 0,
  retry_at timestamptz,
  last_error text,
  updated_at timestamptz not null
);

-- Events a reader gave up on after its last try; kept until they are retried by hand.
create table outbox_parked (
  reader text not null,
  event_id uuid not null,
  event jsonb not null,
  last_error text not null,
  parked_at timestamptz not null,
  -- An operator may have it handled again: its reader takes those that are asked for.
  retry_asked_at timestamptz,
  -- The seal of the event; in a column, so that it is made anew with others when the key changes.
  mac text,
  primary key (reader, event_id)
);
create index outbox_parked_asked on outbox_parked (reader, retry_asked_at)
  where retry_asked_at is not null;
