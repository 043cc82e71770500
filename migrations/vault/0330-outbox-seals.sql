-- As in migrations/main/0481-webhook-seals.sql; events of the vault are signed on their way and carry no seal.
alter table outbox add column if not exists mac text;
