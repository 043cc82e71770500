-- Owner: src/chains/evm/account.

-- Which transaction ended it, `<executor> <nonce>`, within the seal: what says that its money is
-- in the books already, also after a reorganisation.
alter table evm_account_top_ups add ended_by text;
