#!/bin/sh
# Runs once, when the database is made: the users of the API and of the worker. What they may do is granted by `purser migrate`.
set -eu
psql -v ON_ERROR_STOP=1 -v api="$API_POSTGRES_PASSWORD" -v worker="$WORKER_POSTGRES_PASSWORD" \
  --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" <<'SQL'
create role purser_api login password :'api';
create role purser_worker login password :'worker';
SQL
