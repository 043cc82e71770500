-- Owner: src/areas/wallets. Wallets with several ways to recover them, and the delegated signers.
alter table wallets add column recovery_methods jsonb;  -- null: the admin signer alone

-- A signer that may act for a wallet, on some chain or on all of them.
create table wallet_signers (
  id          uuid primary key,
  wallet_id   uuid not null references wallets (id),
  signer_key  text not null,          -- canonical locator: two spellings of one signer are equal here
  key_id      text not null,          -- the key behind it: what a chain knows, so that one key is registered under one name
  signer      jsonb not null,
  with_wallet boolean not null,       -- part of the wallet's set-up: registered on every chain without an approval
  expires_at  timestamptz,            -- of the set-up
  asked       jsonb not null,         -- expiresAt and scopes of the latest request, as sent
  created_at  timestamptz not null,
  check_at    timestamptz not null    -- when the chains that have no row below are looked at next
);
create unique index wallet_signers_locator on wallet_signers (wallet_id, signer_key);
create unique index wallet_signers_key on wallet_signers (wallet_id, key_id);
create index wallet_signers_check on wallet_signers (check_at) where with_wallet;

-- What one chain knows of a signer. No row: as with_wallet says.
create table wallet_signer_chains (
  signer_id    uuid not null references wallet_signers (id),
  chain        text not null,
  state        text not null check (state in ('in-force', 'absent', 'different')),
  expires_at   timestamptz,           -- of what is in force
  scopes       jsonb not null,        -- of what is in force, amounts in the smallest unit
  registration text check (registration in ('open', 'failed')),  -- the latest one, unless it succeeded or nothing is left of it
  change_id    uuid,                  -- its signature request or transaction
  changed_at   timestamptz not null,
  check_at     timestamptz not null,  -- when the chain is read next
  doubted_at   timestamptz,           -- the chain said otherwise then; said twice it counts
  primary key (signer_id, chain)
);
create index wallet_signer_chains_check on wallet_signer_chains (check_at);
