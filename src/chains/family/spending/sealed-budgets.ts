import { noteHere, remembered } from '../../../store/remembered.ts';
import { rowMacsOf, type SealedRow, type SealedTable } from '../../../store/row-mac.ts';
import type { Db, Tx } from '../../../store/types.ts';
import { type FeeKind, feeTables } from './fee-tables.ts';

/**
 * What a project may spend for fees carries a seal, and what it spent is remembered by the process
 * that charged it: who writes the database raises no budget and empties none.
 */

/** A row of budgets, in the smallest unit of the native token. */
export interface BudgetRow {
  readonly id: string;
  readonly project_id: string;
  readonly chain: string;
  readonly project_day: string | null;
  readonly owner_day: string | null;
  readonly mac: string | null;
}

function toSealed(kind: FeeKind, row: Omit<BudgetRow, 'mac'>): SealedRow {
  const minor = (text: string | null) => (text === null ? null : BigInt(text).toString());
  return {
    table: feeTables[kind].budgets,
    id: row.id,
    fields: {
      projectId: row.project_id,
      chain: row.chain,
      projectDay: minor(row.project_day),
      ownerDay: minor(row.owner_day),
    },
  };
}

export const sealedBudgets: readonly SealedTable[] = (['fees', 'gas'] as const).map((kind) => ({
  table: feeTables[kind].budgets,
  columns: feeTables[kind].columns,
  toSealed: (row: BudgetRow) => toSealed(kind, row),
}));

/**
 * What an operator allowed of these chains and projects.
 * @throws internal-error, after an alarm, when a row was changed behind the service
 */
export async function readOwnRows(
  db: Db,
  kind: FeeKind,
  projectId: string,
): Promise<readonly BudgetRow[]> {
  const { rows } = await db.query<BudgetRow>({
    text: `select ${feeTables[kind].columns} from ${feeTables[kind].budgets} where project_id = $1 order by chain limit 100`,
    values: [projectId],
  });
  for (const row of rows) rowMacsOf(db).check(toSealed(kind, row), row.mac);
  return rows;
}

/** Sets what a project may spend in a day on a chain; null: the bound of the network. */
export async function writeOwnRow(
  db: Db,
  kind: FeeKind,
  row: Omit<BudgetRow, 'mac'>,
): Promise<void> {
  const tables = feeTables[kind];
  await db.query({
    text: `
      insert into ${tables.budgets} (id, project_id, chain, ${tables.projectDay}, ${tables.ownerDay}, mac) values ($1, $2, $3, $4, $5, $6)
      on conflict (project_id, chain)
      do update set id = excluded.id, ${tables.projectDay} = excluded.${tables.projectDay}, ${tables.ownerDay} = excluded.${tables.ownerDay}, mac = excluded.mac`,
    values: [
      row.id,
      row.project_id,
      row.chain,
      row.project_day,
      row.owner_day,
      rowMacsOf(db).seal(toSealed(kind, row)),
    ],
  });
}

/**
 * The budgets of a project on a chain. A row that was changed raises its alarm and allows no more
 * than the network does.
 */
export function budgetsOf(
  db: Db,
  kind: FeeKind,
  {
    row,
    bounds,
  }: {
    readonly row: BudgetRow | undefined;
    readonly bounds: { readonly project: bigint; readonly owner: bigint };
  },
): { readonly project: bigint; readonly owner: bigint } {
  if (row === undefined) return bounds;
  const macs = rowMacsOf(db);
  const sealed = toSealed(kind, row);
  const stated = {
    project: row.project_day === null ? bounds.project : BigInt(row.project_day),
    owner: row.owner_day === null ? bounds.owner : BigInt(row.owner_day),
  };
  const why = macs.problemOf(sealed, row.mac);
  if (why === undefined) return stated;
  macs.refuse(sealed, why);
  const least = (a: bigint, b: bigint) => (a < b ? a : b);
  return {
    project: least(stated.project, bounds.project),
    owner: least(stated.owner, bounds.owner),
  };
}

export interface Spent {
  readonly chain: string;
  /** As the database has it, which says when it begins. */
  readonly day: string;
  readonly projectId: string;
  /** Empty: all of the project. */
  readonly owner: string;
}

/** No day is asked for after it was over this long. */
const rememberedMs = 30 * 3_600_000;
const nameOf = ({ chain, day, projectId, owner }: Spent) =>
  `fees-spent:${day} ${chain} ${projectId} ${owner}`;

/** What was spent: as its row says, or more where this process has charged more. */
export function spentOf(db: Db, spent: Spent, stored: bigint): bigint {
  const seen = remembered(db, { key: nameOf(spent), now: new Date() });
  return stored > seen ? stored : seen;
}

/** Remembers what was charged, and where the row stands then, once that is durable. */
export function rememberSpent(
  db: Db | Tx,
  charged: readonly (Spent & { readonly minor: bigint; readonly stored: bigint })[],
): void {
  const run = () => {
    const now = new Date();
    for (const spent of charged) {
      const key = nameOf(spent);
      const counted = remembered(db, { key, now }) + spent.minor;
      const value = counted > spent.stored ? counted : spent.stored;
      noteHere(db, { key, now, until: new Date(now.getTime() + rememberedMs), value });
    }
  };
  if ('afterCommit' in db) db.afterCommit(run);
  else run();
}
