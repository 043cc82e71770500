-- What an operation is for: which area hears of its end.
alter table transactions add column subject text not null default 'transaction';
alter table evm_operations add column subject text not null default 'transaction';
alter table solana_operations add column subject text not null default 'transaction';
