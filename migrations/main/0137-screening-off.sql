-- Where SCREENING is off nothing was compared, and a decision is not to say that it was.
alter table screening_decisions drop constraint screening_decisions_outcome_check;
alter table screening_decisions add constraint screening_decisions_outcome_check check (outcome in ('clear', 'blocked', 'off'));
update screening_decisions set outcome = 'off' where outcome = 'clear' and lists = '[]'::jsonb;
