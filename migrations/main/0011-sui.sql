-- Owner: src/chains/sui/relay. Amounts are in MIST, times the database's.

-- Coins of sponsors, one for each operation that is not finished: its version is what makes the
-- network execute the operation once at most.
create table sui_gas_coins (
  chain        text not null,
  object_id    text not null,
  sponsor      text not null,
  version      numeric(20, 0) not null,
  digest       text not null,
  mist         numeric(20, 0) not null,
  -- leased: of an operation that is prepared; used: of one that may be signed; moving: its
  -- version is to be read anew.
  status       text not null default 'free' check (status in ('free', 'leased', 'used', 'moving')),
  lease        uuid,
  wallet       text,
  project_id   uuid,
  lease_until  timestamptz,
  operation_id uuid,
  run_at       timestamptz not null default now(),  -- moving: since when
  primary key (chain, object_id)
);
create index sui_gas_coins_status on sui_gas_coins (chain, status);
create index sui_gas_coins_wallet on sui_gas_coins (chain, wallet) where status = 'leased';
create unique index sui_gas_coins_lease on sui_gas_coins (lease) where lease is not null;
create index sui_gas_coins_operation on sui_gas_coins (operation_id) where operation_id is not null;

-- Objects of wallets that a transaction takes which may be anywhere: two at a time with one
-- version may lock it until the epoch ends.
create table sui_object_leases (
  chain        text not null,
  object_id    text not null,
  operation_id uuid not null,
  primary key (chain, object_id)
);
create index sui_object_leases_operation on sui_object_leases (operation_id);

-- What a sponsor does with its own coins, one transaction at a time: stored before it is sent,
-- and there until it ended.
create table sui_own_transactions (
  chain      text not null,
  account    text not null,
  digest     text not null,
  raw        bytea not null,
  created_at timestamptz not null default now(),
  primary key (chain, account)
);
