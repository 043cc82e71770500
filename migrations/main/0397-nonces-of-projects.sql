-- Owner: src/chains/solana/relay. Whose project has bound a nonce: projects share them before wallets do.
alter table solana_nonces add column project_id uuid;
