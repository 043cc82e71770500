-- Owner: src/areas/treasury. What orders send from their project's treasury. The id is the transaction's.
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
  token_address  text,            -- absent for the native token
  token_symbol   text,
  token_decimals smallint not null,
  amount_minor   numeric(78, 0) not null,
  recipient      text not null,
  status         text not null check (status in ('pending', 'success', 'final', 'failed')),
  tx_id          text,
  -- Where the chain executed it, and whether it moved anything; null while no block that was read has it.
  height         bigint,
  executed       boolean,
  error          jsonb,
  cost_minor     numeric(78, 0),  -- what it cost the service, in the native token
  created_at     timestamptz not null,
  settled_at     timestamptz,
  final_at       timestamptz
);
create unique index treasury_transfers_page on treasury_transfers (project_id, nr);
create index treasury_transfers_subject on treasury_transfers (subject);
create index treasury_transfers_height on treasury_transfers (chain, height) where height is not null;
create index treasury_transfers_unfinished on treasury_transfers (chain, height) where status in ('pending', 'success');
