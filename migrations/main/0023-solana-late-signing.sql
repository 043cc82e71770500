-- Owner: src/chains/solana/relay.

-- Whose key in custody signs it when it is sent; null: everybody has signed. Under the seal.
alter table solana_operations add column wallet_id uuid;
