-- Owner: src/areas/operator. What one operator has signed and another one has to, because of its amount.
alter table operator_actions drop constraint operator_actions_status_check;
alter table operator_actions add constraint operator_actions_status_check check (status in ('asked', 'waiting', 'done', 'refused'));
create index operator_actions_waiting on operator_actions (created_at, id) where status = 'waiting';
