-- Owner: src/chains/evm/relay. What the key of an operation's account signed so that our code runs there (EIP-7702), for the case that it
-- does not yet: the transaction count that it names, and r, s, v. Chain and contract are this row's and this program's.
alter table evm_operations add column delegation_nonce bigint;
alter table evm_operations add column delegation_signature bytea;
alter table evm_operations add constraint evm_operations_delegation check ((delegation_nonce is null) = (delegation_signature is null));
