-- Owner: src/http. The vault's answers end with the key of their user; the column is the main side's.
alter table idempotency_keys add column persons bytea[];
