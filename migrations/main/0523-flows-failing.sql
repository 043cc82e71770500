-- Work that is tried again, few whatever is under way: the console's page of health. Owner: src/jobs.
create index flows_failing on flows (id) where status = 'active' and last_error is not null;
