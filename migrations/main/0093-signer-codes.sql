-- Owner: src/areas/signer-codes. One-time codes of e-mail and phone signers. Who reads these rows can neither learn a code nor
-- act as a device: hashes are keyed with a project's secret (project_secrets), which is sealed.
create table signer_codes (
  id uuid primary key,
  project_id uuid not null,
  wallet_id uuid not null references wallets (id),
  identity_hash bytea not null,          -- of the e-mail address or phone number
  device_key bytea not null,             -- P-256 point, SEC 1 uncompressed
  code_hash bytea not null,              -- bound to everything else of the row
  tries integer not null default 0,
  expires_at timestamptz not null,       -- of the code
  session_proof bytea,                   -- set by the right code; bound to the device
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
