-- Owner: src/chains/evm/account. Accounts of mpc wallets that send by themselves, on networks
-- without EIP-7702.

-- Operations that have not ended, each with the one nonce that it may use.
create table evm_account_operations (
  operation_id uuid primary key,
  chain        text not null,
  address      text not null,
  nonce        bigint not null,
  unique (chain, address, nonce)
);

-- What of the account's native money is the service's, and how far its nonces are used.
create table evm_paying_accounts (
  chain      text not null,
  address    text not null,
  fund_wei   numeric(78, 0) not null default 0,
  used_nonce bigint not null default 0,  -- one more than the highest that was seen used
  primary key (chain, address)
);

-- Every transaction that the account's key has signed, stored before it is sent. Any of a nonce may
-- be the one that lands.
create table evm_account_attempts (
  hash         text primary key,
  chain        text not null,
  address      text not null,
  nonce        bigint not null,
  operation_id uuid not null,
  filler       boolean not null,  -- a no-op that only uses the nonce up
  raw          bytea not null,
  cost_wei     numeric(78, 0),  -- by its receipt; null: not seen in a block
  created_at   timestamptz not null default now()
);
create index evm_account_attempts_nonce on evm_account_attempts (chain, address, nonce);
create index evm_account_attempts_age on evm_account_attempts (created_at);

-- Native money that an executor gives an account for the gas of one operation.
create table evm_account_top_ups (
  id           uuid primary key,
  operation_id uuid not null,
  project_id   uuid not null,
  owner        text not null,  -- whose gas budget it takes beside the project's
  chain        text not null,
  address      text not null,
  value_wei    numeric(78, 0) not null,
  mac          text not null,
  status       text not null default 'queued' check (status in ('queued', 'sent', 'done', 'failed')),
  send_id      bigint,
  created_at   timestamptz not null default now()
);
create unique index evm_account_top_ups_open on evm_account_top_ups (chain, address)
  where status in ('queued', 'sent');
create index evm_account_top_ups_given on evm_account_top_ups (chain, created_at);
create index evm_account_top_ups_operation on evm_account_top_ups (operation_id);
create index evm_account_top_ups_send on evm_account_top_ups (send_id) where send_id is not null;
