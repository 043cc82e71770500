-- Owner: src/areas/wallets. No foreign key to projects: it would take a share lock on the project's row for every
-- wallet, and projects are never deleted while wallets exist.
create table wallets (
  id           uuid primary key,
  project_id   uuid not null,
  chain_type   text not null,
  type         text not null,
  address      text not null,
  address_key  text not null,   -- canonical address, for comparison
  owner        text,            -- as answered: '<kind>:<value>' or 'COMPANY'
  owner_key    text,            -- what makes a wallet unique: the normalised owner; 'COMPANY' for an alias without owner
  alias        text,
  admin_signer jsonb not null,
  setup        jsonb not null,  -- opaque value of the chain family
  created_at   timestamptz not null
);
create unique index wallets_address on wallets (address_key, project_id, chain_type);
create unique index wallets_owner on wallets (project_id, owner_key, chain_type, type, coalesce(alias, '')) where owner_key is not null;
