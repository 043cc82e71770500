-- Seals of what projects are told (src/store/row-mac.ts). Owner of outbox: src/jobs; of the others: src/areas/webhooks.

-- Null of one that a person's erasure has emptied.
alter table outbox add column mac text;
alter table events add column mac text;
-- Over the project and the address that it is told at.
alter table webhook_endpoints add column mac text;
