-- Owner: src/areas/wallets. Scopes of delegated signers that were given when the wallet was created, amounts in the smallest unit.
alter table wallet_signers add column scopes jsonb not null default '[]';
