#!/bin/sh
# Runs once, when the vault's database is made: the user of the running vault. What it may do is granted by `purser vault migrate`.
set -eu
psql -v ON_ERROR_STOP=1 -v service="$VAULT_SERVICE_POSTGRES_PASSWORD" --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" <<'SQL'
create role purser_vault_service login password :'service';
SQL
