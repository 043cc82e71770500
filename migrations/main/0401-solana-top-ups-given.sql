-- Owner: src/chains/solana/relay. What the treasury gave to fee payers, remembered before it is sent: no more than a ceiling in 24 hours.
create table solana_top_ups_given (
  id         uuid primary key,
  chain      text not null,
  lamports   numeric(20, 0) not null,
  created_at timestamptz not null default now()
);
create index solana_top_ups_given_day on solana_top_ups_given (chain, created_at);
