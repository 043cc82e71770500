-- Owner: src/chains/solana/watcher. How far the chain is followed, and by whom. Times are the database's.
create table solana_watched_chains (
  chain         text primary key,
  first_used_at timestamptz not null default now(),
  -- First slot that is not read yet; null until the follower has chosen where to start. What is below is final, and told.
  next_slot     bigint,
  -- The last block that was read: the next one names its hash, so none is left out.
  last_slot     bigint,
  last_hash     text,
  -- Newest final slot that the node told of, and when it last answered.
  head_slot     bigint,
  polled_at     timestamptz,
  failure       text,
  failing_since timestamptz,
  lease_owner   text,
  lease_until   timestamptz,
  -- Grows with each new follower: a follower that lost its lease cannot write any more.
  fence         bigint not null default 0
);
