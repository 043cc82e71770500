-- Owner: src/chains/family/funding. Test tokens that the worker mints, which knows the key of the treasury: Solana's table, for every family. Test networks
-- only.
alter table solana_mints rename to test_mints;
alter table test_mints rename column mint to token;
alter table test_mints rename column signature to tx_id;
alter table test_mints rename column last_height to mark; -- what says when no block can have the bytes any more, in the family's words
alter table test_mints alter column mark type text;
alter table test_mints alter column amount_minor type numeric(40, 0);
