-- Owner: src/chains/stellar.

-- Nonces of what wallets sign: the lower halves, which no two operations of a wallet share.
create table stellar_numbers (
  wallet text not null,
  stamp  text not null,  -- the upper half: the wallet's epoch, or a delegate's generation
  next   bigint not null,
  primary key (wallet, stamp)
);

-- Accounts of the service that send transactions. The network takes one of an account at a time,
-- so an operation has one to itself from its first transaction to its end.
create table stellar_channels (
  chain        text not null,
  address      text not null,
  operation_id uuid unique,
  wallet       text,  -- of the operation
  deploys      boolean not null default false,  -- its transaction makes the wallet
  leased_at    timestamptz,
  primary key (chain, address),
  check ((operation_id is null) = (wallet is null))
);
create unique index stellar_channels_deploys on stellar_channels (chain, wallet) where deploys;

-- Accounts of mpc wallets, and their trust lines, that the relay is making: one row while it
-- does, and where it could not until somebody asks again.
create table stellar_openings (
  chain        text not null,
  address      text not null,
  asset        text not null,  -- CODE:G…, or empty: the account alone
  operation_id uuid not null unique,
  failed       text,  -- why it could not be made
  asked_at     timestamptz not null default now(),
  primary key (chain, address, asset)
);
create index stellar_openings_failed on stellar_openings (asked_at) where failed is not null;
