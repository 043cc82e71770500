-- The newest events of one type, of a project: the console's list. Owner: src/areas/webhooks.
create index events_by_type on events (project_id, type, position);
