-- Owner: src/providers/card. Books of the sandbox acquirer, which stands for a company outside production. A card number is never
-- kept: only what it steers to (script), the brand and the last four digits.
create table sandbox_card_payments (
  reference            text primary key,
  payment_id           text not null unique,
  order_reference      text not null,
  description          text,
  amount_minor         numeric(40) not null check (amount_minor > 0),
  currency             text not null,
  status               text not null,
  script               text,
  tries                integer not null default 0,
  decline_code         text,
  card                 jsonb,
  captured_minor       numeric(40) not null default 0 check (captured_minor >= 0 and captured_minor <= amount_minor),
  dispute_id           text unique,
  dispute_status       text check (dispute_status in ('open', 'won', 'lost')),
  disputed_minor       numeric(40) not null default 0,
  -- What happens by itself next, and when.
  next_step            text,
  next_at              timestamptz,
  created_at           timestamptz not null
);
create index sandbox_card_payments_due on sandbox_card_payments (next_at) where next_at is not null;

create table sandbox_card_refunds (
  reference          text primary key,
  refund_id          text not null unique,
  payment_reference  text not null references sandbox_card_payments,
  amount_minor       numeric(40) not null check (amount_minor > 0),
  status             text not null check (status in ('pending', 'succeeded', 'failed')),
  next_at            timestamptz,
  created_at         timestamptz not null
);
create index sandbox_card_refunds_payment on sandbox_card_refunds (payment_reference);
create index sandbox_card_refunds_due on sandbox_card_refunds (next_at) where next_at is not null;

-- Idempotency keys of the calls that change a payment, with what they asked for and how often they came.
create table sandbox_card_calls (
  key                text primary key,
  kind               text not null,
  payment_reference  text not null,
  amount_minor       numeric(40) not null,
  calls              integer not null
);

create table sandbox_card_events (
  number        bigint generated always as identity primary key,
  id            text not null unique,
  body          jsonb not null,
  due_at        timestamptz not null,
  tries         integer not null default 0,
  delivered_at  timestamptz
);
create index sandbox_card_events_due on sandbox_card_events (due_at, number) where delivered_at is null;
