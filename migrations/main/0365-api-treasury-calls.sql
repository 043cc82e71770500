-- Owner: src/chains/evm/relay. The API hands one thing to the treasury account: the mint of a test token, of the funding endpoint that
-- development and staging have. Anything else in its name would be money of the service itself.
create function evm_treasury_calls_check_api() returns trigger language plpgsql as $$
begin
  if new.value_wei <> 0 or substring(new.data from 1 for 4) <> '\x40c10f19' or new.status <> 'queued' then
    raise exception 'the API asks the treasury for mints of a test token only' using errcode = '42501';
  end if;
  return new;
end
$$;
create trigger evm_treasury_calls_api before insert on evm_treasury_calls
  for each row when (current_user = 'purser_api') execute function evm_treasury_calls_check_api();
