-- Owner: src/vault, as on the main side. What tokens of an issuer may say, and since when those of a user count.
alter table trusted_issuers add column rules jsonb not null default
  '{"namespace": "", "vouchesForEmail": true, "types": ["jwt", "at+jwt"], "ageMaxSeconds": 2592000}';
alter table trusted_issuers alter column rules drop default;

create table sign_outs (
  project_id uuid not null,
  -- Keyed hash of the user's locator.
  user_hash bytea not null,
  not_before timestamptz not null,
  machine_not_before timestamptz not null,
  primary key (project_id, user_hash)
);
