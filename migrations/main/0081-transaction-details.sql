-- Owner: src/areas/transactions.
alter table transactions
  add column preview          jsonb,
  add column counterparties   jsonb,    -- of one that awaits approvals: who is screened again when the last one arrives
  add column usd_per_fee_unit numeric;  -- price of the smallest unit of the native token at creation
create index transactions_asked on transactions (wallet_id) where status = 'awaiting-approval';
