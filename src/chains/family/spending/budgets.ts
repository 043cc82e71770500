import type { Db } from '../../../store/types.ts';
import { type FeeKind, feeTables } from './fee-tables.ts';
import {
  type BudgetRow,
  budgetsOf,
  rememberSpent,
  seenVersions,
  spentOf,
} from './sealed-budgets.ts';

/** What operations may cost in a day (UTC), and did cost. */

export interface SpendingBounds {
  readonly projectDayMaxMinor: bigint;
  readonly ownerDayMaxMinor: bigint;
}

export interface Charge {
  readonly projectId: string;
  readonly owner: string;
  readonly minor: bigint;
}

/** Adds what operations cost: to what is spent in the hour, and to their budgets. */
export async function charge(
  db: Db,
  kind: FeeKind,
  chain: string,
  charges: readonly Charge[],
): Promise<void> {
  const minor = charges.reduce((sum, one) => sum + one.minor, 0n);
  await recordSpending(db, kind, chain, minor);
  await chargeBudgets(db, kind, chain, charges);
}

/**
 * Adds what operations cost, to their owner's row and to their project's. In one order whoever
 * writes: no two wait for each other.
 */
export async function chargeBudgets(
  db: Db,
  kind: FeeKind,
  chain: string,
  charges: readonly Charge[],
): Promise<void> {
  const paid = charges.filter(({ minor }) => minor > 0n);
  if (paid.length === 0) return;
  const tables = feeTables[kind];
  const { rows } = await db.query<ChargedRow>({
    name: `${kind}-charge`,
    text: `
      with charge as (
        select project_id, owner, sum(minor) as minor
        from (
          select project_id, owner, minor from unnest($2::uuid[], $3::text[], $4::numeric[]) as c (project_id, owner, minor)
          union all select project_id, '', minor from unnest($2::uuid[], $4::numeric[]) as t (project_id, minor)
        ) as each group by project_id, owner
      ), charged as (
        insert into ${tables.spent} as s (day, chain, project_id, owner, ${tables.sum})
        select (now() at time zone 'utc')::date, $1, project_id, owner, minor from charge order by owner desc, project_id
        on conflict (day, chain, project_id, owner) do update set ${tables.sum} = least(s.${tables.sum} + excluded.${tables.sum}, ${tables.sumMax})
        returning day, project_id, owner, ${tables.sum} as stored
      )
      select d.day::text, d.project_id, d.owner, d.stored, c.minor from charged d join charge c using (project_id, owner)`,
    values: [
      chain,
      paid.map(({ projectId }) => projectId),
      paid.map(({ owner }) => owner),
      paid.map(({ minor }) => minor.toString()),
    ],
  });
  rememberSpent(
    db,
    rows.map((row) => ({
      chain,
      day: row.day,
      projectId: row.project_id,
      owner: row.owner,
      minor: BigInt(row.minor),
      stored: BigInt(row.stored),
    })),
  );
}

/**
 * What the accounts of the service spent for fees, whatever for: it is in the sum of the hour,
 * which is an alarm's business.
 */
export async function recordSpending(
  db: Db,
  kind: FeeKind,
  chain: string,
  minor: bigint,
): Promise<void> {
  if (minor <= 0n) return;
  const tables = feeTables[kind];
  await db.query({
    name: `${kind}-record-spending`,
    text: `
      insert into ${tables.spending} as s (chain, since, ${tables.sum})
      values ($1, to_timestamp(floor(extract(epoch from now()) / 600) * 600), $2)
      on conflict (chain, since) do update set ${tables.sum} = least(s.${tables.sum} + excluded.${tables.sum}, ${tables.sumMax})`,
    values: [chain, minor.toString()],
  });
}

type ChargedRow = Record<'day' | 'project_id' | 'owner' | 'minor' | 'stored', string>;

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

export interface BudgetsInput {
  readonly chain: string;
  readonly pairs: readonly Omit<Charge, 'minor'>[];
  readonly bounds: SpendingBounds;
  /** What the relay has under way for these projects, with the most that it may cost. */
  readonly open: readonly Charge[];
  readonly kind: FeeKind;
}

