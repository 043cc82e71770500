import type { Db } from '../store/types.ts';

export interface TrialBalanceLine {
  /** The clearing accounts of all orders are one line, `order:*:clearing`. */
  readonly account: string;
  /**
   * Sum of the accounts of the line that have a debit balance, and of those that have a credit
   * balance (a positive number).
   */
  readonly debitMinor: bigint;
  readonly creditMinor: bigint;
  /** Sum of what is held; positive or negative. */
  readonly pendingMinor: bigint;
}

export interface AssetTrialBalance {
  readonly asset: string;
  /** Equal, or the books do not balance. */
  readonly debitMinor: bigint;
  readonly creditMinor: bigint;
  readonly accounts: readonly TrialBalanceLine[];
}

/**
 * Lines per answer: accounts are as many as chains, banks and rails, since orders share one line.
 */
const trialBalanceLinesMax = 5_000;

/**
 * Debits and credits of every asset with the accounts behind them, as recorded until `at`,
 * inclusive; of all projects when none is named. Taken from the postings alone: no checkpoint has a
 * part in it.
 */
export async function trialBalance(
  db: Db,
  query: { readonly projectId?: string; readonly at?: Date } = {},
): Promise<AssetTrialBalance[]> {
  const { rows } = await db.query<{
    account: string;
    asset: string;
    debit: string;
    credit: string;
    pending: string;
  }>({
    text: `select case when account like 'order:%' then 'order:*:clearing' else account end as account, asset,
             coalesce(sum(posted) filter (where posted > 0), 0) as debit, coalesce(-sum(posted) filter (where posted < 0), 0) as credit,
             sum(pending) as pending
           from (select project_id, account, asset, sum(posted_minor) as posted, sum(pending_minor) as pending from ledger_postings
                 where recorded_at <= $1::timestamptz ${query.projectId === undefined ? '' : 'and project_id = $2'}
                 group by project_id, account, asset) balances
           group by 1, 2 order by asset, account limit ${trialBalanceLinesMax}`,
    values: [query.at ?? 'infinity', ...(query.projectId === undefined ? [] : [query.projectId])],
  });
  const byAsset = new Map<string, TrialBalanceLine[]>();
  for (const row of rows) {
    const line = {
      account: row.account,
      debitMinor: BigInt(row.debit),
      creditMinor: BigInt(row.credit),
      pendingMinor: BigInt(row.pending),
    };
    byAsset.set(row.asset, [...(byAsset.get(row.asset) ?? []), line]);
  }
  return [...byAsset].map(([asset, accounts]) => ({
    asset,
    debitMinor: accounts.reduce((sum, line) => sum + line.debitMinor, 0n),
    creditMinor: accounts.reduce((sum, line) => sum + line.creditMinor, 0n),
    accounts,
  }));
}
