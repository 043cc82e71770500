-- Owner: src/areas/treasury. What a treasury mints or sends of collections: no money, so the ledger has no account of it.
alter table treasury_transfers add column collectible boolean not null default false;
alter table treasury_transfers add column token_id text;
