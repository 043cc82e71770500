-- Owner: src/areas/operations. As in the main database. Who ran which command of purser on this database, and when. One row when a command begins and one
-- when it ends; what was typed stands there without values that may name people or open anything.
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
