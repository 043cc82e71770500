-- Owner: src/chains/evm/relay; only the worker reads and writes it. What gas costs, and what it usually costs.

-- What nodes named as the usual tip, one look a minute while the relay works. No tip is far above the middle of these.
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
