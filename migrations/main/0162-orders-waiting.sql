-- Owner: src/areas/orders. What waits for an operator.
create index orders_waiting on orders (project_id, created_at) where state in ('on_hold', 'needs_operator');
