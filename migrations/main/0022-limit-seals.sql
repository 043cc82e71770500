-- Owner: src/areas/order-limits.

-- Counters of limits and what each order took of them are sealed (docs/decisions/0034-authority.md)
-- and begin anew.
truncate order_limit_usage, order_limit_uses;

alter table order_limit_usage
  drop constraint order_limit_usage_pkey,
  add constraint order_limit_usage_key unique (project_id, subject, period),
  add column id uuid primary key default gen_random_uuid(),
  -- Grows by one with each change.
  add column version integer not null default 0,
  -- One bit for each version: what was taken then was given back.
  add column returned bytea not null default '',
  add column mac text;

alter table order_limit_uses
  drop constraint order_limit_uses_pkey,
  add constraint order_limit_uses_key unique (order_id, subject, period),
  add column id uuid primary key,
  -- Of the counter, after it was taken.
  add column version integer not null,
  add column mac text;

-- Owner: src/areas/orders.

alter table order_settings add column mac text;

-- Owner: src/chains.

alter table evm_gas_budgets
  drop constraint evm_gas_budgets_pkey,
  add constraint evm_gas_budgets_key unique (project_id, chain),
  add column id uuid primary key default gen_random_uuid(),
  add column mac text;

alter table fee_budgets
  drop constraint fee_budgets_pkey,
  add constraint fee_budgets_key unique (project_id, chain),
  add column id uuid primary key default gen_random_uuid(),
  add column mac text;
