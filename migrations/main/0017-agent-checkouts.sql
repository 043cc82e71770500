-- Owner: src/areas/buyer-profiles.

-- Sealed with the user's key: erasing the user destroys them.
create table buyer_profiles (
  id             uuid primary key,
  project_id     uuid not null,
  user_id        uuid not null references users (id) on delete cascade,
  sealed_profile bytea not null,
  version        integer not null,
  created_at     timestamptz not null,
  updated_at     timestamptz not null
);
create index buyer_profiles_page on buyer_profiles (user_id, created_at, id);

-- Owner: src/areas/browser-profiles.

-- Label and browser state are sealed; the key of a profile dies with its row.
create table browser_profiles (
  id            uuid primary key,
  project_id    uuid not null,
  user_id       uuid not null references users (id) on delete cascade,
  -- The profile's own key, sealed by the service's key-encryption keys.
  sealed_key    bytea not null,
  sealed_by     text not null,
  sealed_label  bytea,
  label_version integer not null,
  -- What the browser remembers; null until a run has saved something.
  sealed_state  bytea,
  state_version integer not null,
  created_at    timestamptz not null,
  updated_at    timestamptz not null,
  -- Deleted for everybody but the runs that began with it; erased when they are over.
  deleted_at    timestamptz
);
create unique index browser_profiles_one_per_user on browser_profiles (user_id)
  where deleted_at is null;
create index browser_profiles_by_user on browser_profiles (user_id);
create index browser_profiles_by_sealing_key on browser_profiles (sealed_by, id);
-- Sealed bytes do not compress.
alter table browser_profiles alter column sealed_state set storage external;

-- Which checkouts run with which profile, deleted ones included.
create table browser_profile_uses (
  checkout_id uuid primary key,
  profile_id  uuid not null references browser_profiles (id) on delete cascade
);
create index browser_profile_uses_profile on browser_profile_uses (profile_id);

-- Owner: src/areas/agent-checkouts.

create table agent_checkouts (
  id                 uuid primary key,
  project_id         uuid not null,
  user_id            uuid not null references users (id) on delete cascade,
  status             text not null
    check (status in
      ('queued', 'running', 'awaiting_user_action', 'succeeded', 'failed', 'cancelled')),
  target             jsonb not null,
  constraints        jsonb not null,
  metadata           jsonb,
  buyer_profile_id   uuid,
  browser_profile_id uuid,
  -- Version of the browser state that the run began with.
  profile_version    integer,
  -- What is bought: SHA-256 of address and request. An item whose purchase is unknown is not
  -- bought again.
  item_key           bytea not null,
  -- The last step that is done, and where the runner stands: a lease that ends by time, and a
  -- fence that an old holder fails.
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
  ended_at           timestamptz,
  -- Where the runner that has the run shows its live picture; null without one.
  live_origin        text,
  -- Seals of what a user asked for (src/store/row-mac.ts): target, cap, and whose address and
  -- logins it is bought with; and of where the picture of a run is, which users type into.
  mac                text,
  live_mac           text
);
create index agent_checkouts_page on agent_checkouts (user_id, created_at, id);
create index agent_checkouts_claim on agent_checkouts (run_after)
  where status in ('queued', 'running');
create index agent_checkouts_item on agent_checkouts (user_id, item_key) where outcome = 'unknown';
-- Operators list a project's checkouts, and those that wait for them.
create index agent_checkouts_of_project on agent_checkouts (project_id, created_at, id);
create index agent_checkouts_undecided on agent_checkouts (project_id, created_at, id)
  where outcome = 'unknown';
-- Purchases behind the permit that have not ended: no other checkout buys their item meanwhile.
create index agent_checkouts_buying on agent_checkouts (user_id, item_key)
  where armed_at is not null and ended_at is null;
-- How many of a user and of a project are open is counted whenever one more is created.
create index agent_checkouts_open on agent_checkouts (project_id, user_id) where ended_at is null;
create index agent_checkouts_unknown on agent_checkouts (project_id, ended_at, id)
  where outcome = 'unknown';

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

-- What the user is asked. Answers lie sealed, for minutes, and are gone when the run has taken
-- them.
create table agent_checkout_actions (
  id              uuid primary key,
  checkout_id     uuid not null references agent_checkouts (id) on delete cascade,
  kind            text not null,
  request         jsonb not null,
  message         text not null,
  response_schema jsonb not null,
  status          text not null
    check (status in ('open', 'submitted', 'declined', 'expired', 'superseded')),
  -- Keyed hash of the answer: the same again gets the same acknowledgement.
  answer_hash     bytea,
  sealed_answer   bytea,
  answered_at     timestamptz,
  taken_at        timestamptz,
  created_at      timestamptz not null,
  expires_at      timestamptz not null,
  -- The runner's own name of a question: repeated, because an answer was lost, it is the same
  -- question.
  request_key     uuid,
  -- Who has taken the answer: the same hold may take it again for a moment, in case it got
  -- lost on its way.
  taken_by        bigint,
  -- Seal of what was asked, and whether it was answered. Null of one that was changed behind the
  -- service and has ended since.
  mac             text
);
create unique index agent_checkout_actions_open on agent_checkout_actions (checkout_id)
  where status = 'open';
create index agent_checkout_actions_expiry on agent_checkout_actions (expires_at)
  where status = 'open';
create index agent_checkout_actions_sealed on agent_checkout_actions (answered_at)
  where sealed_answer is not null;
create unique index agent_checkout_actions_key on agent_checkout_actions (checkout_id, request_key)
  where request_key is not null;

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

-- Cards that were issued for a checkout: one per approved total, the last one counts. No number.
create table agent_checkout_cards (
  checkout_id  uuid not null references agent_checkouts (id) on delete cascade,
  nr           integer not null,
  source       text not null,
  -- The issuer's id; null while it has not answered, and where it issues none for this total.
  reference    text,
  limit_minor  numeric(40) not null check (limit_minor > 0),
  currency     text not null,
  asked_at     timestamptz not null,
  closed_at    timestamptz,
  primary key (checkout_id, nr)
);

-- What operators decided about purchases of which nobody knew whether the shop has the order.
create table agent_checkout_decisions (
  checkout_id        uuid primary key references agent_checkouts (id) on delete cascade,
  outcome            text not null check (outcome in ('placed', 'not-placed')),
  merchant_order_id  text,
  decided_by         text not null,
  note               text not null,
  decided_at         timestamptz not null
);
