import { type Finding, type Looker, unitsOf } from '../types.ts';

/**
 * Orders that have ended owe nobody anything: their clearing accounts are 0 in each asset, posted
 * and held.
 */
export const lookAtClearing: Looker = async (ctx, { projectId, objects }) => {
  const { rows } = await ctx.store.query<{
    id: string;
    state: string;
    asset: string;
    symbol: string;
    posted: string;
    pending: string;
  }>({
    name: 'reconciliation-clearing',
    text: `select o.id, o.state, s.asset, coalesce(a.symbol, s.asset) as symbol, s.posted::text, s.pending::text
      from orders o cross join lateral (
        select p.asset, sum(p.posted_minor) as posted, sum(p.pending_minor) as pending from ledger_postings p
        where p.project_id = $1 and p.account = 'order:' || o.id || ':clearing' group by p.asset) s
      left join ledger_assets a on a.asset = s.asset
      where o.project_id = $1 and o.id = any($2::uuid[]) and o.deadline_at is null and (s.posted <> 0 or s.pending <> 0)`,
    values: [projectId, objects],
  });
  const findings = rows.flatMap(({ id, state, asset, symbol, ...sums }) =>
    (['posted', 'pending'] as const)
      .filter((aspect) => BigInt(sums[aspect]) !== 0n)
      .map((aspect): Finding => {
        const foundMinor = BigInt(sums[aspect]);
        const problem = `order ${id} has ended (${state}) and its clearing account has ${unitsOf(foundMinor, symbol)} left, ${aspect}`;
        return {
          comparison: 'clearing',
          object: id,
          aspect,
          asset,
          expectedMinor: 0n,
          foundMinor,
          problem,
        };
      }),
  );
  return { findings };
};
