-- Owner: src/areas/orders. Orders that ask for the operator although they have ended or go on by themselves.
create index orders_attention on orders (project_id, created_at) where attention is not null and state <> 'closed';
