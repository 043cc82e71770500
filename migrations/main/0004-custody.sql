-- Owner: src/providers/custody.

-- No foreign key to projects: the keys move to processes with databases of their own.
create table custody_keys (
  id uuid primary key,
  project_id uuid not null,
  curve text not null check (curve in ('secp256k1', 'ed25519')),
  purpose text not null,
  -- To be read by people. The program derives it from the secret and refuses a row where the
  -- two differ.
  public_key bytea not null,
  -- Sealed with src/lib/sealing/seal.ts, bound to id, project, curve and purpose.
  sealed_secret bytea not null,
  -- Id of the key-encryption key that wraps it.
  sealed_by text not null,
  created_at timestamptz not null,
  -- What a key signs for: 'project' for the wallets of its project that name it, else the one
  -- wallet of this id. Bound into the seal like project, curve and purpose.
  subject text not null default 'project',
  constraint custody_keys_one_per_subject unique (project_id, curve, purpose, subject)
);
-- For moving keys to a new key-encryption key.
create index custody_keys_by_sealing_key on custody_keys (sealed_by, id);

-- Keys of keyed hashes, so that a stolen database tells neither who signs nor any code.
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
