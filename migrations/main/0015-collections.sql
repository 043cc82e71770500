-- Owner: src/areas/collections.

-- What a project sells of collections: new items, minted for each buyer, or tokens that its
-- treasury holds.
create table collection_offers (
  id                uuid primary key,
  -- The order of the lists.
  nr                bigint generated always as identity,
  project_id        uuid not null,
  kind              text not null check (kind in ('mint', 'sale')),
  chain             text not null,
  -- The contract, canonical and as it is shown.
  token_key         text not null,
  address           text not null,
  -- Of an edition, or of the token that is sold.
  token_id          text,
  standard          text not null,
  mint_function     text,
  name              text not null,
  description       text,
  image_url         text,
  symbol            text,
  -- Null: free.
  price_amount      text,
  price_currency    text,
  -- Null: without end.
  supply_max        bigint check (supply_max > 0),
  per_order_max     integer not null check (per_order_max > 0),
  per_recipient_max bigint check (per_recipient_max > 0),
  -- What orders hold or have received.
  taken             bigint not null default 0 check (taken >= 0),
  created_at        timestamptz not null,
  stopped_at        timestamptz,
  -- Seal (src/store/row-mac.ts) over what is sold, how it is made, and at which price.
  mac               text,
  check ((kind = 'mint') = (mint_function is not null)),
  check ((price_amount is null) = (price_currency is null))
);
create unique index collection_offers_page on collection_offers (project_id, nr);
create unique index collection_offers_open on collection_offers
  (project_id, kind, chain, token_key, token_id) nulls not distinct
  where stopped_at is null;

-- What each line item of an order holds of an offer, so that it is given back once. Recipients
-- as digests.
create table collection_reservations (
  order_id   uuid not null,
  line_item  smallint not null,
  offer_id   uuid not null references collection_offers (id),
  recipient  bytea,
  quantity   bigint not null check (quantity > 0),
  created_at timestamptz not null,
  primary key (order_id, line_item)
);
create index collection_reservations_recipient on collection_reservations (offer_id, recipient);

-- What is sold, by which call, and at which price, is an operator's: the API's role counts what is
-- taken of it.
create function collection_offers_check_api() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and to_jsonb(new) - 'taken' = to_jsonb(old) - 'taken' then
    return new;
  end if;
  raise exception 'The role of the API makes, changes and removes no offers.' using errcode = 'insufficient_privilege';
end $$;
create trigger collection_offers_api before insert or update or delete on collection_offers
  for each row when (current_user = 'purser_api') execute function collection_offers_check_api();
