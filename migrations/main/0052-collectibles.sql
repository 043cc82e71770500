-- Owner: src/areas/activity. Collectibles are rows of wallet_transfers with a token id; what a wallet holds is their sum.
alter table wallet_transfers add column token_id text;
create index wallet_transfers_collectibles on wallet_transfers (wallet_id, chain, token_key, token_id) where token_id is not null and not retracted;

-- Owner: src/areas/nfts. What was read of a collectible's metadata; null when there was nothing that could be read.
create table collectible_metadata (
  chain      text not null,
  token_key  text not null,
  token_id   text not null,
  metadata   jsonb,
  checked_at timestamptz not null,
  primary key (chain, token_key, token_id)
);
