-- What the relays send, and whose budget it takes, is sealed by who hands it over (src/store/row-mac.ts): whoever writes the database
-- can neither add an operation on another's budget nor move one there.
alter table evm_operations add column mac text;
alter table solana_operations add column mac text;
