-- Owner: src/vault (audit).

-- Every use of what the vault keeps, each entry chained to the one before by a keyed hash.
create table audit_entries (
  seq bigint primary key,
  -- The exact text that the hash covers: a JSON object.
  entry text not null,
  hash bytea not null
);

create table audit_head (
  id int primary key check (id = 1),
  seq bigint not null,
  hash bytea not null
);
insert into audit_head (id, seq, hash) values
  (1, 0, '\x0000000000000000000000000000000000000000000000000000000000000000');

create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  raise exception 'the audit log of the vault is append-only';
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
  if new.seq <= old.seq then
    raise exception 'the audit log of the vault only goes forward';
  end if;
  return new;
end
$$;
create trigger audit_head_forward before update on audit_head
  for each row execute function refuse_audit_rewind();

-- Owner: src/areas/operations.

-- As in the main database. Who ran which command of purser on this database, and when. One row
-- when a command begins and one when it ends; what was typed stands there without values that
-- may name people or open anything.
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
