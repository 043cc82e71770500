-- What more lists of the console read: the newest first of a project, one short read of an index for each page.
-- Owner: src/areas/users.
create index users_page on users (project_id, created_at, id);
