-- Owner: src/areas/orders. A dispute, or what a bank says late, asks for the operator after an order was closed by hand, too.
create index orders_attention_any on orders (project_id, created_at) where attention is not null;
drop index orders_attention;
