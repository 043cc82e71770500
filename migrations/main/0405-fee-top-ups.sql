-- Owner: src/chains/family/spending. What treasuries give to the accounts that pay fees: Solana's tables, for every family but evm.
alter table solana_top_ups rename to fee_top_ups;
alter table fee_top_ups rename column signature to tx_id;
alter table fee_top_ups rename column last_height to mark; -- what says when no block can have the bytes any more, in the family's words
alter table fee_top_ups alter column mark type text;
alter table solana_top_ups_given rename to fee_top_ups_given;
alter table fee_top_ups_given rename column lamports to minor;
alter table fee_top_ups_given alter column minor type numeric(40, 0);
