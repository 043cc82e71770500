-- Owner: src/areas/orders. Refunds of deposits that no order took, and of those that had to be sent again.
alter table order_refunds alter column order_id drop not null;
-- The transfer of the treasury under way or done: a new one after a failure that is for good.
alter table order_refunds add column transfer_id uuid;
alter table order_refunds add column transfers integer not null default 1;
-- How often it became final: a network that breaks its rule may take it back.
alter table order_refunds add column finals integer not null default 0;
-- The ledger account in which the money waits.
alter table order_refunds add column account text;
create unique index order_refunds_transfer on order_refunds (transfer_id) where transfer_id is not null;
create index order_refunds_open on order_refunds (project_id, created_at) where status in ('pending', 'sent', 'failed');
