-- Owner: src/areas/agent-checkouts.
create table agent_checkouts (
  id                 uuid primary key,
  project_id         uuid not null,
  user_id            uuid not null references users (id) on delete cascade,
  status             text not null check (status in ('queued', 'running', 'awaiting_user_action', 'succeeded', 'failed', 'cancelled')),
  target             jsonb not null,
  constraints        jsonb not null,
  metadata           jsonb,
  buyer_profile_id   uuid,
  browser_profile_id uuid,
  -- Version of the browser state that the run began with.
  profile_version    integer,
  -- What is bought: SHA-256 of address and request. An item whose purchase is unknown is not bought again.
  item_key           bytea not null,
  -- The last step that is done, and where the runner stands: a lease that ends by time, and a fence that an old holder fails.
  step               text not null default 'accepted',
  runner             text,
  lease_until        timestamptz,
  fence              bigint not null default 0,
  tries              integer not null default 0,
  run_after          timestamptz not null,
  -- Set once, before the paying click: what may be paid at most, where.
  armed_at           timestamptz,
  armed              jsonb,
  -- placed, not-placed, or unknown: then the item stays locked until somebody decides.
  outcome            text check (outcome in ('placed', 'not-placed', 'unknown')),
  cancel_asked_at    timestamptz,
  receipt            jsonb,
  failure            jsonb,
  created_at         timestamptz not null,
  updated_at         timestamptz not null,
  ended_at           timestamptz
);
create index agent_checkouts_page on agent_checkouts (user_id, created_at, id);
create index agent_checkouts_claim on agent_checkouts (run_after) where status in ('queued', 'running');
create index agent_checkouts_item on agent_checkouts (user_id, item_key) where outcome = 'unknown';

-- What the user is shown, in order.
create table agent_checkout_progress (
  checkout_id uuid not null references agent_checkouts (id) on delete cascade,
  nr          integer not null,
  type        text not null,
  title       text,
  message     text,
  created_at  timestamptz not null,
  primary key (checkout_id, nr)
);

-- What the user is asked. Answers lie sealed, for minutes, and are gone when the run has taken them.
create table agent_checkout_actions (
  id              uuid primary key,
  checkout_id     uuid not null references agent_checkouts (id) on delete cascade,
  kind            text not null,
  request         jsonb not null,
  message         text not null,
  response_schema jsonb not null,
  status          text not null check (status in ('open', 'submitted', 'declined', 'expired', 'superseded')),
  -- Keyed hash of the answer: the same again gets the same acknowledgement.
  answer_hash     bytea,
  sealed_answer   bytea,
  answered_at     timestamptz,
  taken_at        timestamptz,
  created_at      timestamptz not null,
  expires_at      timestamptz not null
);
create unique index agent_checkout_actions_open on agent_checkout_actions (checkout_id) where status = 'open';
create index agent_checkout_actions_expiry on agent_checkout_actions (expires_at) where status = 'open';
create index agent_checkout_actions_sealed on agent_checkout_actions (answered_at) where sealed_answer is not null;

-- The step log: what was done, how it was proved, and a masked picture.
create table agent_checkout_steps (
  checkout_id uuid not null references agent_checkouts (id) on delete cascade,
  nr          integer not null,
  step        text not null,
  evidence    jsonb not null,
  picture     bytea,
  at          timestamptz not null,
  primary key (checkout_id, nr)
);
