-- Owner: src/chains/family/late. Operations that custody alone approves, of chains where what is signed cannot be known before it is sent. Times are
-- the database's. `queued`: nothing is signed; `sent`: the signed bytes are stored, and may be anywhere.
create table operation_intents (
  operation_id uuid primary key,         -- the transaction's id
  subject      text not null,
  project_id   uuid not null,
  owner        text not null,            -- whose fee budget it takes beside the project's
  chain        text not null,
  wallet_id    uuid not null,            -- whose key signs
  operation    jsonb not null,           -- the family's own
  cost_max     numeric(40, 0) not null,  -- in the smallest unit of the native token
  valid_until  timestamptz not null,     -- nothing is signed for it afterwards
  mac          text not null,
  status       text not null default 'queued' check (status in ('queued', 'sent', 'settled')),
  withheld     boolean not null default false,
  created_at   timestamptz not null default now(),
  run_at       timestamptz not null default now(),
  claim_token  uuid,
  claim_until  timestamptz not null default '1970-01-01Z',
  refusals     int not null default 0,   -- times that it could not be built, signed or found
  tx_id        text,
  raw          bytea,                    -- the signed bytes
  sent_at      timestamptz,
  told_status  text check (told_status in ('success', 'failed')),
  settled_at   timestamptz,
  check (status <> 'sent' or (raw is not null and tx_id is not null))
);
create index operation_intents_due on operation_intents (chain, run_at) where status <> 'settled';
create index operation_intents_tx_id on operation_intents (chain, tx_id) where tx_id is not null;
create index operation_intents_settled on operation_intents (settled_at) where status = 'settled';
