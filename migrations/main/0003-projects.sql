-- Owner: src/areas/projects.

create table projects (
  id uuid primary key,
  name text not null,
  created_at timestamptz not null
);
create index projects_by_age on projects (created_at, id);

-- Who may vouch for a project's end users. Either an address of a key set or the key set itself;
-- one pinned algorithm.
create table trusted_issuers (
  id uuid primary key,
  project_id uuid not null references projects (id),
  issuer text not null,
  audiences text[] not null,
  algorithm text not null check (algorithm in ('RS256', 'ES256', 'EdDSA')),
  jwks_url text,
  jwks jsonb,
  created_at timestamptz not null,
  -- Of vault_directory below, when it last changed.
  directory_version bigint not null default 0,
  -- Rows that decide who may act carry a seal, '<key id>.<HMAC>', of src/store/row-mac.ts. None: the
  -- row is not ours, and nothing is done with it.
  mac text,
  -- What tokens of the issuer may say.
  rules jsonb not null,
  check ((jwks_url is null) <> (jwks is null)),
  unique (project_id, issuer)
);
create index trusted_issuers_by_directory_version on trusted_issuers (directory_version);

-- Since when tokens of a user count.
create table sign_outs (
  project_id uuid not null,
  -- Keyed hash of the user's locator.
  user_hash bytea not null,
  not_before timestamptz not null,
  machine_not_before timestamptz not null,
  primary key (project_id, user_hash)
);

-- Owner: src/areas/api-keys.

-- Of a key's secret part only the SHA-256 is kept.
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
  rotated_from uuid references api_keys (id),
  -- As of an issuer.
  directory_version bigint not null default 0,
  mac text
);
create index api_keys_by_project on api_keys (project_id, created_at, id);
create index api_keys_by_rotation on api_keys (rotated_from);
create index api_keys_by_directory_version on api_keys (directory_version);

-- Owner: src/areas/approval-page.

-- How a project's approval page looks, and which pages may show it inside of theirs. Sealed
-- (src/store/row-mac.ts): whoever frames the page can have its user press what he does not see.
create table approval_pages (
  project_id uuid primary key references projects (id),
  settings jsonb not null check (length(settings::text) <= 102400),
  updated_at timestamptz not null,
  mac text
);

-- Owner: src/areas/vault-directory.

-- Which API keys and issuers changed since when: the vault keeps a copy of them. Every change
-- takes the one row of vault_directory, so versions become visible in their order and none is
-- missed.
create table vault_directory (
  id int primary key check (id = 1),
  -- Another one for another database: the vault then starts its copy anew.
  epoch uuid not null,
  version bigint not null
);
insert into vault_directory (id, epoch, version) values (1, gen_random_uuid(), 0);

-- Issuers that were removed.
create table vault_directory_removals (
  version bigint primary key,
  issuer_id uuid not null
);

create function next_directory_version() returns bigint language sql as $$
  update vault_directory set version = version + 1 where id = 1 returning version
$$;

create function stamp_directory_version() returns trigger language plpgsql as $$
begin
  new.directory_version := next_directory_version();
  return new;
end
$$;

create function note_directory_removal() returns trigger language plpgsql as $$
begin
  insert into vault_directory_removals (version, issuer_id) values (next_directory_version(), old.id);
  return old;
end
$$;
create trigger api_keys_directory_version before insert or update on api_keys
  for each row execute function stamp_directory_version();
create trigger trusted_issuers_directory_version before insert or update on trusted_issuers
  for each row execute function stamp_directory_version();
create trigger trusted_issuers_directory_removal after delete on trusted_issuers
  for each row execute function note_directory_removal();
