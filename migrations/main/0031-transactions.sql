-- Owner: src/areas/transactions.
create table transactions (
  id            uuid primary key,
  project_id    uuid not null,
  wallet_id     uuid not null references wallets (id),
  chain_type    text not null,
  wallet_type   text not null,
  chain         text not null,
  status        text not null check (status in ('awaiting-approval', 'pending', 'success', 'failed')),
  params        jsonb not null,
  operation     jsonb not null,  -- opaque value of the chain family
  on_chain      jsonb not null,
  approvals     jsonb not null,
  send_params   jsonb,
  token_locator text,            -- of a transfer, as sent
  fees          jsonb not null,
  error         jsonb,
  created_at    timestamptz not null,
  completed_at  timestamptz,
  valid_until   timestamptz not null
);
create index transactions_wallet on transactions (wallet_id, created_at desc, id desc);
create index transactions_waiting on transactions (valid_until) where status = 'awaiting-approval';
