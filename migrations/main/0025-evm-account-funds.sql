-- Owner: src/chains/evm/account.

-- What of an account's native money is the service's is sealed.
alter table evm_paying_accounts
  add column id uuid not null unique default gen_random_uuid(),
  -- Grows by one with each change of the fund.
  add column version integer not null default 0,
  add column mac text;
