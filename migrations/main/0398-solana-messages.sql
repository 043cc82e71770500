-- Owner: src/chains/solana/relay. What the fee payer has signed, or was told as failed, is of one operation for ever: whoever writes the
-- same into the queue under another id, with another nonce or a later end, gets nothing signed.
create table solana_messages (
  digest       bytea primary key, -- of what the signers approved
  operation_id uuid not null,
  created_at   timestamptz not null default now()
);
create index solana_messages_age on solana_messages (created_at);
