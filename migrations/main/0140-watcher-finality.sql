-- Owner: src/chains/evm/watcher. Up to this height what was read has been told as final; null before the first time.
alter table evm_watched_chains add column final_height bigint;
