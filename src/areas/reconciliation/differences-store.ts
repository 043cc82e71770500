import type { Ctx } from '../../context.ts';
import { type RowOf, readRow } from '../../store/rows.ts';
import type { Db, Tx } from '../../store/types.ts';
import type { Comparison, Finding } from './types.ts';

/** A difference while it lasts, and after. */
export interface Difference extends Omit<Finding, 'patienceMs'> {
  readonly id: string;
  /** Rises in the order of finding. */
  readonly nr: bigint;
  /** Absent: of the books as a whole. */
  readonly projectId?: string;
  readonly firstSeenAt: Date;
  readonly lastSeenAt: Date;
  /** Absent: it may be money on its way. */
  readonly confirmedAt?: Date;
  readonly goneAt?: Date;
}

type Row = RowOf<Difference>;

const columns = `id, nr, project_id, comparison, object, aspect, asset, expected_minor, found_minor, problem, first_seen_at, last_seen_at,
  confirmed_at, gone_at`;

const toRecord = (row: Row): Difference =>
  readRow(row, { nr: BigInt, expectedMinor: BigInt, foundMinor: BigInt });

/** More open at once are not looked at again one by one. */
const openMax = 2_000;

/**
 * What is open now, also what is not confirmed yet, oldest first. `projectId` null: what belongs to
 * no project.
 */
export async function selectOpen(db: Db, projectId: string | null): Promise<Difference[]> {
  const { rows } = await db.query<Row>({
    name: 'reconciliation-open',
    text: `select ${columns} from reconciliation_differences where project_id is not distinct from $1 and gone_at is null
      order by nr limit ${openMax}`,
    values: [projectId],
  });
  return rows.map(toRecord);
}

/** Confirmed differences of a project that are open, oldest first, behind a place. */
export async function selectConfirmed(
  db: Db,
  input: {
    readonly projectId: string;
    readonly after?: { readonly at: Date; readonly id: string } | undefined;
    readonly limit: number;
  },
): Promise<Difference[]> {
  const { rows } = await db.query<Row>({
    text: `select ${columns} from reconciliation_differences where project_id = $1 and gone_at is null and confirmed_at is not null
        and ($2::timestamptz is null or (first_seen_at, id) > ($2, $3::uuid)) order by first_seen_at, id limit $4`,
    values: [input.projectId, input.after?.at ?? null, input.after?.id ?? null, input.limit],
  });
  return rows.map(toRecord);
}

/** Differences of a project that were confirmed, those that are gone too, the newest first. */
export async function selectHistory(
  db: Db,
  input: { readonly projectId: string; readonly limit: number },
): Promise<Difference[]> {
  const { rows } = await db.query<Row>({
    name: 'reconciliation-history',
    text: `select ${columns} from reconciliation_differences where project_id = $1 and confirmed_at is not null order by nr desc limit $2`,
    values: [input.projectId, input.limit],
  });
  return rows.map(toRecord);
}

/** How many are confirmed and open, by comparison. */
export async function countOpen(
  db: Db,
): Promise<{ readonly comparison: Comparison; readonly count: number }[]> {
  const { rows } = await db.query<{ comparison: Comparison; count: number }>({
    name: 'reconciliation-count',
    text: `select comparison, count(*)::int as count from reconciliation_differences
      where gone_at is null and confirmed_at is not null group by comparison`,
  });
  return rows;
}

/**
 * Stores what was found. It is confirmed when two looks of one turn have seen the same, for as long
 * as it takes.
 * @returns the difference, and whether it was confirmed just now
 */
export async function saveFinding(
  ctx: Pick<Ctx, 'ids' | 'clock'>,
  tx: Tx,
  input: {
    readonly projectId: string | null;
    readonly finding: Finding;
    readonly isTwice: boolean;
  },
): Promise<{ readonly difference: Difference; readonly isNew: boolean }> {
  const { projectId, finding, isTwice } = input;
  const now = ctx.clock.now();
  const confirmedBefore = new Date(now.getTime() - (finding.patienceMs ?? 0));
  const { rows } = await tx.query<Row & { is_new: boolean }>({
    name: 'reconciliation-save',
    text: `insert into reconciliation_differences as d
        (id, project_id, comparison, object, aspect, asset, expected_minor, found_minor, problem, first_seen_at, last_seen_at, confirmed_at)
      values ($1, $2, $3, $4, $5, $6, $7::numeric, $8::numeric, $9, $10::timestamptz, $10::timestamptz,
        case when $11::boolean and $10::timestamptz <= $12::timestamptz then $10::timestamptz end)
      on conflict (project_id, comparison, object, aspect, asset) where gone_at is null do update set
        expected_minor = excluded.expected_minor, found_minor = excluded.found_minor, problem = excluded.problem, last_seen_at = $10,
        first_seen_at = case when d.confirmed_at is not null or (d.expected_minor, d.found_minor) = ($7::numeric, $8::numeric)
          then d.first_seen_at else $10 end,
        confirmed_at = coalesce(d.confirmed_at, case when $11 and $12 >=
          case when (d.expected_minor, d.found_minor) = ($7::numeric, $8::numeric) then d.first_seen_at else $10 end then $10 end)
      returning ${columns.replaceAll(/(\w+)/g, 'd.$1')}, coalesce(d.confirmed_at = $10, false) as is_new`,
    values: [
      ctx.ids.uuid(),
      projectId,
      finding.comparison,
      finding.object,
      finding.aspect,
      finding.asset,
      finding.expectedMinor.toString(),
      finding.foundMinor.toString(),
      finding.problem,
      now,
      isTwice,
      confirmedBefore,
    ],
  });
  return { difference: toRecord(rows[0]!), isNew: rows[0]!.is_new };
}

/**
 * Closes what was looked at and not seen again; what was never confirmed leaves no trace.
 * @returns those that were confirmed
 */
export async function closeHealed(
  ctx: Pick<Ctx, 'clock'>,
  tx: Tx,
  ids: readonly string[],
): Promise<Difference[]> {
  if (ids.length === 0) return [];
  await tx.query({
    name: 'reconciliation-forget',
    text: 'delete from reconciliation_differences where id = any($1::uuid[]) and confirmed_at is null',
    values: [ids],
  });
  const { rows } = await tx.query<Row>({
    name: 'reconciliation-close',
    text: `update reconciliation_differences set gone_at = $2 where id = any($1::uuid[]) and gone_at is null returning ${columns}`,
    values: [ids, ctx.clock.now()],
  });
  return rows.map(toRecord);
}
