-- What a contract accepts is proved on its chain only: elsewhere its address may be somebody else's. Such a link is a row of its
-- own that names the chain; claims without proof and proofs by key, which hold on every chain, name none.
alter table linked_wallets add column chain_scope text not null default '';
alter table linked_wallets drop constraint linked_wallets_pkey;
alter table linked_wallets add primary key (project_id, wallet_hash, chain_scope);
-- Which of the earlier proofs were a contract's was not kept: they have to be given again.
update linked_wallets set verified_at = null;
