-- Owner: src/areas/collections. What is sold, by which call, and at which price, is an operator's: the API's role counts what is taken of it.

create function collection_offers_check_api() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and to_jsonb(new) - 'taken' = to_jsonb(old) - 'taken' then
    return new;
  end if;
  raise exception 'The role of the API makes, changes and removes no offers.' using errcode = 'insufficient_privilege';
end $$;

create trigger collection_offers_api before insert or update or delete on collection_offers for each row
  when (current_user = 'purser_api') execute function collection_offers_check_api();
