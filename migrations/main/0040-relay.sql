-- Owner: src/chains/evm/relay. Times are the database's: leases and ages never depend on a process's clock.

-- An account that sends transactions on one chain. One leased writer; `fence` grows with every change of writer.
create table evm_accounts (
  chain       text not null,
  address     text not null,           -- lower case
  role        text not null check (role in ('executor', 'treasury')),
  next_nonce  bigint,                  -- null until read from the chain once
  lease_owner text,
  lease_until timestamptz not null default '1970-01-01Z',
  fence       bigint not null default 0,
  balance_wei numeric(78, 0),
  balance_at  timestamptz,
  alarm       text,                    -- why the account does not work at the moment; null when it does
  primary key (chain, address)
);

-- Signed operations on their way into a batch.
create table evm_operations (
  operation_id   uuid primary key,     -- the transaction's id
  project_id     uuid not null,
  chain          text not null,
  operation_hash text not null,
  wallet         text not null,
  valid_until    timestamptz not null, -- chain time
  gas_limit      bigint not null,      -- cap of the item
  batch_gas      bigint not null,      -- what it adds to the gas limit of a batch: cap, calldata, overhead
  item           bytea not null,       -- ABI-encoded Item
  status         text not null default 'queued' check (status in ('queued', 'sent', 'settled')),
  seq            bigint generated always as identity,
  created_at     timestamptz not null default now(),
  -- while queued
  run_at         timestamptz not null default now(),
  claim_token    uuid,
  claim_until    timestamptz not null default '1970-01-01Z',
  refusals       int not null default 0,   -- simulations in a row that refused it
  unknowns       int not null default 0,   -- simulations in a row with it that gave no answer
  tries          int not null default 0,   -- batches it was in that did not carry it
  -- while sent or settled
  send_id        bigint,
  item_index     int,
  gas_weight     bigint not null default 1,  -- simulated gas: its share of the batch's fee
  -- last outcome told
  told_status    text check (told_status in ('success', 'failed')),
  told_tx        text,
  last_tx        text,                 -- the last batch that landed without executing it
  settled_at     timestamptz
);
create index evm_operations_queue on evm_operations (chain, project_id, seq) where status = 'queued';
create index evm_operations_open on evm_operations (chain, valid_until) where status <> 'settled';
create index evm_operations_hash on evm_operations (chain, operation_hash);
create index evm_operations_send on evm_operations (send_id) where send_id is not null;

-- Transactions that the service itself wants from the treasury: top-ups, and calls of other parts. Idempotent by reference.
create table evm_treasury_calls (
  reference   text primary key,
  top_up_of   text,                    -- the executor, when it is a top-up
  chain       text not null,
  to_address  text not null,
  value_wei   numeric(78, 0) not null,
  data        bytea not null,
  gas_limit   bigint,                  -- null: estimated before sending
  status      text not null default 'queued' check (status in ('queued', 'sent', 'done', 'failed')),
  send_id     bigint,
  tx_hash     text,
  error       text,
  tries       int not null default 0,
  run_at      timestamptz not null default now(),
  created_at  timestamptz not null default now()
);
create index evm_treasury_calls_queue on evm_treasury_calls (chain, run_at) where status = 'queued';
create unique index evm_treasury_calls_top_up on evm_treasury_calls (chain, top_up_of) where top_up_of is not null and status in ('queued', 'sent');
create index evm_treasury_calls_send on evm_treasury_calls (send_id) where send_id is not null;

-- One used nonce of an account, and what became of it.
create table evm_sends (
  id           bigint generated always as identity primary key,
  chain        text not null,
  account      text not null,
  nonce        bigint not null,
  kind         text not null check (kind in ('batch', 'call', 'filler')),
  status       text not null default 'pending' check (status in ('pending', 'included', 'final', 'displaced')),
  cancelled    boolean not null default false,  -- a no-op of a higher price competes for the nonce
  bumps        int not null default 0,
  reserved_wei numeric(78, 0) not null,         -- the most that it can cost
  mined_hash   text,
  mined_block  bigint,
  mined_block_hash text,
  included_at  timestamptz,
  created_at   timestamptz not null default now(),
  unique (chain, account, nonce)
);
create index evm_sends_open on evm_sends (chain, account, nonce) where status in ('pending', 'included');
create index evm_sends_closed on evm_sends (created_at) where status in ('final', 'displaced');

-- Every signed transaction of a nonce, stored before its first broadcast. Any of them may be the one that lands.
create table evm_attempts (
  hash         text primary key,
  send_id      bigint not null references evm_sends (id) on delete cascade,
  filler       boolean not null,
  raw          bytea not null,
  max_fee_wei  numeric(78, 0) not null,
  tip_wei      numeric(78, 0) not null,
  created_at   timestamptz not null default now()
);
create index evm_attempts_send on evm_attempts (send_id);
