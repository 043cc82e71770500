-- Owner: src/providers/custody. Keys of keyed hashes, so that a stolen database tells neither who signs nor any code.
create table project_secrets (
  project_id uuid primary key,
  -- Sealed with src/lib/sealing/seal.ts, bound to the project.
  sealed_secret bytea not null,
  -- Id of the key-encryption key that wraps it.
  sealed_by text not null,
  created_at timestamptz not null
);

-- For moving secrets to a new key-encryption key.
create index project_secrets_by_sealing_key on project_secrets (sealed_by, project_id);
