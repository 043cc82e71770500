-- Owner: src/providers/messaging.

-- What the sandbox would have sent; production never writes here.
create table sandbox_messages (
  id uuid primary key,
  idempotency_key text not null unique,
  channel text not null check (channel in ('email', 'sms')),
  kind text not null,
  recipient text not null,
  -- Subject and text, sealed with src/lib/sealing/seal.ts: they hold codes.
  sealed_content bytea not null,
  sent_at timestamptz not null
);
create index sandbox_messages_newest on sandbox_messages (sent_at desc, id desc);

-- Owner: src/providers/kyc.

-- Inquiries of the sandbox, which stands for a company outside production. It keeps what a name
-- steered it to, never the name.
create table kyc_sandbox_inquiries (
  id                  text primary key,
  reference           text not null unique,
  outcome             text not null,
  -- A decision made by hand, on the page.
  decided             text,
  session_hash        bytea,
  session_expires_at  timestamptz,
  page_hash           bytea,
  created_at          timestamptz not null,
  submitted_at        timestamptz,
  redacted_at         timestamptz,
  -- What the sandbox's page asks the person for beside the names, so that nobody is verified
  -- who gave nothing.
  asks                text[] not null default '{}'
);

-- Owner: src/providers/card.

-- Books of the sandbox acquirer, which stands for a company outside production. A card number is
-- never kept: only what it steers to (script), the brand and the last four digits.
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
  captured_minor       numeric(40) not null default 0
    check (captured_minor >= 0 and captured_minor <= amount_minor),
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

-- Idempotency keys of the calls that change a payment, with what they asked for and how often
-- they came.
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
create index sandbox_card_events_due on sandbox_card_events (due_at, number)
  where delivered_at is null;

-- Owner: src/providers/card-source.

-- Books of the sandbox issuer of single-use cards, which stands for a company outside
-- production.
create table sandbox_issued_cards (
  reference      text primary key,
  -- What the card was asked for under: the same card again.
  key            text not null unique,
  -- Keyed hash of the number, by which an authorisation finds its card.
  number_hash    bytea not null unique,
  -- Number, expiry and security code; forgotten when the card is closed.
  sealed_card    bytea,
  limit_minor    numeric(40) not null check (limit_minor > 0),
  currency       text not null,
  status         text not null check (status in ('open', 'used', 'closed')),
  created_at     timestamptz not null,
  closed_at      timestamptz
);

-- Every question of a shop about such a card. Of those that were approved above zero there is
-- one per card at most.
create table sandbox_issued_authorisations (
  reference      text not null references sandbox_issued_cards,
  nr             integer not null,
  amount_minor   numeric(40) not null check (amount_minor >= 0),
  currency       text not null,
  merchant       text not null,
  approved       boolean not null,
  reason         text not null,
  at             timestamptz not null,
  primary key (reference, nr)
);
create unique index sandbox_issued_authorisations_once on sandbox_issued_authorisations (reference)
  where approved and amount_minor > 0;
