-- Owner: src/areas/card-payments. Events that acquirers called back with, for the operator and for telling repeated ones apart.
-- Only what kind of news it was and about which payment.
create table card_callback_events (
  provider       text not null,
  event_id       text not null,
  type           text not null,
  reference      text not null,
  first_seen_at  timestamptz not null,
  times          integer not null default 1,
  primary key (provider, event_id)
);
create index card_callback_events_age on card_callback_events (first_seen_at);
