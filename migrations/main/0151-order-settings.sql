-- Owner: src/areas/orders.
-- What an operator has set for a project: fees, limits, tolerances. Absent values are the service's defaults.
create table order_settings (
  project_id uuid primary key,
  settings   jsonb not null,
  updated_at timestamptz not null
);
