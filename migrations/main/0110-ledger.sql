-- Owner: src/ledger. The books: append-only, balanced per asset, each reference once. See docs/decisions/0023-ledger.md.

-- What can be counted, and how many digits its smallest unit has. An asset never changes its decimals.
create table ledger_assets (
  asset         text collate "C" primary key,  -- a fiat code in lower case, '<chain>:<token address>' or '<chain>:native'
  decimals      smallint not null check (decimals between 0 and 77),
  symbol        text not null,
  registered_at timestamptz not null default now()
);

-- Fiat currencies with the digits of ISO 4217.
insert into ledger_assets (asset, decimals, symbol)
select code, 2, upper(code) from unnest(regexp_split_to_array(
  'aed afn all amd aoa ars aud awg azn bam bbd bdt bgn bmd bnd bob brl bsd btn bwp byn bzd cad cdf chf cny cop crc cup
  cve czk dkk dop dzd egp ern etb eur fjd fkp gbp gel ghs gip gmd gtq gyd hkd hnl htg huf idr ils inr irr jmd kes kgs
  khr kpw kyd kzt lak lbp lkr lrd lsl mad mdl mga mkd mmk mnt mop mru mur mvr mwk mxn myr mzn nad ngn nio nok npr nzd
  pab pen pgk php pkr pln qar ron rsd rub sar sbd scr sdg sek sgd shp sle sos srd ssp stn svc syp szl thb tjs tmt top
  try ttd twd tzs uah usd uyu uzs ves wst xcd yer zar zmw', '\s+')) code;
insert into ledger_assets (asset, decimals, symbol)
select code, 0, upper(code) from unnest(string_to_array('bif clp djf gnf isk jpy kmf krw pyg rwf ugx vnd vuv xaf xof xpf', ' ')) code;
insert into ledger_assets (asset, decimals, symbol)
select code, 3, upper(code) from unnest(string_to_array('bhd iqd jod kwd lyd omr tnd', ' ')) code;

-- One movement. A hold is ended by a later row, never by a change: 'settle' posts it, 'void' drops it.
create table ledger_entries (
  id           uuid primary key,
  written      bigint generated always as identity,  -- orders entries of one instant; not the order of commits
  project_id   uuid not null,
  reference    text not null check (length(reference) between 1 and 300),  -- of the hold itself, where the row ends one
  kind         text not null check (length(kind) between 1 and 100),
  phase        text not null check (phase in ('post', 'hold', 'settle', 'void')),
  hold_id      uuid,
  order_id     uuid,
  effective_at timestamptz not null,  -- the chain's or the bank's time
  recorded_at  timestamptz not null,  -- ours
  leg_count    smallint not null check (leg_count >= 2),
  data         jsonb not null,
  content_hash bytea,                 -- sha256 of what the caller gave: the same reference again must say the same
  check ((phase in ('settle', 'void')) = (hold_id is not null)),
  check ((hold_id is null) = (content_hash is not null))
);
create unique index ledger_entries_reference on ledger_entries (project_id, reference) where hold_id is null;
create unique index ledger_entries_hold on ledger_entries (hold_id) where hold_id is not null;
create index ledger_entries_order on ledger_entries (order_id, recorded_at, written) where order_id is not null;
create index ledger_entries_project on ledger_entries (project_id, recorded_at, written);

-- The legs. Debits are positive, credits negative. A hold moves pending; its settling moves that into posted; a void takes it back.
create table ledger_postings (
  entry_id      uuid not null,
  leg           smallint not null check (leg >= 1),
  project_id    uuid not null,
  account       text collate "C" not null check (length(account) between 3 and 200),
  asset         text collate "C" not null,
  posted_minor  numeric(78, 0) not null,
  pending_minor numeric(78, 0) not null,
  recorded_at   timestamptz not null,
  primary key (entry_id, leg),
  check (posted_minor <> 0 or pending_minor <> 0)
);
create index ledger_postings_account on ledger_postings (project_id, account, recorded_at);

-- Entries that no checkpoint counts yet: a queue beside the books. Written with them, emptied by the folding.
create table ledger_tail (
  id          uuid primary key,
  project_id  uuid not null,
  entry_ids   uuid[] not null
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500);
create index ledger_tail_project on ledger_tail (project_id);

-- Sums of everything folded so far, per account and asset. The newest row of a pair counts.
create table ledger_checkpoints (
  project_id    uuid not null,
  account       text collate "C" not null,
  asset         text collate "C" not null,
  fold          bigint not null,
  posted_minor  numeric(78, 0) not null,
  pending_minor numeric(78, 0) not null,
  folded_at     timestamptz not null,
  primary key (project_id, account, asset, fold)
);

-- One row that folders queue on.
create table ledger_folds (id int primary key check (id = 1), fold bigint not null);
insert into ledger_folds (id, fold) values (1, 0);
