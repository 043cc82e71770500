-- An operator may have a parked event handled again: its reader takes those that are asked for.
alter table outbox_parked add column retry_asked_at timestamptz;
create index outbox_parked_asked on outbox_parked (reader, retry_asked_at) where retry_asked_at is not null;
