-- Owner: src/providers/card-source. Books of the sandbox issuer of single-use cards, which stands for a company outside production.
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

-- Every question of a shop about such a card. Of those that were approved above zero there is one per card at most.
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
create unique index sandbox_issued_authorisations_once on sandbox_issued_authorisations (reference) where approved and amount_minor > 0;
