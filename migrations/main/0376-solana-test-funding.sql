-- Owner: src/chains/solana/dev. Test tokens that the worker mints, which knows the key of the treasury. Test clusters only.
create table solana_mints (
  reference    text primary key,        -- one mint each, however often it is asked for
  chain        text not null,
  mint         text not null,
  recipient    text not null,
  amount_minor numeric(20, 0) not null,
  status       text not null default 'queued' check (status in ('queued', 'sent', 'done', 'failed')),
  created_at   timestamptz not null default now(),
  signature    text,
  raw          bytea,                   -- the signed bytes, stored before they are sent
  last_height  bigint,                  -- height of the last block that lets them in
  error        text,
  check (status <> 'sent' or raw is not null)
);
create index solana_mints_open on solana_mints (chain, created_at) where status in ('queued', 'sent');
