-- Owner: src/areas/webhooks.

-- Events that projects may see, kept longer than the outbox they come from, and their way to
-- receivers.
create table events (
  id uuid primary key,  -- of the outbox event: the webhook-id of every delivery
  -- of the outbox; null: a test event of one endpoint, which is in no stream
  position bigint unique,
  project_id text not null,
  type text not null,
  object text not null,
  -- the bytes that are sent: json and not jsonb, which would arrange them anew
  payload json not null,
  created_at timestamptz not null,
  -- Seals (src/store/row-mac.ts) of what projects are told; null of one that a person's erasure has
  -- emptied.
  mac text
);
create index events_stream on events (project_id, position);
create index events_time on events (project_id, created_at, position);
create index events_object on events (project_id, object);
create index events_age on events (created_at);
-- The newest events of one type, of a project: the console's list.
create index events_by_type on events (project_id, type, position);

create table webhook_projects (
  project_id text primary key,
  endpoint_count integer not null
);

create table webhook_endpoints (
  id uuid primary key,
  project_id text not null,
  url text not null,
  description text,
  event_types text[],  -- null: all
  status text not null check (status in ('enabled', 'disabled', 'deleted')),
  disabled_reason text check (disabled_reason in ('asked', 'gone', 'failing')),
  disabled_at timestamptz,
  failing_since timestamptz,  -- first failed attempt after the last success
  paused_until timestamptz,  -- the receiver asked for it with Retry-After
  secret_version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- Over the project and the address that it is told at.
  mac text
);
create index webhook_endpoints_of_project on webhook_endpoints (project_id, id);
create index webhook_endpoints_deleted on webhook_endpoints (id) where status = 'deleted';

create table webhook_secrets (
  endpoint_id uuid not null references webhook_endpoints (id),
  version integer not null,
  sealed bytea not null,
  expires_at timestamptz,  -- null: the present one
  created_at timestamptz not null,
  primary key (endpoint_id, version)
);
create index webhook_secrets_expired on webhook_secrets (expires_at) where expires_at is not null;

create table webhook_replays (
  id uuid primary key,
  endpoint_id uuid not null references webhook_endpoints (id),
  project_id text not null,
  from_at timestamptz not null,
  to_at timestamptz not null,
  event_types text[],  -- null: those of the endpoint
  status text not null check (status in ('running', 'completed', 'canceled')),
  next_position bigint not null,  -- what is smaller is queued
  last_position bigint not null,
  queued integer not null default 0,
  created_at timestamptz not null,
  finished_at timestamptz
);
create index webhook_replays_of_endpoint on webhook_replays (endpoint_id, id);

-- One row per event and endpoint, and one more for each time that it is sent again.
create table webhook_deliveries (
  id uuid primary key,
  nr bigint generated always as identity,
  endpoint_id uuid not null,
  event_id uuid not null,
  object text not null,
  type text not null,
  kind text not null check (kind in ('event', 'test', 'resend', 'replay')),
  replay_id uuid,
  status text not null check (status in ('pending', 'delivered', 'failed')),
  attempts integer not null default 0,
  attempt_log jsonb not null default '[]',
  created_at timestamptz not null,
  finished_at timestamptz
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
create index webhook_deliveries_of_endpoint on webhook_deliveries (endpoint_id, nr);
create index webhook_deliveries_of_type on webhook_deliveries (endpoint_id, type, nr);
create index webhook_deliveries_of_event on webhook_deliveries (event_id);
create index webhook_deliveries_pending on webhook_deliveries (endpoint_id, object, nr)
  where status = 'pending';
create index webhook_deliveries_failed on webhook_deliveries (endpoint_id, nr)
  where status = 'failed';
create index webhook_deliveries_of_replay on webhook_deliveries (replay_id, status)
  where replay_id is not null;

-- The queue: one row per endpoint and object with something pending. The oldest pending delivery
-- of a lane is sent, the others of that lane wait for it. Whoever adds to a lane or ends its
-- head holds its row, so neither misses the other.
create table webhook_lanes (
  endpoint_id uuid not null,
  object text not null,
  run_at timestamptz not null,  -- service time; leases are database time
  lease_until timestamptz,
  -- moves with every claim: an outcome counts only while its fence is current
  fence bigint not null default 0,
  primary key (endpoint_id, object)
) with (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500);
create index webhook_lanes_due on webhook_lanes (endpoint_id, run_at);

-- A lane that is closed and opened again counted its claims from 0, so that what a process said
-- of a claim of long ago could pass for the outcome of one of today. Every claim has a number of
-- its own; it begins above all that were counted so far.
create sequence webhook_fences start 1000000000;
