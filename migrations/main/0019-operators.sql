-- Owner: src/areas/operator.

-- People who may look at and decide what waits, and the passkeys that they decide with.
create table operators (
  id uuid primary key,
  name text not null unique,
  -- Role by id of a project; '*' is every project.
  roles jsonb not null,
  status text not null check (status in ('invited', 'active', 'revoked')),
  -- The one-time link: what makes it this one, and until when it can be used.
  invite_nonce uuid,
  invite_expires_at timestamptz,
  -- [{id, publicKey, transports}], base64url as browsers say them.
  passkeys jsonb not null default '[]',
  created_at timestamptz not null,
  revoked_at timestamptz,
  mac text
);

-- Whose each passkey is: nobody's twice, also when two are registered at once. Kept when a right
-- ends.
create table operator_passkeys (
  credential_id text primary key,
  operator_id uuid not null
);

-- Sessions of the console. Of the secret in the cookie only the hash; what is written here by
-- hand carries no seal and opens nothing.
create table operator_sessions (
  id uuid primary key,
  operator_id uuid not null references operators,
  token_hash bytea not null unique,
  -- The sign-in that made it: none makes a second one.
  challenge text not null unique,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  seen_at timestamptz not null,
  ended_at timestamptz,
  mac text
);
create index operator_sessions_of on operator_sessions (operator_id, expires_at);

-- What operators asked for and signed with their passkeys. The API only adds rows; the worker
-- believes none before it has looked at the signature.
create table operator_actions (
  id uuid primary key,
  kind text not null check (kind in ('action', 'enrolment')),
  operator_id uuid not null,
  -- The exact text whose hash was signed: a JSON object.
  signed text not null check (length(signed) <= 8192),
  proof jsonb not null,
  created_at timestamptz not null,
  status text not null default 'asked' check (status in ('asked', 'waiting', 'done', 'refused')),
  result jsonb,
  done_at timestamptz
);
create index operator_actions_asked on operator_actions (created_at, id) where status = 'asked';
create index operator_actions_waiting on operator_actions (created_at, id) where status = 'waiting';

-- Owner: src/areas/operations.

-- Who ran which command of purser on this database, and when. One row when a command begins and
-- one when it ends; what was typed stands there without values that may name people or open
-- anything.
create table operator_commands (
  seq bigint generated always as identity primary key,
  run_id uuid not null,
  at timestamptz not null,
  os_user text not null,
  host text not null,
  command text not null,
  outcome text not null check (outcome in ('begun', 'done', 'failed'))
);

create function refuse_operator_command_change() returns trigger language plpgsql as $$
begin
  raise exception 'the record of operator commands is append-only';
end
$$;
create trigger operator_commands_append_only before update or delete on operator_commands
  for each statement execute function refuse_operator_command_change();
create trigger operator_commands_no_truncate before truncate on operator_commands
  for each statement execute function refuse_operator_command_change();

-- What operators changed, by whom and why: each entry carries the hash of the one before.
create table audit_entries (
  seq bigint primary key,
  -- The exact text that the hash covers: a JSON object.
  entry text not null,
  hash bytea not null,
  -- The signed action that it is about: none is done twice. Null of what was done on the
  -- command line.
  action_id uuid unique,
  project_id uuid
);
create index audit_entries_of_project on audit_entries (project_id, seq);

-- Where the chain stands. Sealed (src/store/row-mac.ts), so that nobody without the keys makes
-- the chain anew; null before the first entry.
create table audit_head (
  id uuid primary key check (id = '00000000-0000-4000-8000-000000000001'),
  seq bigint not null,
  hash bytea not null,
  mac text
);
insert into audit_head (id, seq, hash)
  values ('00000000-0000-4000-8000-000000000001', 0,
    '\x0000000000000000000000000000000000000000000000000000000000000000');

create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  raise exception 'the audit log is append-only';
end
$$;
create trigger audit_entries_append_only before update or delete on audit_entries
  for each row execute function refuse_audit_change();
create trigger audit_entries_no_truncate before truncate on audit_entries
  for each statement execute function refuse_audit_change();
create trigger audit_head_no_delete before delete on audit_head
  for each row execute function refuse_audit_change();
create trigger audit_head_no_truncate before truncate on audit_head
  for each statement execute function refuse_audit_change();

create function refuse_audit_rewind() returns trigger language plpgsql as $$
begin
  -- Sealed again with another key, it stays where it is.
  if new.seq < old.seq or (new.seq = old.seq and new.hash <> old.hash) then
    raise exception 'the audit log only goes forward';
  end if;
  return new;
end
$$;
create trigger audit_head_forward before update on audit_head
  for each row execute function refuse_audit_rewind();
