-- Owner: src/areas/wallets.

-- No foreign key to projects: it would take a share lock on the project's row for every wallet,
-- and projects are never deleted while wallets exist.
create table wallets (
  id           uuid primary key,
  project_id   uuid not null,
  chain_type   text not null,
  type         text not null,
  address      text not null,
  address_key  text not null,  -- canonical address, for comparison
  owner        text,  -- as answered: '<kind>:<value>' or 'COMPANY'
  -- what makes a wallet unique: the normalised owner; 'COMPANY' for an alias without owner
  owner_key    text,
  alias        text,
  admin_signer jsonb not null,
  setup        jsonb not null,  -- opaque value of the chain family
  created_at   timestamptz not null,
  recovery_methods jsonb,  -- null: the admin signer alone
  -- A treasury belongs to the orders of its project: it receives deposits, pays refunds and
  -- deliveries.
  purpose text check (purpose = 'treasury'),
  -- Rows that decide who may act carry a seal, '<key id>.<HMAC>', of src/store/row-mac.ts.
  -- None: the row is not ours, and nothing is done with it.
  mac text
);
create unique index wallets_address on wallets (address_key, project_id, chain_type);
create unique index wallets_owner on wallets
  (project_id, owner_key, chain_type, type, coalesce(alias, '')) where owner_key is not null;
create unique index wallets_treasury on wallets (project_id, chain_type) where purpose = 'treasury';
create index wallets_page on wallets (project_id, created_at, id);

-- A signer that may act for a wallet, on some chain or on all of them.
create table wallet_signers (
  id          uuid primary key,
  wallet_id   uuid not null references wallets (id),
  signer_key  text not null,  -- canonical locator: two spellings of one signer are equal here
  -- the key behind it: what a chain knows, so that one key is registered under one name
  key_id      text not null,
  signer      jsonb not null,
  -- part of the wallet's set-up: registered on every chain without an approval
  with_wallet boolean not null,
  expires_at  timestamptz,  -- of the set-up
  asked       jsonb not null,  -- expiresAt and scopes of the latest request, as sent
  created_at  timestamptz not null,
  check_at    timestamptz not null,  -- when the chains that have no row below are looked at next
  -- those that were given when the wallet was created, amounts in the smallest unit
  scopes      jsonb not null default '[]'
);
create unique index wallet_signers_locator on wallet_signers (wallet_id, signer_key);
create unique index wallet_signers_key on wallet_signers (wallet_id, key_id);
create index wallet_signers_check on wallet_signers (check_at) where with_wallet;

-- What one chain knows of a signer. No row: as with_wallet says.
create table wallet_signer_chains (
  signer_id    uuid not null references wallet_signers (id),
  chain        text not null,
  state        text not null check (state in ('in-force', 'absent', 'different')),
  expires_at   timestamptz,  -- of what is in force
  scopes       jsonb not null,  -- of what is in force, amounts in the smallest unit
  -- the latest one, unless it succeeded or nothing is left of it
  registration text check (registration in ('open', 'failed')),
  change_id    uuid,  -- its signature request or transaction
  changed_at   timestamptz not null,
  check_at     timestamptz not null,  -- when the chain is read next
  doubted_at   timestamptz,  -- the chain said otherwise then; said twice it counts
  -- expiresAt and scopes as they were sent, of what is in force
  asked        jsonb not null default '{}',
  primary key (signer_id, chain)
);
create index wallet_signer_chains_check on wallet_signer_chains (check_at);

-- Owner: src/areas/signers.

