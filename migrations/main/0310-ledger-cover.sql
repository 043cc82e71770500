-- Owner: src/ledger. What an order's accounts owe, and the rule that nothing leaves them that is not there.

-- Sums of the postings to `order:*` accounts, kept by the trigger below. Debits are positive: more than 0 is overdrawn.
create table ledger_order_balances (
  project_id    uuid not null,
  account       text collate "C" not null,
  asset         text collate "C" not null,
  posted_minor  numeric(78, 0) not null,
  pending_minor numeric(78, 0) not null,
  primary key (project_id, account, asset)
) with (fillfactor = 70);
insert into ledger_order_balances (project_id, account, asset, posted_minor, pending_minor)
select project_id, account, asset, sum(posted_minor), sum(pending_minor) from ledger_postings
where account like 'order:%' group by project_id, account, asset;

-- The row of the account is what two postings at once queue on, at any isolation level. It runs as its owner: whoever posts need not,
-- and may not, write the sums.
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
