-- Owner: src/vault (persons). One person may have several locators, and a data key for each that something was saved under.
-- Which locators are one person only the main side can know: it tells. Until then each locator is a person of its own.
create table persons (
  -- That of the first data key, or of the main side's first word.
  id uuid primary key
);

create table owners (
  project_id uuid not null,
  -- As in user_keys: the keyed hash of a locator.
  owner_ref bytea not null,
  person_id uuid not null,
  primary key (project_id, owner_ref)
);
create index owners_by_person on owners (person_id);

-- Persons of the main side that were told, by the keyed hash of their id as a locator; one that was erased is not joined again
-- by what was on its way.
create table told_persons (
  project_id uuid not null,
  person_ref bytea not null,
  erased_at timestamptz,
  primary key (project_id, person_ref)
);

insert into persons (id) select id from user_keys where destroyed_at is null;
insert into owners (project_id, owner_ref, person_id) select project_id, owner_ref, id from user_keys where destroyed_at is null;
