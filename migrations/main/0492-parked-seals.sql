-- Owner: src/jobs. The seal of a parked event stands in a column as others do, and is made anew with them when the key is another one.
alter table outbox_parked add column mac text;
update outbox_parked set mac = event ->> 'mac', event = event - 'mac';
