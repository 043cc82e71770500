-- Seals (src/store/row-mac.ts) of who was verified for what, by which inquiry of whom, and whether a project asks for it at all.
-- Owner: src/areas/identity.
alter table identity_entries add column id uuid not null default gen_random_uuid(), add column mac text;
create unique index identity_entries_id on identity_entries (id);
alter table identity_reviews add column mac text;
alter table identity_projects add column mac text;
