-- How many checkouts of a user and of a project are open is counted whenever one more is created.
create index agent_checkouts_open on agent_checkouts (project_id, user_id) where ended_at is null;
