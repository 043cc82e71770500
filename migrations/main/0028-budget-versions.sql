-- Owner: src/chains.

-- When the operator set it, in milliseconds, under its seal: a process that has seen a later one
-- notices an earlier one that was put back. Null: set before there was one.
alter table evm_gas_budgets add column version bigint;
alter table fee_budgets add column version bigint;