-- Registrations and removals of delegated signers.
create table signer_changes (
  id          uuid primary key,  -- of its signature request or transaction
  signer_id   uuid not null references wallet_signers (id),
  wallet_id   uuid not null,
  chain       text not null,
  kind        text not null check (kind in ('add', 'remove')),
  flow        text not null check (flow in ('signature', 'transaction')),
  approver    text not null,  -- key of the recovery method that approves
  status      text not null check (status in ('open', 'success', 'failed', 'replaced')),
  asked       jsonb not null,  -- of an addition: expiresAt and scopes as sent
  expires_at  timestamptz,
  scopes      jsonb not null,
  created_at  timestamptz not null,
  valid_until timestamptz not null  -- after this it cannot be approved any more
);
-- What decides between calls that arrive together: one open change of a kind for a signer on a
-- chain.
create unique index signer_changes_open on signer_changes (signer_id, chain, kind)
  where status = 'open';
create index signer_changes_chain on signer_changes (signer_id, chain, created_at desc);
create index signer_changes_overdue on signer_changes (valid_until) where status = 'open';

-- Owner: src/areas/signer-codes.

-- One-time codes of e-mail and phone signers. Who reads these rows can neither learn a code nor
-- act as a device: hashes are keyed with a project's secret (project_secrets), which is sealed.
create table signer_codes (
  id uuid primary key,
  project_id uuid not null,
  wallet_id uuid not null references wallets (id),
  identity_hash bytea not null,  -- of the e-mail address or phone number
  device_key bytea not null,  -- P-256 point, SEC 1 uncompressed
  code_hash bytea not null,  -- bound to everything else of the row
  tries integer not null default 0,
  expires_at timestamptz not null,  -- of the code
  session_proof bytea,  -- set by the right code; bound to the device
  session_expires_at timestamptz,
  created_at timestamptz not null,
  -- One live code per signer and device: a new one takes the place of the old one.
  constraint signer_codes_one_per_device unique (wallet_id, identity_hash, device_key)
);
create index signer_codes_by_age on signer_codes (expires_at);

-- What a device has signed already, so that nothing is taken twice.
create table signer_code_nonces (
  code_id uuid not null,
  nonce text not null,
  created_at timestamptz not null,
  primary key (code_id, nonce)
);
create index signer_code_nonces_by_age on signer_code_nonces (created_at);

-- How much of each limit is used in the window that began with its first use.
create table signer_code_counters (
  scope text primary key,
  window_start timestamptz not null,
  taken integer not null
);
create index signer_code_counters_by_age on signer_code_counters (window_start);

-- Owner: src/areas/transactions.

create table transactions (
  id            uuid primary key,
  project_id    uuid not null,
  wallet_id     uuid not null references wallets (id),
  chain_type    text not null,
  wallet_type   text not null,
  chain         text not null,
  status        text not null
    check (status in ('awaiting-approval', 'pending', 'success', 'failed')),
  params        jsonb not null,
  operation     jsonb not null,  -- opaque value of the chain family
  on_chain      jsonb not null,
  approvals     jsonb not null,
  send_params   jsonb,
  token_locator text,  -- of a transfer, as sent
  fees          jsonb not null,
  error         jsonb,
  created_at    timestamptz not null,
  completed_at  timestamptz,
  valid_until   timestamptz not null,
  preview       jsonb,
  -- of one that awaits approvals: who is screened again when the last one arrives
  counterparties jsonb,
  usd_per_fee_unit numeric,  -- price of the smallest unit of the native token at creation
  mac text,  -- of one that awaits approvals
  -- What an operation is for: which area hears of its end.
  subject text not null default 'transaction'
);
create index transactions_wallet on transactions (wallet_id, created_at desc, id desc);
create index transactions_waiting on transactions (valid_until) where status = 'awaiting-approval';
create index transactions_asked on transactions (wallet_id) where status = 'awaiting-approval';

-- Owner: src/areas/signatures.

