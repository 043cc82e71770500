-- Owner: src/areas/identity.

-- Whether a project has the product. Without a row: yes outside production.
create table identity_projects (
  project_id uuid primary key,
  enabled    boolean not null,
  updated_at timestamptz not null
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
  status              text not null check (status in ('active', 'passed', 'refused', 'document-requested', 'expired', 'superseded', 'failed')),
  created_at          timestamptz not null,
  ended_at            timestamptz
);
create unique index identity_reviews_by_inquiry on identity_reviews (provider, inquiry_id) where inquiry_id is not null;
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
  -- Documents that the company asked for, and the uploads it had then, which do not count any more.
  requested_documents text[] not null default '{}',
  outdated_uploads    uuid[] not null default '{}',
  updated_at          timestamptz not null,
  primary key (user_id, type)
);

-- Callbacks seen, so that a repeated one does nothing.
create table identity_callbacks (
  provider    text not null,
  event_id    text not null,
  received_at timestamptz not null,
  primary key (provider, event_id)
);
create index identity_callbacks_by_age on identity_callbacks (received_at);
