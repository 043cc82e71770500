-- Owner: src/areas/treasury.

-- SHA-256 of the operation that is handed over: of a treasury, custody signs late for no other.
alter table treasury_transfers add column operation_digest bytea;
create index treasury_transfers_operation on treasury_transfers (operation_digest)
  where operation_digest is not null;
