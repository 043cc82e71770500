-- Owner: src/areas/users. What names or describes a person is sealed with the user's own key, or kept as a keyed hash where
-- it must be found by its value. Erasing a user deletes the key: nothing that it sealed can be read again, backups included.

-- Keys of the hashes, one per project, sealed by the service's key-encryption key.
create table user_lookup_keys (
  project_id uuid primary key,
  sealed_key bytea not null,
  sealed_by  text not null,
  created_at timestamptz not null
);

create table users (
  id             uuid primary key,
  project_id     uuid not null,
  -- The user that this one turned out to be; itself otherwise. Always the end of the way, never a stop on it.
  person_id      uuid not null references users (id) on delete cascade,
  sealed_key     bytea not null,
  -- Id of the key-encryption key that wraps it.
  sealed_by      text not null,
  -- Locators, data blocks and accepted documents, sealed with the user's key and bound to the version.
  sealed_record  bytea not null,
  record_version int not null,
  -- True once data or documents were provided: two such users are never made one.
  has_data       boolean not null,
  created_at     timestamptz not null,
  updated_at     timestamptz not null
);
create index users_by_person on users (person_id);
create index users_by_sealing_key on users (sealed_by, id);

create table user_locators (
  project_id   uuid not null,
  -- HMAC-SHA-256 of the normalised locator.
  locator_hash bytea not null,
  user_id      uuid not null references users (id) on delete cascade,
  primary key (project_id, locator_hash)
);
create index user_locators_by_user on user_locators (user_id);

create table user_documents (
  id             uuid primary key,
  project_id     uuid not null,
  user_id        uuid not null references users (id) on delete cascade,
  document_type  text not null,
  media_type     text not null,
  byte_count     int not null,
  sealed_content bytea not null,
  created_at     timestamptz not null,
  unique (user_id, document_type)
);
-- Sealed bytes do not compress.
alter table user_documents alter column sealed_content set storage external;

-- How often something was done in the present window, by a user or by a whole project (then the subject is the project).
create table user_allowances (
  project_id   uuid not null,
  subject      uuid not null,
  kind         text not null,
  window_start timestamptz not null,
  taken        int not null,
  primary key (project_id, subject, kind)
);

-- That somebody was erased, and when: the proof that the operator keeps. Names nobody.
create table user_erasures (
  user_id    uuid primary key,
  project_id uuid not null,
  erased_at  timestamptz not null
);
