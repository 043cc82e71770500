-- Owner: src/chains/evm/relay. Operations that ended without ever being in a transaction, for their deletion.
create index evm_operations_unsent on evm_operations (settled_at) where status = 'settled' and send_id is null;
