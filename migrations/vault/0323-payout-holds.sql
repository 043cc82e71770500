-- Owner: src/areas/payment-methods (payouts). What a payout waits for before it is handed to a bank. Limits, waiting time, approvers and
-- approvals are written by the owner of this database alone (src/vault/grants.ts): the running vault reads them.

-- Above it a second person says so. As much as one payout may be: whoever raises that finds a second person asked for.
alter table payout_limits add column second_person_minor numeric(40) check (second_person_minor >= 0);
update payout_limits set second_person_minor = per_payout_minor;
alter table payout_limits alter column second_person_minor set not null;

-- How long a new destination waits; null: as the vault's configuration says.
create table payout_rules (
  id int primary key check (id = 1),
  new_destination_wait_hours int check (new_destination_wait_hours between 0 and 168),
  set_by text,
  updated_at timestamptz
);
insert into payout_rules (id) values (1);

-- Whoever takes a payout of a currency on locks its row here.
create table payout_turns (currency text primary key);

-- The account by its keyed hash, and since when its person has it.
alter table payouts add column destination bytea;
alter table payouts add column destination_since timestamptz;
update payouts set destination_since = created_at;
alter table payouts alter column destination_since set not null;
-- What it waits for, as the main side was told; both empty once it was handed in.
alter table payouts add column needs_approval boolean not null default false;
alter table payouts add column held_until timestamptz;
create index payouts_held on payouts (created_at, id) where status = 'accepted' and (needs_approval or held_until is not null);

-- A day is summed by what left in it and what has yet to leave.
drop index payouts_project_day;
drop index payouts_destination_day;
create index payouts_project_day on payouts (project_id, currency, first_sent_at);
create index payouts_unsent on payouts (project_id, currency) where first_sent_at is null and status not in ('rejected', 'canceled');

-- Persons who may say yes to a payout that needs a second one. Of a token only its hash is kept.
create table payout_approvers (
  name text primary key,
  token_hash bytea not null unique,
  added_by text not null,
  added_at timestamptz not null,
  removed_at timestamptz
);

-- What was approved, of this amount to this payment method: what is changed afterwards is not approved.
create table payout_approvals (
  payout_id uuid primary key references payouts (id),
  payment_method_id text not null,
  amount_minor numeric(40) not null,
  approver text not null,
  asked_by text not null,
  approved_at timestamptz not null
);

create function refuse_payout_approval_change() returns trigger language plpgsql as $$
begin
  raise exception 'approvals of payouts are append-only';
end
$$;
create trigger payout_approvals_append_only before update or delete on payout_approvals
  for each row execute function refuse_payout_approval_change();
