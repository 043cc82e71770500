-- Owner: src/chains.

-- A numeric column takes NaN as well, which no sum and no number of ours is: one such row would stop
-- every account, or every operation, of its chain.
alter table evm_paying_accounts add check (fund_wei <> 'NaN');
alter table evm_account_top_ups add check (value_wei <> 'NaN');
alter table evm_gas_budgets add check (project_day_wei <> 'NaN' and owner_day_wei <> 'NaN');
alter table evm_gas_spent add check (spent_wei <> 'NaN');
alter table evm_spending add check (spent_wei <> 'NaN');
alter table fee_budgets add check (project_day_minor <> 'NaN' and owner_day_minor <> 'NaN');
alter table fee_spent add check (minor <> 'NaN');
alter table fee_spending add check (minor <> 'NaN');
alter table operation_intents add check (cost_max <> 'NaN');
alter table solana_operations add check (cost_max <> 'NaN');
