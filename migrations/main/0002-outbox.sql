-- Events, written in the transaction in which they happen. `position` is given after the commit, by whoever reads
-- next and holds the one row of outbox_sequence: so a transaction that commits late is never behind a reader.
create table outbox (
  id uuid primary key,
  written bigint generated always as identity,
  position bigint unique,
  project_id text not null,
  type text not null,
  object text not null,
  data jsonb not null,
  created_at timestamptz not null
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
  primary key (reader, event_id)
);
