-- Owner: src/providers/kyc. What the sandbox's page asks the person for beside the names, so that nobody is verified who gave nothing.
alter table kyc_sandbox_inquiries add column asks text[] not null default '{}';
