-- Owner: src/ledger. What the database itself refuses, whoever writes.

create function ledger_refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'The ledger is append-only: % of % is refused.', tg_op, tg_table_name using errcode = 'integrity_constraint_violation';
end $$;

create trigger ledger_append_only before update or delete on ledger_assets for each statement execute function ledger_refuse_change();
create trigger ledger_no_truncate before truncate on ledger_assets for each statement execute function ledger_refuse_change();
create trigger ledger_append_only before update or delete on ledger_entries for each statement execute function ledger_refuse_change();
create trigger ledger_no_truncate before truncate on ledger_entries for each statement execute function ledger_refuse_change();
create trigger ledger_append_only before update or delete on ledger_postings for each statement execute function ledger_refuse_change();
create trigger ledger_no_truncate before truncate on ledger_postings for each statement execute function ledger_refuse_change();
create trigger ledger_append_only before update or delete on ledger_checkpoints for each statement execute function ledger_refuse_change();
create trigger ledger_no_truncate before truncate on ledger_checkpoints for each statement execute function ledger_refuse_change();

-- An entry and all its legs are written by one statement, so each statement must balance by itself. One look per statement,
-- not one per row; nothing is locked, and what it reads besides the new rows never changes.
create function ledger_check_postings() returns trigger language plpgsql as $$
declare
  found_entry uuid;
  found_text text;
begin
  select a.entry_id, a.asset into found_entry, found_text from added a group by a.entry_id, a.asset
    having sum(a.posted_minor) <> 0 or sum(a.pending_minor) <> 0 limit 1;
  if found then
    raise exception 'Ledger entry % is not balanced in %.', found_entry, found_text using errcode = 'check_violation';
  end if;

  select a.asset into found_text from (select distinct asset from added) a
    where (select s.decimals from ledger_assets s where s.asset = a.asset) is null limit 1;
  if found then
    raise exception 'The ledger knows no asset %.', found_text using errcode = 'foreign_key_violation';
  end if;

  -- All legs of an entry at once, and none later: their numbers are unique, as many as the entry counts, and no higher.
  select a.entry_id, case when e.id is null or a.legs <> e.leg_count or a.last <> e.leg_count then 'are not those that it counts'
                          else 'do not fit its phase' end
    into found_entry, found_text
    from (select added.*, count(*) over entry as legs, max(leg) over entry as last from added window entry as (partition by entry_id)) a
    left join lateral (select * from ledger_entries where id = a.entry_id offset 0) e on true
    left join lateral (select * from ledger_entries where id = e.hold_id offset 0) h on true
    left join lateral (select * from ledger_postings where entry_id = e.hold_id and leg = a.leg offset 0) p on true
    where e.id is null or a.legs <> e.leg_count or a.last <> e.leg_count
      or a.project_id <> e.project_id or a.recorded_at <> e.recorded_at
      or (e.phase = 'post' and a.pending_minor <> 0)
      or (e.phase = 'hold' and a.posted_minor <> 0)
      or (e.hold_id is not null and (
           h.id is null or h.phase <> 'hold' or h.project_id <> e.project_id or h.leg_count <> e.leg_count or p.entry_id is null
           or p.account <> a.account or p.asset <> a.asset or a.pending_minor <> -p.pending_minor
           or a.posted_minor <> case when e.phase = 'settle' then p.pending_minor else 0 end))
    limit 1;
  if found then
    raise exception 'The legs of ledger entry % %.', found_entry, found_text using errcode = 'check_violation';
  end if;
  return null;
end $$;

create trigger ledger_balanced after insert on ledger_postings
  referencing new table as added for each statement execute function ledger_check_postings();

create function ledger_check_entries() returns trigger language plpgsql as $$
declare
  found_entry uuid;
begin
  select a.id into found_entry from added a
    where (select p.leg from ledger_postings p where p.entry_id = a.id and p.leg = 1) is null limit 1;
  if found then
    raise exception 'Ledger entry % has no legs: they are written by the same statement.', found_entry using errcode = 'check_violation';
  end if;
  return null;
end $$;

create trigger ledger_has_legs after insert on ledger_entries
  referencing new table as added for each statement execute function ledger_check_entries();
