-- Owner: src/areas/vault-directory. Users with several locators whom the vault is to be told of, since it keeps payment methods
-- by person. A row goes once the vault has taken it, unless it was noted anew meanwhile.
create table vault_persons_due (
  user_id uuid primary key references users (id) on delete cascade,
  version bigint not null default 1
);

-- A user with one locator is a person of its own there too, and need not be told.
create function note_vault_person() returns trigger language plpgsql as $$
begin
  if (select count(*) from user_locators where user_id = new.user_id) > 1 then
    insert into vault_persons_due as due (user_id) values (new.user_id) on conflict (user_id) do update set version = due.version + 1;
  end if;
  return null;
end
$$;

create trigger user_locators_vault_person after insert or update of user_id on user_locators
  for each row execute function note_vault_person();

insert into vault_persons_due (user_id) select user_id from user_locators group by user_id having count(*) > 1;
