-- Owner: src/areas/deposits. One row for each movement of fungible or native money to a treasury.
create table deposits (
  id             uuid primary key,
  -- The order of the lists.
  nr             bigint generated always as identity,
  project_id     uuid not null,
  wallet_id      uuid not null references wallets (id),
  chain          text not null,
  token_locator  text not null,
  token_address  text,            -- absent for the native token
  token_symbol   text,            -- lower case; absent for a contract that may call itself what it likes
  token_decimals smallint not null,
  amount_minor   numeric(78, 0) not null,
  sender         text not null,   -- canonical
  recipient      text not null,   -- canonical
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
  was_final      boolean not null default false,  -- a reorganisation has taken it back although it was final
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
create index deposits_unmatched on deposits (project_id, nr) where order_id is null and resolution is null;
create index deposits_to_finalize on deposits (chain, height) where status = 'seen';
create index deposits_to_retract on deposits (chain, height) where status <> 'retracted';
create index deposits_tx on deposits (tx_id);

-- Owner: src/areas/deposits. Money that the operator is about to put into a treasury: what fits is no payer's.
create table deposit_operator_funds (
  id            uuid primary key,
  chain         text not null,
  recipient     text not null,   -- canonical
  token_address text not null,   -- canonical
  amount_minor  numeric(78, 0) not null,
  created_at    timestamptz not null,
  deposit_id    uuid             -- once it has come
);
create index deposit_operator_funds_expected on deposit_operator_funds (chain, recipient) where deposit_id is null;
