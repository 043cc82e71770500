-- Owner: src/areas/browser-profiles. Label and browser state are sealed; the key of a profile dies with its row.
create table browser_profiles (
  id            uuid primary key,
  project_id    uuid not null,
  user_id       uuid not null references users (id) on delete cascade,
  -- The profile's own key, sealed by the service's key-encryption keys.
  sealed_key    bytea not null,
  sealed_by     text not null,
  sealed_label  bytea,
  label_version integer not null,
  -- What the browser remembers; null until a run has saved something.
  sealed_state  bytea,
  state_version integer not null,
  created_at    timestamptz not null,
  updated_at    timestamptz not null,
  -- Deleted for everybody but the runs that began with it; erased when they are over.
  deleted_at    timestamptz
);
create unique index browser_profiles_one_per_user on browser_profiles (user_id) where deleted_at is null;
create index browser_profiles_by_user on browser_profiles (user_id);
create index browser_profiles_by_sealing_key on browser_profiles (sealed_by, id);
-- Sealed bytes do not compress.
alter table browser_profiles alter column sealed_state set storage external;

-- Which checkouts run with which profile, deleted ones included.
create table browser_profile_uses (
  checkout_id uuid primary key,
  profile_id  uuid not null references browser_profiles (id) on delete cascade
);
create index browser_profile_uses_profile on browser_profile_uses (profile_id);