/** How the budgets of these projects and owners stand, one for each pair. */
export async function readBudgets(
  db: Db,
  { chain, pairs, bounds, open, kind }: BudgetsInput,
): Promise<Budget[]> {
  const tables = feeTables[kind];
  // Before the rows are read: what others write meanwhile is no earlier version.
  const seen = seenVersions(db, kind, { chain, pairs });
  const { rows } = await db.query<
    Record<'day' | 'project_id' | 'owner' | 'project_spent' | 'owner_spent', string> & {
      readonly own: BudgetRow | null;
    }
  >({
    name: `${kind}-budgets`,
    text: `
      with wanted as (select distinct project_id, owner from unnest($2::uuid[], $3::text[]) as w (project_id, owner))
      select (now() at time zone 'utc')::date::text as day, w.project_id, w.owner,
        coalesce(ps.${tables.sum}, 0) as project_spent, coalesce(os.${tables.sum}, 0) as owner_spent,
        case when b.id is not null then jsonb_build_object('id', b.id, 'project_id', b.project_id, 'chain', b.chain,
          'project_day', b.${tables.projectDay}::text, 'owner_day', b.${tables.ownerDay}::text, 'version', b.version::text, 'mac', b.mac) end as own
      from wanted w
      left join ${tables.spent} ps on ps.day = (now() at time zone 'utc')::date and ps.chain = $1 and ps.project_id = w.project_id and ps.owner = ''
      left join ${tables.spent} os on os.day = (now() at time zone 'utc')::date and os.chain = $1 and os.project_id = w.project_id and os.owner = w.owner
      left join ${tables.budgets} b on b.project_id = w.project_id and b.chain = $1`,
    values: [chain, pairs.map(({ projectId }) => projectId), pairs.map(({ owner }) => owner)],
  });
  const openOf = (isOwn: (one: Charge) => boolean) =>
    open.filter(isOwn).reduce((sum, { minor }) => sum + minor, 0n);
  return rows.map((row) => {
    const isProjects = ({ projectId }: Charge) => projectId === row.project_id;
    const isOwners = (one: Charge) => isProjects(one) && one.owner === row.owner;
    const spent = { chain, day: row.day, projectId: row.project_id };
    const max = budgetsOf(db, kind, {
      of: { chain, projectId: row.project_id },
      seen: seen.get(row.project_id) ?? 0n,
      row: row.own ?? undefined,
      bounds: { project: bounds.projectDayMaxMinor, owner: bounds.ownerDayMaxMinor },
    });
    return {
      projectId: row.project_id,
      owner: row.owner,
      project: {
        spent: spentOf(db, { ...spent, owner: '' }, BigInt(row.project_spent)),
        open: openOf(isProjects),
        max: max.project,
      },
      ownOwner: {
        spent: spentOf(db, { ...spent, owner: row.owner }, BigInt(row.owner_spent)),
        open: openOf(isOwners),
        max: max.owner,
      },
    };
  });
}

/** What transactions of the last hour cost, by chain; a chain without any is absent. */
export async function readHourlySpending(
  db: Db,
  kind: FeeKind,
): Promise<ReadonlyMap<string, bigint>> {
  const tables = feeTables[kind];
  const { rows } = await db.query<{ chain: string; minor: string }>({
    name: `${kind}-hourly-spending`,
    text: `select chain, sum(${tables.sum}) as minor from ${tables.spending} where since > now() - interval '1 hour' group by chain`,
  });
  return new Map(rows.map(({ chain, minor }) => [chain, BigInt(minor)]));
}

/**
 * Deletes what no budget and no alarm looks at any more, so many rows of each table at a time.
 * @returns how many of one: as many as `countMax`, and there may be more
 */
export async function deleteOldSpending(
  db: Db,
  kind: FeeKind,
  { olderThanDays, countMax }: { readonly olderThanDays: number; readonly countMax: number },
): Promise<number> {
  const tables = feeTables[kind];
  const hours = await db.query({
    text: `
      delete from ${tables.spending} where (chain, since) in (
        select chain, since from ${tables.spending} where since < now() - $1 * interval '1 day' limit $2)`,
    values: [olderThanDays, countMax],
  });
  const days = await db.query({
    text: `
      delete from ${tables.spent} s using (
        select day, chain, project_id, owner from ${tables.spent}
        where day < (now() at time zone 'utc')::date - $1::int order by day limit $2 for update skip locked) as old
      where s.day = old.day and s.chain = old.chain and s.project_id = old.project_id and s.owner = old.owner`,
    values: [olderThanDays, countMax],
  });
  return Math.max(hours.rowCount, days.rowCount);
}
