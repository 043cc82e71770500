-- Owner: src/areas/users. What names or describes a person is sealed with the user's own key, or
-- kept as a keyed hash where it must be found by its value. Erasing a user deletes the key: nothing
-- that it sealed can be read again, backups included.

-- Keys of the hashes, one per project, sealed by the service's key-encryption key.
create table user_lookup_keys (
  project_id uuid primary key,
  sealed_key bytea not null,
  sealed_by  text not null,
  created_at timestamptz not null
);

create table users (
  id             uuid primary key,
  project_id     uuid not null,
  -- The user that this one turned out to be; itself otherwise. Always the end of the way,
  -- never a stop on it.
  person_id      uuid not null references users (id) on delete cascade,
  sealed_key     bytea not null,
  -- Id of the key-encryption key that wraps it.
  sealed_by      text not null,
  -- Locators, data blocks and accepted documents, sealed with the user's key and bound to the
  -- version.
  sealed_record  bytea not null,
  record_version int not null,
  -- True once data or documents were provided: two such users are never made one.
  has_data       boolean not null,
  created_at     timestamptz not null,
  updated_at     timestamptz not null,
  -- Seal (src/store/row-mac.ts) of which person the user is.
  mac            text
);
create index users_by_person on users (person_id);
create index users_by_sealing_key on users (sealed_by, id);
-- The console's list: the newest first of a project, one short read of an index for each page.
create index users_page on users (project_id, created_at, id);

create table user_locators (
  project_id   uuid not null,
  -- HMAC-SHA-256 of the normalised locator.
  locator_hash bytea not null,
  user_id      uuid not null references users (id) on delete cascade,
  id           uuid not null default gen_random_uuid(),
  -- Seal of whose it is.
  mac          text,
  primary key (project_id, locator_hash)
);
create index user_locators_by_user on user_locators (user_id);

create table user_documents (
  id             uuid primary key,
  project_id     uuid not null,
  user_id        uuid not null references users (id) on delete cascade,
  document_type  text not null,
  media_type     text not null,
  byte_count     int not null,
  sealed_content bytea not null,
  created_at     timestamptz not null,
  unique (user_id, document_type)
);
-- Sealed bytes do not compress.
alter table user_documents alter column sealed_content set storage external;

-- How often something was done in the present window, by a user or by a whole project (then the
-- subject is the project).
create table user_allowances (
  project_id   uuid not null,
  subject      uuid not null,
  kind         text not null,
  window_start timestamptz not null,
  taken        int not null,
  primary key (project_id, subject, kind)
);

-- That somebody was erased, and when: the proof that the operator keeps. Names nobody.
create table user_erasures (
  user_id    uuid primary key,
  project_id uuid not null,
  erased_at  timestamptz not null
);

-- Owner: src/areas/vault-directory.

-- Users with several locators whom the vault is to be told of, since it keeps payment methods by
-- person. A row goes once the vault has taken it, unless it was noted anew meanwhile.
create table vault_persons_due (
  user_id uuid primary key references users (id) on delete cascade,
  version bigint not null default 1
);

-- A user with one locator is a person of its own there too, and need not be told.
create function note_vault_person() returns trigger language plpgsql as $$
begin
  if (select count(*) from user_locators where user_id = new.user_id) > 1 then
    insert into vault_persons_due as due (user_id) values (new.user_id) on conflict (user_id) do update set version = due.version + 1;
  end if;
  return null;
end
$$;
create trigger user_locators_vault_person after insert or update of user_id on user_locators
  for each row execute function note_vault_person();

-- Owner: src/areas/identity.

-- Whether a project has the product. Without a row: yes outside production.
create table identity_projects (
  project_id uuid primary key,
  enabled    boolean not null,
  updated_at timestamptz not null,
  -- Seals (src/store/row-mac.ts) here and below: who was verified for what, by which inquiry of
  -- whom, and whether a project asks for it at all.
  mac        text
);

-- One check of one person by the identity company. Holds no personal data.
create table identity_reviews (
  id                  uuid primary key,
  project_id          uuid not null,
  user_id             uuid not null references users (id) on delete cascade,
  level               text not null check (level in ('light', 'full')),
  provider            text not null,
  -- The company's own id, once it told it.
  inquiry_id          text,
  status              text not null
    check (status in ('active', 'passed', 'refused', 'document-requested', 'expired', 'superseded',
      'failed')),
  created_at          timestamptz not null,
  ended_at            timestamptz,
  mac                 text
);
create unique index identity_reviews_by_inquiry on identity_reviews (provider, inquiry_id)
  where inquiry_id is not null;
create index identity_reviews_by_user on identity_reviews (user_id, created_at);

-- Eligibility, one row per type once it left `not-started` for the first time.
create table identity_entries (
  user_id             uuid not null references users (id) on delete cascade,
  type                text not null,
  status              text not null,
  -- The review that decides or decided it.
  review_id           uuid,
  -- Keyed hash of the data that was reviewed: other data has to be reviewed again.
  basis               bytea,
  -- Documents that the company asked for, and the uploads it had then, which do not count any
  -- more.
  requested_documents text[] not null default '{}',
  outdated_uploads    uuid[] not null default '{}',
  updated_at          timestamptz not null,
  id                  uuid not null default gen_random_uuid(),
  mac                 text,
  primary key (user_id, type)
);
create unique index identity_entries_id on identity_entries (id);

-- Callbacks seen, so that a repeated one does nothing.
create table identity_callbacks (
  provider    text not null,
  event_id    text not null,
  received_at timestamptz not null,
  primary key (provider, event_id)
);
create index identity_callbacks_by_age on identity_callbacks (received_at);

-- Owner: src/areas/linked-wallets.

-- The primary key decides whose a wallet is.
create table linked_wallets (
  project_id    uuid not null,
  -- HMAC-SHA-256 of the canonical address.
  wallet_hash   bytea not null,
  user_id       uuid not null references users (id) on delete cascade,
  -- Address as sent, chain, and the digest of the proof that was accepted; sealed with the
  -- user's key.
  sealed_wallet bytea not null,
  version       int not null,
  verified_at   timestamptz,
  created_at    timestamptz not null,
  updated_at    timestamptz not null,
  -- What a contract accepts is proved on its chain only: elsewhere its address may be somebody
  -- else's. Such a link is a row of its own that names the chain; claims without proof and
  -- proofs by key, which hold on every chain, name none.
  chain_scope   text not null default '',
  primary key (project_id, wallet_hash, chain_scope)
);
create index linked_wallets_by_user on linked_wallets (user_id);

-- Texts that wait to be signed. Using one deletes it. The user need not be the one who has the
-- wallet now.
create table linked_wallet_challenges (
  id               uuid primary key,
  project_id       uuid not null,
  wallet_hash      bytea not null,
  user_id          uuid not null references users (id) on delete cascade,
  sealed_challenge bytea not null,
  created_at       timestamptz not null,
  expires_at       timestamptz not null
);
create index linked_wallet_challenges_by_wallet on linked_wallet_challenges (wallet_hash, user_id);
create index linked_wallet_challenges_by_user on linked_wallet_challenges (user_id);
create index linked_wallet_challenges_by_expiry on linked_wallet_challenges (expires_at);
