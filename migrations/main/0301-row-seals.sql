-- Rows that decide who may act carry a seal, '<key id>.<HMAC>', of src/store/row-mac.ts. None: the row is not ours, and nothing is done
-- with it. Owners: src/areas/wallets, src/areas/projects, src/areas/api-keys; of what awaits approvals src/areas/transactions and
-- src/areas/signatures, where only such rows carry one.
alter table wallets add column mac text;
alter table trusted_issuers add column mac text;
alter table api_keys add column mac text;
alter table transactions add column mac text;
alter table signatures add column mac text;
