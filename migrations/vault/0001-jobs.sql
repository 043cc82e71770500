-- Owner: src/jobs.

-- Durable work and events of the vault, as in migrations/main/0001-jobs.sql.
create table flows (
  id uuid primary key,
  project_id text not null,
  kind text not null,
  version int not null,
  step text not null,
  state jsonb not null,
  key text,
  status text not null default 'active'
    check (status in ('active', 'done', 'failed', 'dead', 'canceled')),
  run_at timestamptz not null,
  attempts int not null default 0,
  lease_until timestamptz,
  worker text,
  fence bigint not null default 0,
  wakes int not null default 0,
  intent json,
  last_error text,
  history jsonb not null default '[]',
  created_at timestamptz not null,
  updated_at timestamptz not null,
  finished_at timestamptz,
  check ((status = 'active') = (finished_at is null))
) with (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500);
create index flows_due on flows (project_id, run_at) where status = 'active';
create unique index flows_key on flows (kind, key) where key is not null;
create index flows_finished on flows (finished_at) where finished_at is not null;
create index flows_dead on flows (id) where status = 'dead';

create table outbox (
  id uuid primary key,
  written bigint generated always as identity,
  position bigint unique,
  project_id text not null,
  type text not null,
  object text not null,
  data jsonb not null,
  created_at timestamptz not null,
  -- Empty: events of the vault are signed on their way and carry no seal.
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

create table outbox_parked (
  reader text not null,
  event_id uuid not null,
  event jsonb not null,
  last_error text not null,
  parked_at timestamptz not null,
  mac text,
  primary key (reader, event_id)
);
