-- Owner: src/areas/payment-methods. What is personal is in the two sealed columns, under the user's data key.
create table payment_methods (
  id uuid primary key,
  project_id uuid not null,
  user_key_id uuid not null references user_keys (id),
  type text not null,
  -- What an answer shows, and the version that its seal is bound to. Empty once the user was erased.
  version int not null,
  sealed_details bytea not null,
  -- The account or card number and what else leaves with a payout only; its own version, so that a change of what is shown
  -- opens no number. Empty once the user was erased.
  account_version int not null,
  sealed_account bytea not null,
  -- Keyed hash of the account's identity within the project. Null once the user was erased.
  fingerprint bytea,
  is_default boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  last_payout_at timestamptz,
  deleted_at timestamptz
);

create unique index payment_methods_same_user on payment_methods (user_key_id, fingerprint) where deleted_at is null;
create unique index payment_methods_default on payment_methods (user_key_id) where is_default and deleted_at is null;
create index payment_methods_of_user on payment_methods (user_key_id, created_at desc, id desc) where deleted_at is null;
create index payment_methods_by_fingerprint on payment_methods (project_id, fingerprint) where deleted_at is null;

-- New methods per user and per project on each day, for the caps. The subject is a user key, or `project`.
create table payment_method_creations (
  project_id uuid not null,
  subject text not null,
  day date not null,
  count int not null,
  primary key (project_id, subject, day)
);
create index payment_method_creations_by_day on payment_method_creations (day);
