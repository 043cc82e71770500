-- Owner: src/chains/evm/relay. Times are the database's: leases and ages never depend on a process's
-- clock.

-- An account that sends transactions on one chain. One leased writer; `fence` grows with every
-- change of writer.
create table evm_accounts (
  chain       text not null,
  address     text not null,  -- lower case
  role        text not null check (role in ('executor', 'treasury')),
  next_nonce  bigint,  -- null until read from the chain once
  lease_owner text,
  lease_until timestamptz not null default '1970-01-01Z',
  fence       bigint not null default 0,
  balance_wei numeric(78, 0),
  balance_at  timestamptz,
  alarm       text,  -- why the account does not work at the moment; null when it does
  primary key (chain, address)
);

-- Signed operations on their way into a batch. `queued` is what can be claimed at once, and nothing
-- else, so that a claim never wades through operations that cannot: `held` is claimed (with a token)
-- or postponed (without), until `run_at`.
create table evm_operations (
  operation_id   uuid primary key,  -- the transaction's id
  project_id     uuid not null,
  chain          text not null,
  operation_hash text not null,
  wallet         text not null,
  valid_until    timestamptz not null,  -- chain time
  gas_limit      bigint not null,  -- cap of the item
  -- what it adds to the gas limit of a batch: cap, calldata, overhead
  batch_gas      bigint not null,
  item           bytea not null,  -- ABI-encoded Item
  status         text not null default 'queued'
    check (status in ('queued', 'held', 'sent', 'settled')),
  seq            bigint generated always as identity,
  created_at     timestamptz not null default now(),
  -- while queued or held
  run_at         timestamptz not null default now(),
  claim_token    uuid,
  refusals       int not null default 0,  -- simulations in a row that refused it
  unknowns       int not null default 0,  -- simulations in a row with it that gave no answer
  tries          int not null default 0,  -- batches it was in that did not carry it
  -- while sent or settled
  send_id        bigint,
  item_index     int,
  gas_weight     bigint not null default 1,  -- simulated gas: its share of the batch's fee
  -- last outcome told
  told_status    text check (told_status in ('success', 'failed')),
  told_tx        text,
  last_tx        text,  -- the last batch that landed without executing it
  settled_at     timestamptz,
  -- A withheld operation is not sent (again) until it is released: what it was to pay back, or
  -- to pay for, is not there. Few rows at a time, so whoever asks looks at those alone.
  withheld       boolean not null default false,
  owner          text not null default '',  -- whose gas budget it takes beside the project's
  -- transactions in which it was refused although it had run in simulation
  item_refusals  int not null default 0,
  burned_wei     numeric(78, 0) not null default 0,  -- what those cost
  -- What the key of an operation's account signed so that our code runs there (EIP-7702), for
  -- the case that it does not yet: the transaction count that it names, and r, s, v. Chain and
  -- contract are this row's and this program's.
  delegation_nonce bigint,
  delegation_signature bytea,
  subject text not null default 'transaction',  -- which area hears of its end
  -- What the relays send, and whose budget it takes, is sealed by who hands it over
  -- (src/store/row-mac.ts): whoever writes the database can neither add an operation on
  -- another's budget nor move one there.
  mac text,
  constraint evm_operations_delegation
    check ((delegation_nonce is null) = (delegation_signature is null))
);
create index evm_operations_queue on evm_operations (chain, project_id, seq)
  where status = 'queued';
create index evm_operations_open on evm_operations (chain, valid_until) where status <> 'settled';
create index evm_operations_hash on evm_operations (chain, operation_hash);
create index evm_operations_send on evm_operations (send_id) where send_id is not null;
-- Operations that ended without ever being in a transaction, for their deletion.
create index evm_operations_unsent on evm_operations (settled_at)
  where status = 'settled' and send_id is null;
create index evm_operations_held on evm_operations (chain, run_at) where status = 'held';
create index evm_operations_withheld on evm_operations (chain) where withheld;

-- Transactions that the service itself wants from the treasury: top-ups, and calls of other
-- parts. Idempotent by reference.
create table evm_treasury_calls (
  reference   text primary key,
  top_up_of   text,  -- the executor, when it is a top-up
  chain       text not null,
  to_address  text not null,
  value_wei   numeric(78, 0) not null,
  data        bytea not null,
  gas_limit   bigint,  -- null: estimated before sending
  status      text not null default 'queued' check (status in ('queued', 'sent', 'done', 'failed')),
  send_id     bigint,
  tx_hash     text,
  error       text,
  tries       int not null default 0,
  run_at      timestamptz not null default now(),
  created_at  timestamptz not null default now()
);
create index evm_treasury_calls_queue on evm_treasury_calls (chain, run_at) where status = 'queued';
create unique index evm_treasury_calls_top_up on evm_treasury_calls (chain, top_up_of)
  where top_up_of is not null and status in ('queued', 'sent');
