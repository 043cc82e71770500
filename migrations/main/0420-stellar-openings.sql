-- Owner: src/chains/stellar. Accounts of mpc wallets, and their trust lines, that the relay is making: one row while it does, and where it
-- could not until somebody asks again.
create table stellar_openings (
  chain        text not null,
  address      text not null,
  asset        text not null, -- CODE:G…, or empty: the account alone
  operation_id uuid not null unique,
  failed       text,          -- why it could not be made
  asked_at     timestamptz not null default now(),
  primary key (chain, address, asset)
);
create index stellar_openings_failed on stellar_openings (asked_at) where failed is not null;
