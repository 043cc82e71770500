-- Owner: src/http.

-- One row per idempotency key in use; `status` is null while the first call runs. As in the main
-- database, but `body_hash` is keyed and `body` holds sealed answers: a request of this host
-- carries account numbers.
create table idempotency_keys (
  project_id uuid not null,
  -- SHA-256 over end user, method, path and the header's value.
  scope bytea not null,
  body_hash bytea not null,
  -- Id for the object that the call creates; the same when a crashed call is taken over.
  object_id uuid not null,
  -- Who runs the call now, and until when nobody else may.
  claim uuid not null,
  lease_until timestamptz not null,
  status smallint,
  body text,
  expires_at timestamptz not null,
  -- The vault's answers end with the key of their user; the column is the main side's.
  persons bytea[],
  primary key (project_id, scope)
);
create index idempotency_keys_by_expiry on idempotency_keys (expires_at);

-- Requests that processes have taken out of each project's bucket in the current window.
create table rate_limits (
  project_id uuid not null,
  bucket text not null,
  window_start timestamptz not null,
  taken integer not null,
  -- Size of the last block taken: what the taking statement answers.
  granted integer not null,
  primary key (project_id, bucket)
);
-- A bucket is of a project's server keys, of one end user, or of its client keys without a user;
-- old ones are forgotten.
create index rate_limits_window on rate_limits (window_start);

-- Nonces of the main side's signed requests that were used, until their time window is over.
create table internal_nonces (
  peer text not null,
  nonce text not null,
  expires_at timestamptz not null,
  primary key (peer, nonce)
);
create index internal_nonces_by_expiry on internal_nonces (expires_at);

-- Owner: src/clock.

-- How far the service's time was moved ahead of the machine's; only development moves it, and
-- only on.
create table service_clock (
  id       smallint primary key default 1 check (id = 1),
  ahead_ms bigint not null default 0 check (ahead_ms >= 0)
);
insert into service_clock (id) values (1);

-- The processes that run in development, and the time each of them keeps. One that was not seen
-- lately is gone.
create table service_clock_parts (
  name     text primary key,
  ahead_ms bigint not null,
  seen_at  timestamptz not null
);
