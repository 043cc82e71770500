-- Owner: src/areas/linked-wallets. The primary key decides whose a wallet is.
create table linked_wallets (
  project_id    uuid not null,
  -- HMAC-SHA-256 of the canonical address.
  wallet_hash   bytea not null,
  user_id       uuid not null references users (id) on delete cascade,
  -- Address as sent, chain, and the digest of the proof that was accepted; sealed with the user's key.
  sealed_wallet bytea not null,
  version       int not null,
  verified_at   timestamptz,
  created_at    timestamptz not null,
  updated_at    timestamptz not null,
  primary key (project_id, wallet_hash)
);
create index linked_wallets_by_user on linked_wallets (user_id);

-- Texts that wait to be signed. Using one deletes it. The user need not be the one who has the wallet now.
create table linked_wallet_challenges (
  id               uuid primary key,
  project_id       uuid not null,
  wallet_hash      bytea not null,
  user_id          uuid not null references users (id) on delete cascade,
  sealed_challenge bytea not null,
  created_at       timestamptz not null,
  expires_at       timestamptz not null
);
create index linked_wallet_challenges_by_wallet on linked_wallet_challenges (wallet_hash, user_id);
create index linked_wallet_challenges_by_user on linked_wallet_challenges (user_id);
create index linked_wallet_challenges_by_expiry on linked_wallet_challenges (expires_at);
