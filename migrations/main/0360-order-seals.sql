-- Seals of rows that decide whom money goes to, and how much (src/store/row-mac.ts).

-- Owner: src/areas/orders. Null of an order that was found changed behind the service: it never carries a seal again.
alter table orders add column mac text;
-- Of refunds on a chain; over what never changes of them.
alter table order_refunds add column mac text;

-- Owner: src/areas/collections. Over what is sold, how it is made, and at which price.
alter table collection_offers add column mac text;
