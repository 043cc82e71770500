-- Owner: src/vault (directory).

-- The vault's own copy of who may call: keys by the SHA-256 of their secret part, and the
-- issuers of end-user JWTs. The worker of the main side writes it
-- (docs/decisions/0009-vault.md).
create table api_keys (
  id uuid primary key,
  project_id uuid not null,
  kind text not null check (kind in ('server', 'client')),
  name text not null,
  secret_hash bytea not null unique,
  hint text not null,
  scopes text[] not null,
  allowed_origins text[] not null,
  allowed_app_ids text[] not null,
  allowed_extension_ids text[] not null,
  created_at timestamptz not null,
  revoked_at timestamptz,
  rotated_from uuid,
  -- Empty: the main side seals its keys and issuers and sends none that does not fit; the copy
  -- carries no seal.
  mac text
);

create table trusted_issuers (
  id uuid primary key,
  project_id uuid not null,
  issuer text not null,
  audiences text[] not null,
  algorithm text not null check (algorithm in ('RS256', 'ES256', 'EdDSA')),
  jwks_url text,
  jwks jsonb,
  created_at timestamptz not null,
  -- What tokens of the issuer may say.
  rules jsonb not null,
  mac text,
  check ((jwks_url is null) <> (jwks is null)),
  unique (project_id, issuer)
);

-- Since when tokens of a user count, as on the main side.
create table sign_outs (
  project_id uuid not null,
  -- Keyed hash of the user's locator.
  user_hash bytea not null,
  not_before timestamptz not null,
  machine_not_before timestamptz not null,
  primary key (project_id, user_hash)
);

-- Up to which version of which main database the copy reaches, and when the main side last said
-- that it is complete.
create table directory_state (
  id int primary key check (id = 1),
  epoch uuid,
  version bigint not null,
  confirmed_at timestamptz
);
insert into directory_state (id, epoch, version) values (1, null, 0);
