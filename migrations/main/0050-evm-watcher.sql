-- Owner: src/chains/evm/watcher. Which chains are followed, how far, and by whom.
create table evm_watched_chains (
  chain         text primary key,
  first_used_at timestamptz not null default now(),
  -- First block that is not read yet; null until the follower has chosen where to start.
  next_height   bigint,
  head_height   bigint,
  -- When the node last answered. A chain that is followed and has an old value here is an alarm.
  polled_at     timestamptz,
  failure       text,
  failing_since timestamptz,
  -- The last reorganisation that went deeper than the hashes kept, or a chain that was replaced.
  alarm         text,
  alarm_at      timestamptz,
  lease_owner   text,
  lease_until   timestamptz,
  -- Grows with each new follower: a follower that lost its lease cannot write any more.
  fence         bigint not null default 0
);

-- Hashes of the last blocks read, and of every 256th before them, to find where two histories part.
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
