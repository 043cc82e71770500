-- Owner: src/areas/payment-methods. Saved cards that were sealed for a runner: one card and one total per checkout. Ids and amounts only.
create table card_uses (
  project_id         uuid not null,
  checkout_id        uuid not null,
  payment_method_id  uuid not null,
  amount_minor       numeric(40) not null check (amount_minor > 0),
  currency           text not null,
  times              integer not null,
  first_at           timestamptz not null,
  primary key (project_id, checkout_id)
);
