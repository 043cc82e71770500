-- Owner: src/areas/agent-checkouts. Seals of what a user asked for (src/store/row-mac.ts): target, cap, and whose address and logins it is
-- bought with; and of where the picture of a run is, which users type into.
alter table agent_checkouts add column mac text;
alter table agent_checkouts add column live_mac text;
