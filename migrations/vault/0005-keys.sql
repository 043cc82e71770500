-- Owner: src/vault (envelope). Keys of the vault itself: what fingerprints and the audit log are keyed with. Wrapped.
create table vault_keys (
  purpose text primary key,
  kek_id text not null,
  wrapped bytea not null,
  created_at timestamptz not null
);

-- One data key per user and project, wrapped by a key-encryption key. Erasing a user destroys it.
create table user_keys (
  id uuid primary key,
  project_id uuid not null,
  -- Keyed hash of the user's locator; whose it is cannot be read from the table. Null once destroyed.
  owner_ref bytea,
  kek_id text,
  wrapped bytea,
  created_at timestamptz not null,
  destroyed_at timestamptz,
  check ((destroyed_at is null) = (wrapped is not null)),
  check ((wrapped is null) = (owner_ref is null)),
  check ((wrapped is null) = (kek_id is null))
);

create unique index user_keys_by_owner on user_keys (project_id, owner_ref) where destroyed_at is null;
create index user_keys_by_kek on user_keys (kek_id, id) where destroyed_at is null;
