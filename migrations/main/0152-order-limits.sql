-- Owner: src/areas/order-limits.

-- What has been used of limits, per subject and day or month of New York. Hundredths of a US dollar.
create table order_limit_usage (
  project_id uuid not null,
  subject    text not null,
  period     text not null,
  used_cents numeric(20, 0) not null check (used_cents >= 0),
  updated_at timestamptz not null,
  primary key (project_id, subject, period)
);
create index order_limit_usage_age on order_limit_usage (updated_at);

-- What each order took, so that it can be given back once.
create table order_limit_uses (
  order_id   uuid not null,
  project_id uuid not null,
  subject    text not null,
  period     text not null,
  cents      numeric(20, 0) not null,
  at         timestamptz not null,
  primary key (order_id, subject, period)
);
create index order_limit_uses_age on order_limit_uses (at);
