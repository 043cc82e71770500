import { noteHere, remembered } from '../../../store/remembered.ts';
import { rowMacsOf, type SealedRow, type SealedTable } from '../../../store/row-mac.ts';
import type { Db, Tx } from '../../../store/types.ts';

/**
 * What a project may spend for fees carries a seal, and what it spent is remembered by the process
 * that charged it: who writes the database raises no budget and empties none.
 */

/** A row of `fee_budgets` or `evm_gas_budgets`, in the smallest unit of the native token. */
export interface BudgetRow {
  readonly id: string;
  readonly project_id: string;
  readonly chain: string;
  readonly project_day: string | null;
  readonly owner_day: string | null;
  readonly mac: string | null;
}

export type BudgetTable = 'fee_budgets' | 'evm_gas_budgets';

const unitOf = { fee_budgets: 'minor', evm_gas_budgets: 'wei' } as const;

/** Columns of a {@link BudgetRow}. */
export function budgetColumns(table: BudgetTable): string {
  const unit = unitOf[table];
  return `id, project_id, chain, project_day_${unit} as project_day, owner_day_${unit} as owner_day, mac`;
}

export function sealedBudget(table: BudgetTable, row: Omit<BudgetRow, 'mac'>): SealedRow {
  const minor = (text: string | null) => (text === null ? null : BigInt(text).toString());
  return {
    table,
    id: row.id,
    fields: {
      projectId: row.project_id,
      chain: row.chain,
      projectDay: minor(row.project_day),
      ownerDay: minor(row.owner_day),
    },
  };
}

export const sealedBudgets: readonly SealedTable[] = (
  ['fee_budgets', 'evm_gas_budgets'] as const
).map((table) => ({
  table,
  columns: budgetColumns(table),
  toSealed: (row: BudgetRow) => sealedBudget(table, row),
}));

/**
 * What an operator allowed of these chains and projects.
 * @throws internal-error, after an alarm, when a row was changed behind the service
 */
export async function readOwnRows(
  db: Db,
  table: BudgetTable,
  projectId: string,
): Promise<readonly BudgetRow[]> {
  const { rows } = await db.query<BudgetRow>({
    text: `select ${budgetColumns(table)} from ${table} where project_id = $1 order by chain limit 100`,
    values: [projectId],
  });
  for (const row of rows) rowMacsOf(db).check(sealedBudget(table, row), row.mac);
  return rows;
}

/** Sets what a project may spend in a day on a chain; null: the bound of the network. */
export async function writeOwnRow(
  db: Db,
  table: BudgetTable,
  row: Omit<BudgetRow, 'mac'>,
): Promise<void> {
  const unit = unitOf[table];
  await db.query({
    text: `
      insert into ${table} (id, project_id, chain, project_day_${unit}, owner_day_${unit}, mac) values ($1, $2, $3, $4, $5, $6)
      on conflict (project_id, chain)
      do update set id = excluded.id, project_day_${unit} = excluded.project_day_${unit}, owner_day_${unit} = excluded.owner_day_${unit}, mac = excluded.mac`,
    values: [
      row.id,
      row.project_id,
      row.chain,
      row.project_day,
      row.owner_day,
      rowMacsOf(db).seal(sealedBudget(table, row)),
    ],
  });
}

/**
 * The budgets of a project on a chain. A row that was changed raises its alarm and allows no more
 * than the network does.
 */
export function budgetsOf(
  db: Db,
  {
    table,
    row,
    bounds,
  }: {
    readonly table: BudgetTable;
    readonly row: BudgetRow | undefined;
    readonly bounds: { readonly project: bigint; readonly owner: bigint };
  },
): { readonly project: bigint; readonly owner: bigint } {
  if (row === undefined) return bounds;
  const macs = rowMacsOf(db);
  const stated = {
    project: row.project_day === null ? bounds.project : BigInt(row.project_day),
    owner: row.owner_day === null ? bounds.owner : BigInt(row.owner_day),
  };
  const why = macs.problemOf(sealedBudget(table, row), row.mac);
  if (why === undefined) return stated;
  macs.refuse({ table, id: row.id }, why);
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
