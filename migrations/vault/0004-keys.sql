-- Owner: src/vault (envelope).

-- Keys of the vault itself: what fingerprints and the audit log are keyed with. Wrapped.
create table vault_keys (
  purpose text primary key,
  kek_id text not null,
  wrapped bytea not null,
  created_at timestamptz not null
);

-- One data key per user and project, wrapped by a key-encryption key. Erasing a user destroys
-- it.
create table user_keys (
  id uuid primary key,
  project_id uuid not null,
  -- Keyed hash of the user's locator; whose it is cannot be read from the table. Null once
  -- destroyed.
  owner_ref bytea,
  kek_id text,
  wrapped bytea,
  created_at timestamptz not null,
  destroyed_at timestamptz,
  check ((destroyed_at is null) = (wrapped is not null)),
  check ((wrapped is null) = (owner_ref is null)),
  check ((wrapped is null) = (kek_id is null))
);
create unique index user_keys_by_owner on user_keys (project_id, owner_ref)
  where destroyed_at is null;
create index user_keys_by_kek on user_keys (kek_id, id) where destroyed_at is null;

-- Owner: src/vault (persons).

-- One person may have several locators, and a data key for each that something was saved under.
-- Which locators are one person only the main side can know: it tells. Until then each locator
-- is a person of its own.
create table persons (
  -- That of the first data key, or of the main side's first word.
  id uuid primary key
);

create table owners (
  project_id uuid not null,
  -- As in user_keys: the keyed hash of a locator.
  owner_ref bytea not null,
  person_id uuid not null,
  primary key (project_id, owner_ref)
);
create index owners_by_person on owners (person_id);

-- Persons of the main side that were told, by the keyed hash of their id as a locator; one that
-- was erased is not joined again by what was on its way.
create table told_persons (
  project_id uuid not null,
  person_ref bytea not null,
  erased_at timestamptz,
  primary key (project_id, person_ref)
);
