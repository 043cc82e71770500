-- Owner: src/areas/signatures.
create table signatures (
  id               uuid primary key,
  project_id       uuid not null,
  wallet_id        uuid not null references wallets (id),
  chain_type       text not null,
  wallet_type      text not null,
  chain            text not null,
  type             text not null check (type in ('message', 'typed-data', 'auth-entries')),
  status           text not null check (status in ('awaiting-approval', 'pending', 'success', 'failed')),
  is_operation     boolean not null,      -- true: its approvals send an operation to the chain
  params           jsonb not null,
  signable         jsonb not null,        -- opaque value of the chain family: a signature request or an operation
  approvals        jsonb not null,
  given            jsonb not null,        -- approvals that the service gave itself and answers do not show
  output_signature text,                  -- of an operation known before it is told
  error            jsonb,
  created_at       timestamptz not null,
  completed_at     timestamptz,
  valid_until      timestamptz not null,
  -- When the worker tries to assemble an approved signature that nobody has assembled yet.
  assemble_at      timestamptz,
  attempts         integer not null default 0
);
create index signatures_wallet on signatures (wallet_id, created_at desc, id desc);
create index signatures_asked on signatures (wallet_id) where status = 'awaiting-approval';
create index signatures_waiting on signatures (valid_until) where status = 'awaiting-approval';
create index signatures_unassembled on signatures (assemble_at) where status = 'pending' and assemble_at is not null;
