-- Owner: src/chains/solana/relay. What a treasury sends to fee payers, one transaction of a chain at a time: stored before it is sent, and
-- there until it is final or no block can have it any more.
create table solana_top_ups (
  chain       text primary key,
  signature   text not null,
  raw         bytea not null,
  last_height numeric(20, 0) not null, -- of the last block that lets it in
  created_at  timestamptz not null default now()
);
