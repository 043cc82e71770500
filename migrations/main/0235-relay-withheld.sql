-- Owner: src/chains/evm/relay. A withheld operation is not sent (again) until it is released: what it was to pay back, or to pay for,
-- is not there. Few rows at a time, so whoever asks looks at those alone.
alter table evm_operations add column withheld boolean not null default false;
create index evm_operations_withheld on evm_operations (chain) where withheld;
