-- Owner: src/areas/users. Seals of who is whom (src/store/row-mac.ts): which person a user is, and whose a locator is.

alter table users add column mac text;
alter table user_locators add column id uuid not null default gen_random_uuid(), add column mac text;
