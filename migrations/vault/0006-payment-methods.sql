-- Owner: src/areas/payment-methods.

-- What is personal is in the two sealed columns, under the user's data key.
create table payment_methods (
  id uuid primary key,
  project_id uuid not null,
  user_key_id uuid not null references user_keys (id),
  type text not null,
  -- What an answer shows, and the version that its seal is bound to. Empty once the user was
  -- erased.
  version int not null,
  sealed_details bytea not null,
  -- The account or card number and what else leaves with a payout only; its own version, so
  -- that a change of what is shown opens no number. Empty once the user was erased.
  account_version int not null,
  sealed_account bytea not null,
  -- Keyed hash of the account's identity within the project. Null once the user was erased.
  fingerprint bytea,
  is_default boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  last_payout_at timestamptz,
  deleted_at timestamptz,
  -- Payment methods belong to a person, whichever locator they were saved under; the data key
  -- stays that of the locator.
  person_id uuid not null,
  -- The method that stayed when two locators with the same account became one person: this
  -- one's id leads there.
  merged_into uuid
);
create index payment_methods_by_fingerprint on payment_methods (project_id, fingerprint)
  where deleted_at is null;
create index payment_methods_merged on payment_methods (merged_into) where merged_into is not null;
create unique index payment_methods_same_person on payment_methods (person_id, fingerprint)
  where deleted_at is null;
create unique index payment_methods_default on payment_methods (person_id)
  where is_default and deleted_at is null;
create index payment_methods_of_person on payment_methods (person_id, created_at desc, id desc)
  where deleted_at is null;
create index payment_methods_by_key on payment_methods (user_key_id);

-- New methods per user and per project on each day, for the caps. The subject is a user key, or
-- `project`.
create table payment_method_creations (
  project_id uuid not null,
  subject text not null,
  day date not null,
  count int not null,
  primary key (project_id, subject, day)
);
create index payment_method_creations_by_day on payment_method_creations (day);

-- Saved cards that were sealed for a runner: one card and one total per checkout. Ids and
-- amounts only.
create table card_uses (
  project_id         uuid not null,
  checkout_id        uuid not null,
  payment_method_id  uuid not null,
  amount_minor       numeric(40) not null check (amount_minor > 0),
  currency           text not null,
  times              integer not null,
  first_at           timestamptz not null,
  primary key (project_id, checkout_id)
);
