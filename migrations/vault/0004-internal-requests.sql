-- Owner: src/vault (internal requests). Nonces that were used, until their time window is over.
create table internal_nonces (
  peer text not null,
  nonce text not null,
  expires_at timestamptz not null,
  primary key (peer, nonce)
);

create index internal_nonces_by_expiry on internal_nonces (expires_at);
