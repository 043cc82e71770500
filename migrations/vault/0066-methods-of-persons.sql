-- Payment methods belong to a person, whichever locator they were saved under; the data key stays that of the locator.
alter table payment_methods add column person_id uuid;
update payment_methods set person_id = user_key_id;
alter table payment_methods alter column person_id set not null;
-- The method that stayed when two locators with the same account became one person: this one's id leads there.
alter table payment_methods add column merged_into uuid;
create index payment_methods_merged on payment_methods (merged_into) where merged_into is not null;

drop index payment_methods_same_user;
drop index payment_methods_default;
drop index payment_methods_of_user;
create unique index payment_methods_same_person on payment_methods (person_id, fingerprint) where deleted_at is null;
create unique index payment_methods_default on payment_methods (person_id) where is_default and deleted_at is null;
create index payment_methods_of_person on payment_methods (person_id, created_at desc, id desc) where deleted_at is null;
create index payment_methods_by_key on payment_methods (user_key_id);
