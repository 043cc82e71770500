-- Owner: src/providers/screening. What each comparison with sanctions lists said, and what it was compared with. Never pruned:
-- supervisors ask for years.
create table screening_decisions (
  id uuid primary key,
  project_id uuid not null,
  -- What the decision is about, e.g. `transaction:<id>`.
  subject text not null,
  chain text not null,
  addresses text[] not null,
  outcome text not null check (outcome in ('clear', 'blocked')),
  -- Of a blocked one: `{address, list, listVersion, digest, entry}`.
  hit jsonb,
  -- Every list that was compared with: `[{list, version, digest}]`.
  lists jsonb not null,
  decided_at timestamptz not null
);

create index screening_decisions_of_subject on screening_decisions (subject, decided_at desc);
create index screening_decisions_blocked on screening_decisions (project_id, decided_at desc) where outcome = 'blocked';
