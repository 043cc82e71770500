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
  status text not null default 'active' check (status in ('active', 'done', 'failed', 'dead', 'canceled')),
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
  -- What an effect outside the database is about to do, with its idempotency key, stored before it is tried.
  -- json and not jsonb: it keeps the order of fields, so that every try sends the same bytes.
  intent json,
  last_error text,
  history jsonb not null default '[]',
  created_at timestamptz not null,
  updated_at timestamptz not null,
  finished_at timestamptz,
  check ((status = 'active') = (finished_at is null))
) with (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500);

-- The only index a claim needs. No column that claiming and advancing change is in any index, partial ones included:
-- that keeps them heap-only updates.
create index flows_due on flows (project_id, run_at) where status = 'active';
create unique index flows_key on flows (kind, key) where key is not null;
create index flows_finished on flows (finished_at) where finished_at is not null;
create index flows_dead on flows (id) where status = 'dead';
