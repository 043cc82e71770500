-- Owner: src/providers/messaging. What the sandbox would have sent; production never writes here.
create table sandbox_messages (
  id uuid primary key,
  idempotency_key text not null unique,
  channel text not null check (channel in ('email', 'sms')),
  kind text not null,
  recipient text not null,
  -- Subject and text, sealed with src/lib/sealing/seal.ts: they hold codes.
  sealed_content bytea not null,
  sent_at timestamptz not null
);

create index sandbox_messages_newest on sandbox_messages (sent_at desc, id desc);
