-- Orders that are paid in just this token and amount, near in time: what a deposit of nobody may have been meant for. Owner: src/areas/orders.
create index orders_paid_in_tokens on orders
  (project_id, (terms -> 'pay' ->> 'asset'), (terms -> 'pay' ->> 'amountMinor'), created_at) where kind in ('offramp', 'checkout');
