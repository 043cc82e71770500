-- Owner: src/chains/family/following. How far chains are followed whose final history never changes, and by whom. What was Solana's alone
-- is every family's: a height is a slot, a checkpoint, a version or a ledger, and the hash that of what was read last.
alter table solana_watched_chains rename to followed_chains;
alter table followed_chains rename column next_slot to next_height;
alter table followed_chains rename column last_slot to last_height;
alter table followed_chains rename column head_slot to head_height;
