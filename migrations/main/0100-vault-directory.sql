-- Owner: src/areas/vault-directory. Which API keys and issuers changed since when: the vault keeps a copy of them. Every
-- change takes the one row of vault_directory, so versions become visible in their order and none is missed.
create table vault_directory (
  id int primary key check (id = 1),
  -- Another one for another database: the vault then starts its copy anew.
  epoch uuid not null,
  version bigint not null
);
insert into vault_directory (id, epoch, version) values (1, gen_random_uuid(), 0);

alter table api_keys add column directory_version bigint not null default 0;
alter table trusted_issuers add column directory_version bigint not null default 0;
create index api_keys_by_directory_version on api_keys (directory_version);
create index trusted_issuers_by_directory_version on trusted_issuers (directory_version);

-- Issuers that were removed.
create table vault_directory_removals (
  version bigint primary key,
  issuer_id uuid not null
);

create function next_directory_version() returns bigint language sql as $$
  update vault_directory set version = version + 1 where id = 1 returning version
$$;

create function stamp_directory_version() returns trigger language plpgsql as $$
begin
  new.directory_version := next_directory_version();
  return new;
end
$$;

create function note_directory_removal() returns trigger language plpgsql as $$
begin
  insert into vault_directory_removals (version, issuer_id) values (next_directory_version(), old.id);
  return old;
end
$$;

create trigger api_keys_directory_version before insert or update on api_keys
  for each row execute function stamp_directory_version();
create trigger trusted_issuers_directory_version before insert or update on trusted_issuers
  for each row execute function stamp_directory_version();
create trigger trusted_issuers_directory_removal after delete on trusted_issuers
  for each row execute function note_directory_removal();

-- What is there already gets its version from the triggers.
update api_keys set directory_version = 0;
update trusted_issuers set directory_version = 0;
