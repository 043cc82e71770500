-- Owner: src/http. Requests that processes have taken out of each project's bucket in the current window.
create table rate_limits (
  project_id uuid not null,
  bucket text not null,
  window_start timestamptz not null,
  taken integer not null,
  -- Size of the last block taken: what the taking statement answers.
  granted integer not null,
  primary key (project_id, bucket)
);
