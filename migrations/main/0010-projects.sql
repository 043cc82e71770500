-- Owner: src/areas/projects.
create table projects (
  id uuid primary key,
  name text not null,
  created_at timestamptz not null
);

create index projects_by_age on projects (created_at, id);

-- Who may vouch for a project's end users. Either an address of a key set or the key set itself; one pinned algorithm.
create table trusted_issuers (
  id uuid primary key,
  project_id uuid not null references projects (id),
  issuer text not null,
  audiences text[] not null,
  algorithm text not null check (algorithm in ('RS256', 'ES256', 'EdDSA')),
  jwks_url text,
  jwks jsonb,
  created_at timestamptz not null,
  check ((jwks_url is null) <> (jwks is null)),
  unique (project_id, issuer)
);
