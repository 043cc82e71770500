-- Owner: src/areas/api-keys. Of a key's secret part only the SHA-256 is kept.
create table api_keys (
  id uuid primary key,
  project_id uuid not null references projects (id),
  kind text not null check (kind in ('server', 'client')),
  name text not null,
  secret_hash bytea not null unique,
  -- Last characters of the key, so that an operator finds the right row.
  hint text not null,
  scopes text[] not null,
  allowed_origins text[] not null,
  allowed_app_ids text[] not null,
  allowed_extension_ids text[] not null,
  created_at timestamptz not null,
  -- May lie in the future: a rotated key ends when its overlap does.
  revoked_at timestamptz,
  rotated_from uuid references api_keys (id)
);

create index api_keys_by_project on api_keys (project_id, created_at, id);
create index api_keys_by_rotation on api_keys (rotated_from);
