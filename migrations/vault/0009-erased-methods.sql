-- Owner: src/vault (persons).

-- How many methods were wiped when the person was erased: who asks again, since it was cut off
-- before the main side had done its part, is told the same.
alter table told_persons add column erased_methods integer not null default 0;
