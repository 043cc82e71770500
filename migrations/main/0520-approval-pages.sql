-- Owner: src/areas/approval-page. How a project's approval page looks, and which pages may show it inside of theirs. Sealed
-- (src/store/row-mac.ts): whoever frames the page can have its user press what he does not see.
create table approval_pages (
  project_id uuid primary key references projects (id),
  settings jsonb not null check (length(settings::text) <= 102400),
  updated_at timestamptz not null,
  mac text
);
