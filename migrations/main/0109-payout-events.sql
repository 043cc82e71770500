-- Owner: src/areas/payment-methods (payout client). Up to where the vault's events about payouts were handled.
create table payout_event_cursors (
  name text primary key,
  position bigint not null,
  updated_at timestamptz not null
);
