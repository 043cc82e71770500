-- Owner: src/areas/order-limits.

-- What an order took is of one counter, whose id is under its seal, and not of whichever stands in
-- its place later. What open orders took before counts until its period is over.
truncate order_limit_uses;
alter table order_limit_uses add column counter_id uuid not null;
