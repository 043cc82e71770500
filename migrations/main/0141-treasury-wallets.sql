-- Owner: src/areas/wallets. A treasury belongs to the orders of its project: it receives deposits, pays refunds and deliveries.
alter table wallets add column purpose text check (purpose = 'treasury');
create unique index wallets_treasury on wallets (project_id, chain_type) where purpose = 'treasury';
