-- Owner: src/providers/calls.

-- Calls to companies and nodes in ten minutes, of all processes together.
create table provider_calls (
  bucket_at timestamptz not null,
  provider  text not null check (length(provider) between 1 and 200),
  calls     bigint not null check (calls > 0),
  failures  bigint not null check (failures between 0 and calls),
  primary key (bucket_at, provider)
);
