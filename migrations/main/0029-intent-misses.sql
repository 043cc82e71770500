-- Owner: src/chains/family/late.

-- Tries in a row that failed without an answer: a key or a node that was away says nothing of what
-- a node answers, so `refusals` does not count them.
alter table operation_intents add column misses int not null default 0;
