-- Owner: src/areas/treasury.

-- What orders send from their project's treasury. The id is the transaction's.
create table treasury_transfers (
  id             uuid primary key,
  -- The order of the lists.
  nr             bigint generated always as identity,
  project_id     uuid not null,
  wallet_id      uuid not null references wallets (id),
  -- Whose transfer it is, e.g. `order:<id>`.
  subject        text not null,
  chain          text not null,
  token_locator  text not null,
  token_address  text,  -- absent for the native token
  token_symbol   text,
  token_decimals smallint not null,
  amount_minor   numeric(78, 0) not null,
  recipient      text not null,
  status         text not null check (status in ('pending', 'success', 'final', 'failed')),
  tx_id          text,
  -- Where the chain executed it, and whether it moved anything; null while no block that was
  -- read has it.
  height         bigint,
  executed       boolean,
  error          jsonb,
  cost_minor     numeric(78, 0),  -- what it cost the service, in the native token
  created_at     timestamptz not null,
  settled_at     timestamptz,
  final_at       timestamptz,
  -- What it mints or sends of collections: no money, so the ledger has no account of it.
  collectible    boolean not null default false,
  token_id       text
);
create unique index treasury_transfers_page on treasury_transfers (project_id, nr);
create index treasury_transfers_subject on treasury_transfers (subject);
create index treasury_transfers_height on treasury_transfers (chain, height)
  where height is not null;
create index treasury_transfers_unfinished on treasury_transfers (chain, height)
  where status in ('pending', 'success');
-- For the walks of src/areas/reconciliation: what changed since.
create index treasury_transfers_compared
  on treasury_transfers (project_id, (coalesce(final_at, settled_at, created_at)), id);
create index treasury_transfers_counted on treasury_transfers (project_id, chain, height)
  where status = 'final';

-- Owner: src/areas/deposits.

-- One row for each movement of fungible or native money to a treasury.
create table deposits (
  id             uuid primary key,
  -- The order of the lists.
  nr             bigint generated always as identity,
  project_id     uuid not null,
  wallet_id      uuid not null references wallets (id),
  chain          text not null,
  token_locator  text not null,
  token_address  text,  -- absent for the native token
  token_symbol   text,  -- lower case; absent for a contract that may call itself what it likes
  token_decimals smallint not null,
  amount_minor   numeric(78, 0) not null,
  sender         text not null,  -- canonical
  recipient      text not null,  -- canonical
  memo           text,
  -- The movement's own id, the same however often it is seen.
  seen_id        text not null,
  tx_id          text not null,
  explorer_link  text,
  -- The transaction of this service that made it.
  transaction_id uuid,
  height         bigint not null,
  included_at    timestamptz not null,  -- time of the block
  seen_at        timestamptz not null,  -- ours, the first time
  status         text not null check (status in ('seen', 'final', 'retracted')),
  -- a reorganisation has taken it back although it was final
  was_final      boolean not null default false,
  final_at       timestamptz,
  order_id       uuid,
  -- How it ended where no order took it, and why, in the operator's words.
  resolution     text,
  note           text,
  resolved_at    timestamptz
);
create unique index deposits_seen_id on deposits (chain, seen_id);
create unique index deposits_page on deposits (project_id, nr);
create index deposits_order on deposits (order_id) where order_id is not null;
create index deposits_unmatched on deposits (project_id, nr)
  where order_id is null and resolution is null;
create index deposits_to_finalize on deposits (chain, height) where status = 'seen';
create index deposits_to_retract on deposits (chain, height) where status <> 'retracted';
create index deposits_tx on deposits (tx_id);
-- For the walks of src/areas/reconciliation: what changed since.
create index deposits_compared on deposits (project_id, (coalesce(final_at, seen_at)), id);
create index deposits_counted on deposits (project_id, chain, height) where status = 'final';

-- Money that the operator is about to put into a treasury: what fits is no payer's.
create table deposit_operator_funds (
  id            uuid primary key,
  chain         text not null,
  recipient     text not null,  -- canonical
  token_address text not null,  -- canonical
  amount_minor  numeric(78, 0) not null,
  created_at    timestamptz not null,
  deposit_id    uuid  -- once it has come
);
create index deposit_operator_funds_expected on deposit_operator_funds (chain, recipient)
  where deposit_id is null;
