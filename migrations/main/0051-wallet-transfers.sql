-- Owner: src/areas/activity. One row for each side of a movement that is a wallet of ours.
create table wallet_transfers (
  id             uuid primary key,
  -- The order of what happened in the same second.
  nr             bigint generated always as identity,
  wallet_id      uuid not null references wallets (id),
  direction      text not null check (direction in ('in', 'out')),
  -- The movement's own id, the same however often it is seen: a movement is announced once per wallet and direction.
  seen_id        text not null,
  status         text not null check (status in ('succeeded', 'failed')),
  chain          text not null,
  token_locator  text not null,
  token_address  text,
  token_key      text,   -- canonical address, for comparison; null for the native token
  token_symbol   text,   -- lower case
  token_decimals smallint not null,
  amount_minor   numeric(78, 0) not null,
  sender         text not null,
  recipient      text not null,
  tx_id          text,
  explorer_link  text,
  -- The transaction of this service that made it.
  transaction_id uuid,
  error          jsonb,
  -- Height of the block; null for what never reached a chain.
  height         bigint,
  completed_at   timestamptz not null,
  -- Set while a reorganisation has removed it; it comes back under the same id when it is included again.
  retracted      boolean not null default false
);
create unique index wallet_transfers_seen on wallet_transfers (wallet_id, seen_id, direction);
create index wallet_transfers_page on wallet_transfers (wallet_id, chain, status, completed_at, nr) where not retracted;
create index wallet_transfers_height on wallet_transfers (chain, height) where not retracted;
create index wallet_transfers_failed on wallet_transfers (transaction_id) where status = 'failed';
