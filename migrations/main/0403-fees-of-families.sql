-- Owner: src/chains/family/spending. What was Solana's alone is every family's whose relay pays fees: amounts are in the smallest unit of the
-- chain's native token. evm counts gas, with tables of its own.
alter table solana_spent rename to fee_spent;
alter table fee_spent rename column lamports to minor;
alter table fee_spent alter column minor type numeric(40, 0);
alter table solana_spending rename to fee_spending;
alter table fee_spending rename column lamports to minor;
alter table fee_spending alter column minor type numeric(40, 0);
alter table solana_budgets rename to fee_budgets;
alter table fee_budgets rename column project_day_lamports to project_day_minor;
alter table fee_budgets rename column owner_day_lamports to owner_day_minor;
alter table fee_budgets alter column project_day_minor type numeric(40, 0);
alter table fee_budgets alter column owner_day_minor type numeric(40, 0);
alter table solana_fee_payers rename to fee_accounts;
alter table fee_accounts rename column lamports to minor;
alter table fee_accounts alter column minor type numeric(40, 0);
