-- What waits for an operator, oldest first.

-- Owner: src/areas/orders.
create index orders_asking on orders (project_id, updated_at, id) where state in ('on_hold', 'needs_operator') or attention is not null;
drop index order_deposits_held;
create index order_deposits_held on order_deposits (project_id, created_at, deposit_id) where use = 'held';
drop index order_refund_requests_waiting;
create index order_refund_requests_waiting on order_refund_requests (project_id, created_at, id) where status in ('initiated', 'accepted');

-- Owner: src/areas/agent-checkouts.
create index agent_checkouts_unknown on agent_checkouts (project_id, ended_at, id) where outcome = 'unknown';

-- Owner: src/areas/reconciliation.
create index reconciliation_confirmed on reconciliation_differences (project_id, first_seen_at, id)
  where gone_at is null and confirmed_at is not null;
