-- Owner: src/chains.

-- As 0030, of the rest: no amount, sum, price or number of ours is NaN, which a numeric column takes,
-- and which would stop claims, sums and the reading of rows. Those without a precision take infinity
-- as well.
alter table agent_checkout_cards add check (limit_minor <> 'NaN');
alter table deposit_operator_funds add check (amount_minor <> 'NaN');
alter table deposits add check (amount_minor <> 'NaN');
alter table evm_account_attempts add check (cost_wei <> 'NaN');
alter table evm_accounts add check (balance_wei <> 'NaN');
alter table evm_attempts add check (max_fee_wei <> 'NaN' and tip_wei <> 'NaN');
alter table evm_operations add check (burned_wei <> 'NaN');
alter table evm_sends add check (reserved_wei <> 'NaN');
alter table evm_tips add check (tip_wei <> 'NaN');
alter table evm_treasury_calls add check (value_wei <> 'NaN');
alter table fee_accounts add check (minor <> 'NaN');
alter table fee_top_ups_given add check (minor <> 'NaN');
alter table ledger_checkpoints add check (posted_minor <> 'NaN' and pending_minor <> 'NaN');
alter table ledger_order_balances add check (posted_minor <> 'NaN' and pending_minor <> 'NaN');
alter table ledger_postings add check (posted_minor <> 'NaN' and pending_minor <> 'NaN');
alter table order_disputes add check (amount_minor <> 'NaN');
alter table order_limit_usage add check (used_cents <> 'NaN');
alter table order_limit_uses add check (cents <> 'NaN');
alter table order_refunds add check (amount_minor <> 'NaN');
alter table reconciliation_differences add check (expected_minor <> 'NaN' and found_minor <> 'NaN');
alter table solana_numbers add check (next <> 'NaN');
alter table sui_gas_coins add check (version <> 'NaN' and mist <> 'NaN');
alter table transactions add check (usd_per_fee_unit not in ('NaN', 'Infinity', '-Infinity'));
alter table treasury_transfers add check (amount_minor <> 'NaN' and cost_minor <> 'NaN');
alter table wallet_transfers add check (amount_minor <> 'NaN');
