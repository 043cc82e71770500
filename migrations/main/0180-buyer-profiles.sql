-- Owner: src/areas/buyer-profiles. Sealed with the user's key: erasing the user destroys them.
create table buyer_profiles (
  id             uuid primary key,
  project_id     uuid not null,
  user_id        uuid not null references users (id) on delete cascade,
  sealed_profile bytea not null,
  version        integer not null,
  created_at     timestamptz not null,
  updated_at     timestamptz not null
);
create index buyer_profiles_page on buyer_profiles (user_id, created_at, id);
