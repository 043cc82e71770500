-- Owner: src/chains/evm/relay. `queued` is what can be claimed at once, and nothing else, so that a claim never wades through
-- operations that cannot: `held` is claimed (with a token) or postponed (without), until `run_at`.
alter table evm_operations drop constraint evm_operations_status_check;
alter table evm_operations add constraint evm_operations_status_check check (status in ('queued', 'held', 'sent', 'settled'));
update evm_operations set status = 'held', run_at = greatest(run_at, claim_until) where status = 'queued' and (run_at > now() or claim_until > now());
alter table evm_operations drop column claim_until;
create index evm_operations_held on evm_operations (chain, run_at) where status = 'held';
