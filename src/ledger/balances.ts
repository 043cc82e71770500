import type { Db } from '../store/types.ts';
import { LedgerInvalid } from './errors.ts';
import type { AccountBalance } from './types.ts';

export interface BalancesQuery {
  readonly projectId: string;
  readonly account?: string;
  /** E.g. `bank:` for every bank account; not together with `account`. */
  readonly accountPrefix?: string;
  /** What was recorded until then, inclusive; everything when absent. */
  readonly at?: Date;
  /** The last balance of the page before. */
  readonly after?: Pick<AccountBalance, 'account' | 'asset'>;
  readonly limit: number;
}

export const balancesPerReadMax = 1_000;
/** Above every account: all are ASCII. */
const lastText = '\u{10ffff}';

/**
 * Balances of accounts that were ever posted to, by account and asset in byte order; with `at`,
 * those opened later show 0. One statement and so one snapshot: checkpoint + tail − what was
 * recorded after `at`.
 */
export async function readBalances(db: Db, query: BalancesQuery): Promise<AccountBalance[]> {
  const { projectId, account, accountPrefix = '', at, after, limit } = query;
  if (!Number.isInteger(limit) || limit < 1 || limit > balancesPerReadMax)
    throw new LedgerInvalid(`A page of balances has 1 to ${balancesPerReadMax} rows.`);
  const { rows } = await db.query<{
    account: string;
    asset: string;
    posted: string;
    pending: string;
  }>({
    name: 'ledger-balances',
    text: balancesText,
    values: [
      projectId,
      account ?? accountPrefix,
      account ?? `${accountPrefix}${lastText}`,
      after?.account ?? '',
      after?.asset ?? '',
      limit,
      at ?? 'infinity',
    ],
  });
  return rows.map((row) => ({
    account: row.account,
    asset: row.asset,
    postedMinor: BigInt(row.posted),
    pendingMinor: BigInt(row.pending),
  }));
}

/**
 * `folded` walks the checkpoints from one pair of account and asset to the next, so that a hot
 * account with a hundred thousand checkpoints costs as little as one with a single one. `offset 0`
 * keeps the tail a look-up by key: how long it is changes too quickly for the statistics, and a
 * scan of all postings is what a planner chooses that thinks it long.
 */
const balancesText = `
  with recursive tail as materialized (
    select p.account, p.asset, sum(p.posted_minor) as posted, sum(p.pending_minor) as pending
    from ledger_tail t cross join lateral unnest(t.entry_ids) as e(id)
    cross join lateral (select * from ledger_postings where entry_id = e.id offset 0) p
    where t.project_id = $1 and p.project_id = $1 and p.account >= $2 and p.account <= $3
      and (p.account, p.asset) > ($4::text collate "C", $5::text collate "C")
    group by p.account, p.asset),
  pairs (account, asset, nr) as (
    (select c.account, c.asset, 1 from ledger_checkpoints c
     where c.project_id = $1 and c.account >= $2 and c.account <= $3
       and (c.account, c.asset) > ($4::text collate "C", $5::text collate "C")
     order by c.account, c.asset limit 1)
    union all
    select n.account, n.asset, pairs.nr + 1
    from pairs cross join lateral (
      select c.account, c.asset from ledger_checkpoints c
      where c.project_id = $1 and c.account <= $3 and (c.account, c.asset) > (pairs.account, pairs.asset)
      order by c.account, c.asset limit 1) n
    where pairs.nr < $6),
  folded as (
    select pairs.account, pairs.asset, c.posted_minor as posted, c.pending_minor as pending
    from pairs cross join lateral (
      select posted_minor, pending_minor from ledger_checkpoints
      where project_id = $1 and account = pairs.account and asset = pairs.asset order by fold desc limit 1) c),
  page as (
    select account, asset, sum(posted) as posted, sum(pending) as pending
    from (select * from folded union all select * from tail) known
    group by account, asset order by account, asset limit $6)
  select page.account, page.asset, page.posted - coalesce(later.posted, 0) as posted, page.pending - coalesce(later.pending, 0) as pending
  from page left join lateral (
    select sum(p.posted_minor) as posted, sum(p.pending_minor) as pending from ledger_postings p
    where p.project_id = $1 and p.account = page.account and p.asset = page.asset and p.recorded_at > $7::timestamptz) later on true
  order by page.account, page.asset`;
