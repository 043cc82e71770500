-- Owner: src/areas/agent-checkouts. What operators decided about purchases of which nobody knew whether the shop has the order.
create table agent_checkout_decisions (
  checkout_id        uuid primary key references agent_checkouts (id) on delete cascade,
  outcome            text not null check (outcome in ('placed', 'not-placed')),
  merchant_order_id  text,
  decided_by         text not null,
  note               text not null,
  decided_at         timestamptz not null
);

-- Operators list a project's checkouts, and those that wait for them.
create index agent_checkouts_of_project on agent_checkouts (project_id, created_at, id);
create index agent_checkouts_undecided on agent_checkouts (project_id, created_at, id) where outcome = 'unknown';
