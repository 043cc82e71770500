-- Owner: src/areas/operator. Whose each passkey is: nobody's twice, also when two are registered at once. Kept when a right ends.
create table operator_passkeys (
  credential_id text primary key,
  operator_id uuid not null
);
insert into operator_passkeys (credential_id, operator_id)
  select passkey ->> 'id', o.id from operators o, jsonb_array_elements(o.passkeys) as passkey order by o.created_at
  on conflict do nothing;
