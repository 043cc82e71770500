-- Owner: src/ledger. The books: append-only, balanced per asset, each reference once. See
-- docs/decisions/0023-ledger.md.

-- What can be counted, and how many digits its smallest unit has. An asset never changes its
-- decimals.
create table ledger_assets (
  -- a fiat code in lower case, '<chain>:<token address>' or '<chain>:native'
  asset         text collate "C" primary key,
  decimals      smallint not null check (decimals between 0 and 77),
  symbol        text not null,
  registered_at timestamptz not null default now()
);
-- Fiat currencies with the digits of ISO 4217.
insert into ledger_assets (asset, decimals, symbol)
select code, 2, upper(code) from unnest(regexp_split_to_array(
  'aed afn all amd aoa ars aud awg azn bam bbd bdt bgn bmd bnd bob brl bsd btn bwp byn bzd cad cdf chf cny cop crc cup
  cve czk dkk dop dzd egp ern etb eur fjd fkp gbp gel ghs gip gmd gtq gyd hkd hnl htg huf idr ils inr irr jmd kes kgs
  khr kpw kyd kzt lak lbp lkr lrd lsl mad mdl mga mkd mmk mnt mop mru mur mvr mwk mxn myr mzn nad ngn nio nok npr nzd
  pab pen pgk php pkr pln qar ron rsd rub sar sbd scr sdg sek sgd shp sle sos srd ssp stn svc syp szl thb tjs tmt top
  try ttd twd tzs uah usd uyu uzs ves wst xcd yer zar zmw', '\s+')) code;
insert into ledger_assets (asset, decimals, symbol)
select code, 0, upper(code) from unnest(string_to_array('bif clp djf gnf isk jpy kmf krw pyg rwf ugx vnd vuv xaf xof xpf', ' ')) code;
insert into ledger_assets (asset, decimals, symbol)
select code, 3, upper(code) from unnest(string_to_array('bhd iqd jod kwd lyd omr tnd', ' ')) code;

-- One movement. A hold is ended by a later row, never by a change: 'settle' posts it, 'void'
-- drops it.
create table ledger_entries (
  id           uuid primary key,
  -- orders entries of one instant; not the order of commits
  written      bigint generated always as identity,
  project_id   uuid not null,
  -- of the hold itself, where the row ends one
  reference    text not null check (length(reference) between 1 and 300),
  kind         text not null check (length(kind) between 1 and 100),
  phase        text not null check (phase in ('post', 'hold', 'settle', 'void')),
  hold_id      uuid,
  order_id     uuid,
  effective_at timestamptz not null,  -- the chain's or the bank's time
  recorded_at  timestamptz not null,  -- ours
  leg_count    smallint not null check (leg_count >= 2),
  data         jsonb not null,
  content_hash bytea,  -- sha256 of what the caller gave: the same reference again must say the same
  check ((phase in ('settle', 'void')) = (hold_id is not null)),
  check ((hold_id is null) = (content_hash is not null))
);
create unique index ledger_entries_reference on ledger_entries (project_id, reference)
  where hold_id is null;
create unique index ledger_entries_hold on ledger_entries (hold_id) where hold_id is not null;
create index ledger_entries_order on ledger_entries (order_id, recorded_at, written)
  where order_id is not null;
create index ledger_entries_project on ledger_entries (project_id, recorded_at, written);

-- The legs. Debits are positive, credits negative. A hold moves pending; its settling moves that
-- into posted; a void takes it back.
create table ledger_postings (
  entry_id      uuid not null,
  leg           smallint not null check (leg >= 1),
  project_id    uuid not null,
  account       text collate "C" not null check (length(account) between 3 and 200),
  asset         text collate "C" not null,
  posted_minor  numeric(78, 0) not null,
  pending_minor numeric(78, 0) not null,
  recorded_at   timestamptz not null,
  primary key (entry_id, leg),
  check (posted_minor <> 0 or pending_minor <> 0)
);
create index ledger_postings_account on ledger_postings (project_id, account, recorded_at);

-- Entries that no checkpoint counts yet: a queue beside the books. Written with them, emptied by
-- the folding.
create table ledger_tail (
  id          uuid primary key,
  project_id  uuid not null,
  entry_ids   uuid[] not null
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500);
create index ledger_tail_project on ledger_tail (project_id);

-- Sums of everything folded so far, per account and asset. The newest row of a pair counts.
create table ledger_checkpoints (
  project_id    uuid not null,
  account       text collate "C" not null,
  asset         text collate "C" not null,
  fold          bigint not null,
  posted_minor  numeric(78, 0) not null,
  pending_minor numeric(78, 0) not null,
  folded_at     timestamptz not null,
  primary key (project_id, account, asset, fold)
);

-- One row that folders queue on.
create table ledger_folds (id int primary key check (id = 1), fold bigint not null);
insert into ledger_folds (id, fold) values (1, 0);

-- What an order's accounts owe: sums of the postings to `order:*` accounts, kept by the trigger at
-- the end. Debits are positive: more than 0 is overdrawn.
create table ledger_order_balances (
  project_id    uuid not null,
  account       text collate "C" not null,
  asset         text collate "C" not null,
  posted_minor  numeric(78, 0) not null,
  pending_minor numeric(78, 0) not null,
  primary key (project_id, account, asset)
) with (fillfactor = 70);

-- What the database itself refuses, whoever writes.
create function ledger_refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'The ledger is append-only: % of % is refused.', tg_op, tg_table_name using errcode = 'integrity_constraint_violation';
end $$;
create trigger ledger_append_only before update or delete on ledger_assets
  for each statement execute function ledger_refuse_change();
create trigger ledger_append_only before update or delete on ledger_entries
  for each statement execute function ledger_refuse_change();
create trigger ledger_append_only before update or delete on ledger_postings
  for each statement execute function ledger_refuse_change();
create trigger ledger_append_only before update or delete on ledger_checkpoints
  for each statement execute function ledger_refuse_change();
create trigger ledger_no_truncate before truncate on ledger_assets
  for each statement execute function ledger_refuse_change();
create trigger ledger_no_truncate before truncate on ledger_entries
  for each statement execute function ledger_refuse_change();
create trigger ledger_no_truncate before truncate on ledger_postings
  for each statement execute function ledger_refuse_change();
create trigger ledger_no_truncate before truncate on ledger_checkpoints
  for each statement execute function ledger_refuse_change();

-- An entry and all its legs are written by one statement, so each statement must balance by
-- itself. One look per statement, not one per row; nothing is locked, and what it reads besides
-- the new rows never changes.
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

-- The row of the account is what two postings at once queue on, at any isolation level. It runs
-- as its owner: whoever posts need not, and may not, write the sums.
create function ledger_cover_orders() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  found_account text;
  found_minor numeric;
begin
  with moved as (
    select a.project_id, a.account, a.asset, sum(a.posted_minor) as posted, sum(a.pending_minor) as pending
    from added a where a.account like 'order:%' group by a.project_id, a.account, a.asset),
  kept as (
    insert into ledger_order_balances as b (project_id, account, asset, posted_minor, pending_minor)
    select project_id, account, asset, posted, pending from moved order by project_id, account, asset
    on conflict (project_id, account, asset) do update
      set posted_minor = b.posted_minor + excluded.posted_minor, pending_minor = b.pending_minor + excluded.pending_minor
    returning b.project_id, b.account, b.asset, b.posted_minor + b.pending_minor as total)
  select k.account || ' in ' || k.asset, k.total into found_account, found_minor
    from kept k join moved m using (project_id, account, asset) where k.total > 0 and m.posted + m.pending > 0 limit 1;
  if found then
    raise exception 'The ledger posting overdraws % by %: an order gives out only what was paid into it.', found_account, found_minor
      using errcode = 'check_violation', constraint = 'ledger_order_covered';
  end if;
  return null;
end $$;
create trigger ledger_orders_covered after insert on ledger_postings
  referencing new table as added for each statement execute function ledger_cover_orders();
