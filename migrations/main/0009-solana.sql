-- Owner: src/chains/solana/relay. Times are the database's: leases and ages never depend on a
-- process's clock.

-- Durable nonces of the service. An operation is bound to one when it is prepared; nobody else
-- gets it before it has advanced on the chain. `made`: being created; `free`; `leased`: bound to
-- an operation that may still be submitted, nothing is signed with it; `used`: the fee payer
-- signs with it; `moving`: its value on the chain is to be read before anybody gets it.
create table solana_nonces (
  address      text primary key,
  chain        text not null,
  fee_payer    text not null,  -- its authority, and who pays where it is used
  seed         text not null,  -- the address follows from fee payer and seed
  value        text,  -- null until the chain has it
  status       text not null default 'made'
    check (status in ('made', 'free', 'leased', 'used', 'moving')),
  lease        uuid,
  wallet       text,
  lease_until  timestamptz,
  operation_id uuid unique,
  run_at       timestamptz not null default now(),
  created_at   timestamptz not null default now(),
  -- Whose project has bound a nonce: projects share them before wallets do.
  project_id   uuid,
  unique (chain, fee_payer, seed),
  check ((status = 'used') = (operation_id is not null)),
  check (status <> 'free' or value is not null)
);
create index solana_nonces_free on solana_nonces (chain) where status = 'free';
create index solana_nonces_leases on solana_nonces (chain, wallet) where status = 'leased';
create unique index solana_nonces_lease on solana_nonces (lease) where lease is not null;
create index solana_nonces_due on solana_nonces (chain, run_at)
  where status in ('made', 'leased', 'moving');

-- Approved operations. `queued`: nothing is signed by the fee payer; `sent`: the signed bytes
-- are stored, and may be anywhere.
create table solana_operations (
  operation_id uuid primary key,  -- the transaction's id
  project_id   uuid not null,
  owner        text not null,  -- whose budget it takes beside the project's
  chain        text not null,
  wallet       text not null,
  lease        uuid not null,  -- of its nonce
  message      bytea not null,  -- what is signed
  signatures   jsonb not null,  -- by address, base58
  cost_max     numeric(20, 0) not null,  -- lamports
  valid_until  timestamptz not null,
  status       text not null default 'queued' check (status in ('queued', 'sent', 'settled')),
  withheld     boolean not null default false,
  created_at   timestamptz not null default now(),
  run_at       timestamptz not null default now(),
  claim_token  uuid,
  claim_until  timestamptz not null default '1970-01-01Z',
  refusals     int not null default 0,  -- simulations in a row that refused it
  signature    text,  -- the transaction's id, once signed
  raw          bytea,  -- the signed bytes
  sent_at      timestamptz,
  misses       int not null default 0,  -- looks at which its nonce had moved and nobody knew it
  told_status  text check (told_status in ('success', 'failed')),
  settled_at   timestamptz,
  subject      text not null default 'transaction',  -- which area hears of its end
  mac          text,  -- as of evm_operations
  check (status = 'queued' or raw is not null or status = 'settled')
);
create index solana_operations_due on solana_operations (chain, run_at) where status <> 'settled';
create index solana_operations_lease on solana_operations (lease) where status <> 'settled';
create index solana_operations_signature on solana_operations (signature)
  where signature is not null;
create index solana_operations_settled on solana_operations (settled_at) where status = 'settled';

-- What the fee payer has signed, or was told as failed, is of one operation for ever: whoever
-- writes the same into the queue under another id, with another nonce or a later end, gets
-- nothing signed.
create table solana_messages (
  digest       bytea primary key,  -- of what the signers approved
  operation_id uuid not null,
  created_at   timestamptz not null default now()
);
create index solana_messages_age on solana_messages (created_at);

-- Who looks after the nonces and accounts of a chain: one process at a time.
create table solana_keepers (
  chain      text primary key,
  token      uuid,
  held_until timestamptz not null default '1970-01-01Z'
);

-- Owner: src/chains/solana/wallet.

-- Numbers of operations that P-256 keys approve (the wallet program takes each once): the next
-- that nobody has.
create table solana_numbers (
  wallet text not null,
  signer text not null,  -- the admin, or a delegate's key
  next   numeric(20, 0) not null,
  primary key (wallet, signer)
);
