-- Owner: src/providers/custody. What a key signs for: 'project' for the wallets of its project that name it, else the one wallet of this
-- id. Bound into the seal like project, curve and purpose.
alter table custody_keys add column subject text not null default 'project';
alter table custody_keys drop constraint custody_keys_one_per_purpose;
alter table custody_keys add constraint custody_keys_one_per_subject unique (project_id, curve, purpose, subject);
