-- Owner: src/areas/webhooks. A lane that is closed and opened again counted its claims from 0, so that what a process said of a claim of
-- long ago could pass for the outcome of one of today. Every claim has a number of its own; it begins above all that were counted so far.
create sequence webhook_fences start 1000000000;
