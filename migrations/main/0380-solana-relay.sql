-- Owner: src/chains/solana/relay. Times are the database's: leases and ages never depend on a process's clock.

-- Durable nonces of the service. An operation is bound to one when it is prepared; nobody else gets it before it has advanced on the chain.
-- `made`: being created; `free`; `leased`: bound to an operation that may still be submitted, nothing is signed with it;
-- `used`: the fee payer signs with it; `moving`: its value on the chain is to be read before anybody gets it.
create table solana_nonces (
  address      text primary key,
  chain        text not null,
  fee_payer    text not null,           -- its authority, and who pays where it is used
  seed         text not null,           -- the address follows from fee payer and seed
  value        text,                    -- null until the chain has it
  status       text not null default 'made' check (status in ('made', 'free', 'leased', 'used', 'moving')),
  lease        uuid,
  wallet       text,
  lease_until  timestamptz,
  operation_id uuid unique,
  run_at       timestamptz not null default now(),
  created_at   timestamptz not null default now(),
  unique (chain, fee_payer, seed),
  check ((status = 'used') = (operation_id is not null)),
  check (status <> 'free' or value is not null)
);
create index solana_nonces_free on solana_nonces (chain) where status = 'free';
create index solana_nonces_leases on solana_nonces (chain, wallet) where status = 'leased';
create unique index solana_nonces_lease on solana_nonces (lease) where lease is not null;
create index solana_nonces_due on solana_nonces (chain, run_at) where status in ('made', 'leased', 'moving');

-- Approved operations. `queued`: nothing is signed by the fee payer; `sent`: the signed bytes are stored, and may be anywhere.
create table solana_operations (
  operation_id uuid primary key,         -- the transaction's id
  project_id   uuid not null,
  owner        text not null,            -- whose budget it takes beside the project's
  chain        text not null,
  wallet       text not null,
  lease        uuid not null,            -- of its nonce
  message      bytea not null,           -- what is signed
  signatures   jsonb not null,           -- by address, base58
  cost_max     numeric(20, 0) not null,  -- lamports
  valid_until  timestamptz not null,
  status       text not null default 'queued' check (status in ('queued', 'sent', 'settled')),
  withheld     boolean not null default false,
  created_at   timestamptz not null default now(),
  run_at       timestamptz not null default now(),
  claim_token  uuid,
  claim_until  timestamptz not null default '1970-01-01Z',
  refusals     int not null default 0,   -- simulations in a row that refused it
  signature    text,                     -- the transaction's id, once signed
  raw          bytea,                    -- the signed bytes
  sent_at      timestamptz,
  misses       int not null default 0,   -- looks at which its nonce had moved and nobody knew it
  told_status  text check (told_status in ('success', 'failed')),
  settled_at   timestamptz,
  check (status = 'queued' or raw is not null or status = 'settled')
);
create index solana_operations_due on solana_operations (chain, run_at) where status <> 'settled';
create index solana_operations_lease on solana_operations (lease) where status <> 'settled';
create index solana_operations_signature on solana_operations (signature) where signature is not null;
create index solana_operations_settled on solana_operations (settled_at) where status = 'settled';

-- Who looks after the nonces and accounts of a chain: one process at a time.
create table solana_keepers (
  chain      text primary key,
  token      uuid,
  held_until timestamptz not null default '1970-01-01Z'
);

-- Accounts that pay the fees, as last seen.
create table solana_fee_payers (
  chain      text not null,
  address    text not null,
  role       text not null check (role in ('fee-payer', 'treasury')),
  lamports   numeric(20, 0),
  alarm      text,
  seen_at    timestamptz not null default now(), -- by a worker that has its key
  primary key (chain, address)
);

-- What the operations of a project, and of one owner, cost in a day (UTC). Owner empty: all of the project.
create table solana_spent (
  day        date not null,
  chain      text not null,
  project_id uuid not null,
  owner      text not null,
  lamports   numeric(20, 0) not null,
  primary key (day, chain, project_id, owner)
);

-- What the fee payers spent, whatever for, in steps of ten minutes.
create table solana_spending (
  chain    text not null,
  since    timestamptz not null,
  lamports numeric(20, 0) not null,
  primary key (chain, since)
);

-- Written by operators alone; null and absent: the bound of the network.
create table solana_budgets (
  project_id           uuid not null,
  chain                text not null,
  project_day_lamports numeric(20, 0),
  owner_day_lamports   numeric(20, 0),
  primary key (project_id, chain)
);