create index evm_treasury_calls_send on evm_treasury_calls (send_id) where send_id is not null;
create index evm_treasury_calls_given on evm_treasury_calls (chain, created_at)
  where top_up_of is not null;

-- The API hands one thing to the treasury account: the mint of a test token, of the funding
-- endpoint that development and staging have. Anything else in its name would be money of the
-- service itself.
create function evm_treasury_calls_check_api() returns trigger language plpgsql as $$
begin
  if new.value_wei <> 0 or substring(new.data from 1 for 4) <> '\x40c10f19' or new.status <> 'queued' then
    raise exception 'the API asks the treasury for mints of a test token only' using errcode = '42501';
  end if;
  return new;
end
$$;
create trigger evm_treasury_calls_api before insert on evm_treasury_calls
  for each row when (current_user = 'purser_api') execute function evm_treasury_calls_check_api();

-- One used nonce of an account, and what became of it.
create table evm_sends (
  id           bigint generated always as identity primary key,
  chain        text not null,
  account      text not null,
  nonce        bigint not null,
  kind         text not null check (kind in ('batch', 'call', 'filler')),
  status       text not null default 'pending'
    check (status in ('pending', 'included', 'final', 'displaced')),
  cancelled    boolean not null default false,  -- a no-op of a higher price competes for the nonce
  bumps        int not null default 0,
  reserved_wei numeric(78, 0) not null,  -- the most that it can cost
  mined_hash   text,
  mined_block  bigint,
  mined_block_hash text,
  included_at  timestamptz,
  created_at   timestamptz not null default now(),
  unique (chain, account, nonce)
);
create index evm_sends_open on evm_sends (chain, account, nonce)
  where status in ('pending', 'included');
create index evm_sends_closed on evm_sends (created_at) where status in ('final', 'displaced');

-- Every signed transaction of a nonce, stored before its first broadcast. Any of them may be the
-- one that lands.
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

-- What nodes named as the usual tip, one look a minute while the relay works: no tip is far above
-- the middle of these. This table and the two below are the worker's alone.
create table evm_tips (
  chain   text not null,
  minute  timestamptz not null,
  tip_wei numeric(78, 0) not null,
  primary key (chain, minute)
);

-- What landed transactions cost, in steps of ten minutes.
create table evm_spending (
  chain     text not null,
  since     timestamptz not null,
  spent_wei numeric(78, 0) not null,
  primary key (chain, since)
);

-- Why a chain does not work as it should; repeated while it lasts.
create table evm_chain_alarms (
  chain  text not null,
  kind   text not null,
  alarm  text not null,
  until  timestamptz not null,
  primary key (chain, kind)
);

-- What the operations of projects, and of owners of their wallets, did cost in a day. Written by the
-- worker as receipts come; read by the worker and by purser gas.
create table evm_gas_spent (
  day        date not null,  -- UTC
  chain      text not null,
  project_id uuid not null,
  -- of the wallet; its address where it has none. Empty: all of the project
  owner      text not null,
  spent_wei  numeric(78, 0) not null,
  primary key (day, chain, project_id, owner)
);

-- What they may cost. Written by purser gas alone, read by the worker; null and absent: the bound of the network.
create table evm_gas_budgets (
  project_id      uuid not null,
  chain           text not null,
  project_day_wei numeric(78, 0),
  owner_day_wei   numeric(78, 0),
  primary key (project_id, chain)
);

-- Owner: src/chains/evm/watcher.

-- Which chains are followed, how far, and by whom.
create table evm_watched_chains (
  chain         text primary key,
  first_used_at timestamptz not null default now(),
  -- First block that is not read yet; null until the follower has chosen where to start.
  next_height   bigint,
  head_height   bigint,
  -- When the node last answered. A chain that is followed and has an old value here is an
  -- alarm.
  polled_at     timestamptz,
  failure       text,
  failing_since timestamptz,
  -- The last reorganisation that went deeper than the hashes kept, or a chain that was
  -- replaced.
  alarm         text,
  alarm_at      timestamptz,
  lease_owner   text,
  lease_until   timestamptz,
  -- Grows with each new follower: a follower that lost its lease cannot write any more.
  fence         bigint not null default 0,
  -- Up to this height what was read has been told as final; null before the first time.
  final_height  bigint
);

-- Hashes of the last blocks read, and of every 256th before them, to find where two histories
-- part.
create table evm_watched_blocks (
  chain  text not null,
  height bigint not null,
  hash   text not null,
  primary key (chain, height)
);

-- Tokens that are followed besides those of the network's own list.
create table evm_watched_tokens (
  chain    text not null,
  address  text not null,
  symbol   text,
  name     text,
  decimals smallint not null,
  primary key (chain, address)
);
