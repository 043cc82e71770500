-- Owner: src/http (signed requests of runners). Nonces that were used, until their time window is over.
create table internal_nonces (
  peer       text not null,
  nonce      text not null,
  expires_at timestamptz not null,
  primary key (peer, nonce)
);
create index internal_nonces_by_expiry on internal_nonces (expires_at);

-- Owner: src/areas/agent-checkouts. Where the runner that has the run shows its live picture; null without one.
alter table agent_checkouts add column live_origin text;

-- The runner's own name of a question: repeated, because an answer was lost, it is the same question.
alter table agent_checkout_actions add column request_key uuid;
create unique index agent_checkout_actions_key on agent_checkout_actions (checkout_id, request_key) where request_key is not null;
-- Who has taken the answer: the same hold may take it again for a moment, in case it got lost on its way.
alter table agent_checkout_actions add column taken_by bigint;
