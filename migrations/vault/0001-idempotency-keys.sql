-- Owner: src/http. One row per idempotency key in use; `status` is null while the first call runs. As in the main database,
-- but `body_hash` is keyed and `body` holds sealed answers: a request of this host carries account numbers.
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
  primary key (project_id, scope)
);

create index idempotency_keys_by_expiry on idempotency_keys (expires_at);
