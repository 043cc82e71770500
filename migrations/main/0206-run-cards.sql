-- Owner: src/areas/agent-checkouts. Cards that were issued for a checkout: one per approved total, the last one counts. No number.
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
