-- What the lists of the console read: the newest first of a project, one short read of an index for each page.
-- Owner: src/areas/orders.
create index orders_state_page on orders (project_id, state, created_at, id);
create index orders_payouts on orders (project_id, created_at, id) where payout_id is not null;
create index orders_payouts_by_status on orders
  (project_id, (facts -> 'payout' ->> 'status'), (facts -> 'payout' ->> 'rail'), created_at, id) where payout_id is not null;
-- Those at no end yet, which are few whatever was paid: an order by time over all of them would be walked to its end.
create index orders_payouts_open on orders (project_id, created_at, id)
  where payout_id is not null and facts -> 'payout' ->> 'status' in ('asked', 'held');
-- Owner: src/areas/wallets.
create index wallets_page on wallets (project_id, created_at, id);
-- Owner: src/areas/agent-checkouts.
create index agent_checkouts_project on agent_checkouts (project_id, created_at, id);