create table signatures (
  id               uuid primary key,
  project_id       uuid not null,
  wallet_id        uuid not null references wallets (id),
  chain_type       text not null,
  wallet_type      text not null,
  chain            text not null,
  type             text not null check (type in ('message', 'typed-data', 'auth-entries')),
  status           text not null
    check (status in ('awaiting-approval', 'pending', 'success', 'failed')),
  is_operation     boolean not null,  -- true: its approvals send an operation to the chain
  params           jsonb not null,
  -- opaque value of the chain family: a signature request or an operation
  signable         jsonb not null,
  approvals        jsonb not null,
  -- approvals that the service gave itself and answers do not show
  given            jsonb not null,
  output_signature text,  -- of an operation known before it is told
  error            jsonb,
  created_at       timestamptz not null,
  completed_at     timestamptz,
  valid_until      timestamptz not null,
  -- When the worker tries to assemble an approved signature that nobody has assembled yet.
  assemble_at      timestamptz,
  attempts         integer not null default 0,
  mac              text  -- of one that awaits approvals
);
create index signatures_wallet on signatures (wallet_id, created_at desc, id desc);
create index signatures_asked on signatures (wallet_id) where status = 'awaiting-approval';
create index signatures_waiting on signatures (valid_until) where status = 'awaiting-approval';
create index signatures_unassembled on signatures (assemble_at)
  where status = 'pending' and assemble_at is not null;

-- Owner: src/areas/activity.

-- One row for each side of a movement that is a wallet of ours.
create table wallet_transfers (
  id             uuid primary key,
  -- The order of what happened in the same second.
  nr             bigint generated always as identity,
  wallet_id      uuid not null references wallets (id),
  direction      text not null check (direction in ('in', 'out')),
  -- The movement's own id, the same however often it is seen: a movement is announced once per
  -- wallet and direction.
  seen_id        text not null,
  status         text not null check (status in ('succeeded', 'failed')),
  chain          text not null,
  token_locator  text not null,
  token_address  text,
  token_key      text,  -- canonical address, for comparison; null for the native token
  token_symbol   text,  -- lower case
  token_decimals smallint not null,
  amount_minor   numeric(78, 0) not null,
  sender         text not null,
  recipient      text not null,
  tx_id          text,
  explorer_link  text,
  -- The transaction of this service that made it.
  transaction_id uuid,
  error          jsonb,
  -- Height of the block; null for what never reached a chain.
  height         bigint,
  completed_at   timestamptz not null,
  -- Set while a reorganisation has removed it; it comes back under the same id when it is
  -- included again.
  retracted      boolean not null default false,
  -- Of a collectible; what a wallet holds of one is the sum of these rows.
  token_id       text
);
create unique index wallet_transfers_seen on wallet_transfers (wallet_id, seen_id, direction);
create index wallet_transfers_page on wallet_transfers (wallet_id, chain, status, completed_at, nr)
  where not retracted;
create index wallet_transfers_height on wallet_transfers (chain, height) where not retracted;
create index wallet_transfers_failed on wallet_transfers (transaction_id) where status = 'failed';
create index wallet_transfers_collectibles on wallet_transfers
  (wallet_id, chain, token_key, token_id) where token_id is not null and not retracted;

-- Owner: src/areas/nfts.

-- What was read of a collectible's metadata; null when there was nothing that could be read.
create table collectible_metadata (
  chain      text not null,
  token_key  text not null,
  token_id   text not null,
  metadata   jsonb,
  checked_at timestamptz not null,
  primary key (chain, token_key, token_id)
);

-- Owner: src/providers/screening.

-- What each comparison with sanctions lists said (`off`: nothing was compared), and what it was
-- compared with. Never pruned: supervisors ask for years.
create table screening_decisions (
  id uuid primary key,
  project_id uuid not null,
  -- What the decision is about, e.g. `transaction:<id>`.
  subject text not null,
  chain text not null,
  addresses text[] not null,
  outcome text not null check (outcome in ('clear', 'blocked', 'off')),
  -- Of a blocked one: `{address, list, listVersion, digest, entry}`.
  hit jsonb,
  -- Every list that was compared with: `[{list, version, digest}]`.
  lists jsonb not null,
  decided_at timestamptz not null
);
create index screening_decisions_of_subject on screening_decisions (subject, decided_at desc);
create index screening_decisions_blocked on screening_decisions (project_id, decided_at desc)
  where outcome = 'blocked';
