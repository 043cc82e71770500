-- Owner: src/areas/agent-checkouts. Purchases behind the permit that have not ended: their item is not bought by another checkout meanwhile.
create index agent_checkouts_buying on agent_checkouts (user_id, item_key) where armed_at is not null and ended_at is null;
