import type { Db } from '../../../../store/types.ts';

/** SQL of `solana_spent`, `solana_budgets` and `solana_spending`: what operations may cost in a day (UTC), and did cost. */

export interface SpendingBounds {
  readonly projectDayMaxLamports: bigint;
  readonly ownerDayMaxLamports: bigint;
}

export interface Charge {
  readonly projectId: string;
  readonly owner: string;
  readonly lamports: bigint;
}

/** Adds what operations cost, to their owner's row and to their project's. In one order whoever writes: no two wait for each other. */
export async function charge(db: Db, chain: string, charges: readonly Charge[]): Promise<void> {
  if (charges.length === 0) return;
  await db.query({
    name: 'solana-relay-charge',
    text: `
      insert into solana_spent as s (day, chain, project_id, owner, lamports)
      select (now() at time zone 'utc')::date, $1, project_id, owner, sum(lamports)
      from (
        select project_id, owner, lamports from unnest($2::uuid[], $3::text[], $4::numeric[]) as c (project_id, owner, lamports)
        union all select project_id, '', lamports from unnest($2::uuid[], $4::numeric[]) as t (project_id, lamports)
      ) as charge group by project_id, owner order by owner desc, project_id
      on conflict (day, chain, project_id, owner) do update set lamports = s.lamports + excluded.lamports`,
    values: [
      chain,
      charges.map(({ projectId }) => projectId),
      charges.map(({ owner }) => owner),
      charges.map(({ lamports }) => lamports.toString()),
    ],
  });
  await recordSpending(
    db,
    chain,
    charges.reduce((sum, { lamports }) => sum + lamports, 0n),
  );
}

/** What the fee payers spent, whatever for. */
export async function recordSpending(db: Db, chain: string, lamports: bigint): Promise<void> {
  if (lamports === 0n) return;
  await db.query({
    name: 'solana-relay-record-spending',
    text: `
      insert into solana_spending as s (chain, since, lamports)
      values ($1, to_timestamp(floor(extract(epoch from now()) / 600) * 600), $2)
      on conflict (chain, since) do update set lamports = s.lamports + excluded.lamports`,
    values: [chain, lamports.toString()],
  });
}

export interface Purse {
  readonly spent: bigint;
  readonly max: bigint;
  /** The most that what is under way may still take. */
  readonly open: bigint;
}

export interface Budget {
  readonly projectId: string;
  readonly owner: string;
  readonly project: Purse;
  readonly ownOwner: Purse;
}

/** How the budgets of these projects and owners stand, one row for each pair. */
export async function readBudgets(
  db: Db,
  input: { readonly chain: string; readonly pairs: readonly Omit<Charge, 'lamports'>[]; readonly bounds: SpendingBounds },
): Promise<Budget[]> {
  const { rows } = await db.query<
    Record<'project_id' | 'owner' | 'project_spent' | 'owner_spent' | 'project_open' | 'owner_open' | 'project_max' | 'owner_max', string>
  >({
    name: 'solana-relay-budgets',
    text: `
      with wanted as (
        select distinct project_id, owner from unnest($2::uuid[], $3::text[]) as w (project_id, owner)
      ), open as materialized (
        select project_id, owner, sum(cost_max) as lamports from solana_operations
        where chain = $1 and status = 'sent' and project_id = any($2::uuid[]) group by project_id, owner
      ), project_open as (
        select project_id, sum(lamports) as lamports from open group by project_id
      )
      select w.project_id, w.owner, coalesce(ps.lamports, 0) as project_spent, coalesce(os.lamports, 0) as owner_spent,
        coalesce(po.lamports, 0) as project_open, coalesce(oo.lamports, 0) as owner_open,
        coalesce(b.project_day_lamports, $4) as project_max, coalesce(b.owner_day_lamports, $5) as owner_max
      from wanted w
      left join solana_spent ps on ps.day = (now() at time zone 'utc')::date and ps.chain = $1 and ps.project_id = w.project_id and ps.owner = ''
      left join solana_spent os on os.day = (now() at time zone 'utc')::date and os.chain = $1 and os.project_id = w.project_id and os.owner = w.owner
      left join project_open po on po.project_id = w.project_id
      left join open oo on oo.project_id = w.project_id and oo.owner = w.owner
      left join solana_budgets b on b.project_id = w.project_id and b.chain = $1`,
    values: [
      input.chain,
      input.pairs.map(({ projectId }) => projectId),
      input.pairs.map(({ owner }) => owner),
      input.bounds.projectDayMaxLamports.toString(),
      input.bounds.ownerDayMaxLamports.toString(),
    ],
  });
  return rows.map((row) => ({
    projectId: row.project_id,
    owner: row.owner,
    project: { spent: BigInt(row.project_spent), open: BigInt(row.project_open), max: BigInt(row.project_max) },
    ownOwner: { spent: BigInt(row.owner_spent), open: BigInt(row.owner_open), max: BigInt(row.owner_max) },
  }));
}

/** What transactions of the last hour cost, by chain; a chain without any is absent. */
export async function readHourlySpending(db: Db): Promise<ReadonlyMap<string, bigint>> {
  const { rows } = await db.query<{ chain: string; lamports: string }>({
    name: 'solana-relay-hourly-spending',
    text: `select chain, sum(lamports) as lamports from solana_spending where since > now() - interval '1 hour' group by chain`,
  });
  return new Map(rows.map(({ chain, lamports }) => [chain, BigInt(lamports)]));
}
