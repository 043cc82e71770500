-- Owner: src/areas/wallets. expiresAt and scopes as they were sent, of what is in force on the chain.
alter table wallet_signer_chains add column asked jsonb not null default '{}';

-- Owner: src/areas/signers. Registrations and removals of delegated signers.
create table signer_changes (
  id          uuid primary key,        -- of its signature request or transaction
  signer_id   uuid not null references wallet_signers (id),
  wallet_id   uuid not null,
  chain       text not null,
  kind        text not null check (kind in ('add', 'remove')),
  flow        text not null check (flow in ('signature', 'transaction')),
  approver    text not null,           -- key of the recovery method that approves
  status      text not null check (status in ('open', 'success', 'failed', 'replaced')),
  asked       jsonb not null,          -- of an addition: expiresAt and scopes as sent
  expires_at  timestamptz,
  scopes      jsonb not null,
  created_at  timestamptz not null,
  valid_until timestamptz not null     -- after this it cannot be approved any more
);
-- What decides between calls that arrive together: one open change of a kind for a signer on a chain.
create unique index signer_changes_open on signer_changes (signer_id, chain, kind) where status = 'open';
create index signer_changes_chain on signer_changes (signer_id, chain, created_at desc);
create index signer_changes_overdue on signer_changes (valid_until) where status = 'open';
