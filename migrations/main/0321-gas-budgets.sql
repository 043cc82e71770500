-- Owner: src/chains/evm/relay. What the operations of projects, and of owners of their wallets, may cost in a day, and did cost.

-- Written by the worker as receipts come; read by the worker and by purser gas.
create table evm_gas_spent (
  day        date not null,           -- UTC
  chain      text not null,
  project_id uuid not null,
  owner      text not null,           -- of the wallet; its address where it has none. Empty: all of the project
  spent_wei  numeric(78, 0) not null,
  primary key (day, chain, project_id, owner)
);

-- Written by purser gas alone, read by the worker; null and absent: the bound of the network.
create table evm_gas_budgets (
  project_id      uuid not null,
  chain           text not null,
  project_day_wei numeric(78, 0),
  owner_day_wei   numeric(78, 0),
  primary key (project_id, chain)
);

alter table evm_operations
  add column owner text not null default '',
  add column item_refusals int not null default 0,     -- transactions in which it was refused although it had run in simulation
  add column burned_wei numeric(78, 0) not null default 0;  -- what those cost

create index evm_treasury_calls_given on evm_treasury_calls (chain, created_at) where top_up_of is not null;
