-- Owner: src/areas/agent-checkouts. Seals of questions to users (src/store/row-mac.ts): what was asked, and whether it was answered.

-- Null of one that was changed behind the service and has ended since.
alter table agent_checkout_actions add column mac text;
