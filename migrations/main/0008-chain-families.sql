-- Owner: src/chains/family/following.

-- How far chains are followed whose final history never changes, and by whom. A height is a slot, a
-- checkpoint, a version or a ledger. Times are the database's.
create table followed_chains (
  chain         text primary key,
  first_used_at timestamptz not null default now(),
  -- The first that is not read yet; null until the follower has chosen where to start. What is below
  -- is final, and told.
  next_height   bigint,
  -- The last that was read: the next one names its hash, so none is left out.
  last_height   bigint,
  last_hash     text,
  -- The newest final one that the node told of, and when it last answered.
  head_height   bigint,
  polled_at     timestamptz,
  failure       text,
  failing_since timestamptz,
  lease_owner   text,
  lease_until   timestamptz,
  -- Grows with each new follower: a follower that lost its lease cannot write any more.
  fence         bigint not null default 0
);

-- Owner: src/chains/family/late.

-- Operations that custody alone approves, of chains where what is signed cannot be known before
-- it is sent. Times are the database's. `queued`: nothing is signed; `sent`: the signed bytes
-- are stored, and may be anywhere.
create table operation_intents (
  operation_id uuid primary key,  -- the transaction's id
  subject      text not null,
  project_id   uuid not null,
  owner        text not null,  -- whose fee budget it takes beside the project's
  chain        text not null,
  wallet_id    uuid not null,  -- whose key signs
  operation    jsonb not null,  -- the family's own
  cost_max     numeric(40, 0) not null,  -- in the smallest unit of the native token
  valid_until  timestamptz not null,  -- nothing is signed for it afterwards
  mac          text not null,
  status       text not null default 'queued' check (status in ('queued', 'sent', 'settled')),
  withheld     boolean not null default false,
  created_at   timestamptz not null default now(),
  run_at       timestamptz not null default now(),
  claim_token  uuid,
  claim_until  timestamptz not null default '1970-01-01Z',
  refusals     int not null default 0,  -- times that it could not be built, signed or found
  tx_id        text,
  raw          bytea,  -- the signed bytes
  sent_at      timestamptz,
  told_status  text check (told_status in ('success', 'failed')),
  settled_at   timestamptz,
  check (status <> 'sent' or (raw is not null and tx_id is not null))
);
create index operation_intents_due on operation_intents (chain, run_at) where status <> 'settled';
create index operation_intents_tx_id on operation_intents (chain, tx_id) where tx_id is not null;
create index operation_intents_settled on operation_intents (settled_at) where status = 'settled';

-- Owner: src/chains/family/spending. Every family but evm, which counts gas: amounts are in the
-- smallest unit of the chain's native token.

-- Accounts that pay the fees, as last seen.
create table fee_accounts (
  chain      text not null,
  address    text not null,
  role       text not null check (role in ('fee-payer', 'treasury')),
  minor      numeric(40, 0),
  alarm      text,
  seen_at    timestamptz not null default now(),  -- by a worker that has its key
  primary key (chain, address)
);

-- What the operations of a project, and of one owner, cost in a day (UTC). Owner empty: all of
-- the project.
create table fee_spent (
  day        date not null,
  chain      text not null,
  project_id uuid not null,
  owner      text not null,
  minor      numeric(40, 0) not null,
  primary key (day, chain, project_id, owner)
);

-- What the fee payers spent, whatever for, in steps of ten minutes.
create table fee_spending (
  chain    text not null,
  since    timestamptz not null,
  minor    numeric(40, 0) not null,
  primary key (chain, since)
);

-- Written by operators alone; null and absent: the bound of the network.
create table fee_budgets (
  project_id           uuid not null,
  chain                text not null,
  project_day_minor    numeric(40, 0),
  owner_day_minor      numeric(40, 0),
  primary key (project_id, chain)
);

-- What a treasury sends to fee payers, one transaction of a chain at a time: stored before it is
-- sent, and there until it is final or no block can have it any more.
create table fee_top_ups (
  chain       text primary key,
  tx_id       text not null,
  raw         bytea not null,
  -- what says when no block can have the bytes any more, in the family's words
  mark        text not null,
  created_at  timestamptz not null default now()
);

-- What the treasury gave to fee payers, remembered before it is sent: no more than a ceiling in
-- 24 hours.
create table fee_top_ups_given (
  id         uuid primary key,
  chain      text not null,
  minor      numeric(40, 0) not null,
  created_at timestamptz not null default now()
);
create index fee_top_ups_given_day on fee_top_ups_given (chain, created_at);

-- Owner: src/chains/family/funding.

-- Test tokens that the worker mints, which knows the key of the treasury. Test networks only.
create table test_mints (
  reference    text primary key,  -- one mint each, however often it is asked for
  chain        text not null,
  token        text not null,
  recipient    text not null,
  amount_minor numeric(40, 0) not null,
  status       text not null default 'queued'
    check (status in ('queued', 'sent', 'done', 'failed')),
  created_at   timestamptz not null default now(),
  tx_id        text,
  raw          bytea,  -- the signed bytes, stored before they are sent
  mark         text,  -- what says when no block can have the bytes any more, in the family's words
  error        text,
  check (status <> 'sent' or raw is not null)
);
create index test_mints_open on test_mints (chain, created_at) where status in ('queued', 'sent');
