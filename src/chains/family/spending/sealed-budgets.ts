import { afterFailover, noteHere, remembered } from '../../../store/remembered.ts';
import { rowMacsOf, type SealedRow, type SealedTable } from '../../../store/row-mac.ts';
import type { Db, Tx } from '../../../store/types.ts';
import { type FeeKind, feeTables } from './fee-tables.ts';

/**
 * What a project may spend for fees carries a seal, and what it spent is remembered by the process
 * that charged it, as what the operator set is by the process that read it: who writes the database
 * raises no budget and empties none.
 */

/** A row of budgets, in the smallest unit of the native token. */
export interface BudgetRow {
  readonly id: string;
  readonly project_id: string;
  readonly chain: string;
  readonly project_day: string | null;
  readonly owner_day: string | null;
  /** When it was set, in milliseconds; null: before versions were kept. */
  readonly version: string | null;
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
      ...(row.version !== null && { version: minor(row.version) }),
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
  set: Omit<BudgetRow, 'mac' | 'version'>,
): Promise<void> {
  const tables = feeTables[kind];
  const row = { ...set, version: (await nextVersion(db, kind, set)).toString() };
  await db.query({
    text: `
      insert into ${tables.budgets} (id, project_id, chain, ${tables.projectDay}, ${tables.ownerDay}, version, mac) values ($1, $2, $3, $4, $5, $6, $7)
      on conflict (project_id, chain)
      do update set id = excluded.id, ${tables.projectDay} = excluded.${tables.projectDay}, ${tables.ownerDay} = excluded.${tables.ownerDay},
        version = excluded.version, mac = excluded.mac`,
    values: [
      row.id,
      row.project_id,
      row.chain,
      row.project_day,
      row.owner_day,
      row.version,
      rowMacsOf(db).seal(toSealed(kind, row)),
    ],
  });
}

/** Now, and later than what it replaces: the clocks of two machines may not agree. */
async function nextVersion(
  db: Db,
  kind: FeeKind,
  { project_id: projectId, chain }: Pick<BudgetRow, 'project_id' | 'chain'>,
): Promise<bigint> {
  const { rows } = await db.query<BudgetRow>({
    text: `select ${feeTables[kind].columns} from ${feeTables[kind].budgets} where project_id = $1 and chain = $2`,
    values: [projectId, chain],
  });
  const [row] = rows;
  const isGenuine = row && rowMacsOf(db).fits(toSealed(kind, row), row.mac);
  const after = isGenuine ? BigInt(row.version ?? 0) + 1n : 0n;
  const now = BigInt(Date.now());
  return now > after ? now : after;
}

interface BudgetName {
  readonly chain: string;
  readonly projectId: string;
}

/** What an operator set is remembered for as long as a process runs. */
const setUntil = new Date(8_640_000_000_000_000);
const nameOfSet = (kind: FeeKind, { chain, projectId }: BudgetName) =>
  `fees-allowed:${kind} ${chain} ${projectId}`;

/** The versions of budgets that this process has seen, by project; 0 where it has seen none. */
export function seenVersions(
  db: Db,
  kind: FeeKind,
  { chain, pairs }: { readonly chain: string; readonly pairs: readonly { projectId: string }[] },
): ReadonlyMap<string, bigint> {
  const now = new Date();
  return new Map(
    pairs.map(({ projectId }) => [
      projectId,
      remembered(db, { key: nameOfSet(kind, { chain, projectId }), now }),
    ]),
  );
}

interface Bounds {
  readonly project: bigint;
  readonly owner: bigint;
}

export interface BudgetsOfInput {
  readonly of: BudgetName;
  readonly row: BudgetRow | undefined;
  /** Before the row was read. */
  readonly seen: bigint;
  /** Of the network. */
  readonly bounds: Bounds;
}

/**
 * The budgets of a project on a chain. A row that was changed, deleted or put back raises its alarm
 * and allows no more than the network does, nor than this process has seen.
 */
export function budgetsOf(
  db: Db,
  kind: FeeKind,
  { of, row, seen, bounds }: BudgetsOfInput,
): Bounds {
  const macs = rowMacsOf(db);
  const sealed = row && toSealed(kind, row);
  const stated = row ? statedBy(row, bounds) : bounds;
  const version = BigInt(row?.version ?? 0);
  const why =
    (sealed && macs.problemOf(sealed, row.mac)) ??
    (version < seen
      ? `${row ? 'an earlier version was put back' : 'there was one, which was deleted'}; ${afterFailover}`
      : undefined);
  const named = { kind, of, now: new Date() };
  if (why === undefined) {
    if (row && version > 0n) rememberSet(db, named, { row, version });
    return stated;
  }
  macs.refuse(sealed ?? { table: feeTables[kind].budgets, id: of.projectId }, why);
  const known = knownSet(db, named, { seen, bounds });
  return {
    project: least(stated.project, bounds.project, known.project),
    owner: least(stated.owner, bounds.owner, known.owner),
  };
}

const least = (...all: readonly bigint[]) => all.reduce((a, b) => (a < b ? a : b));

function statedBy(row: BudgetRow, bounds: Bounds): Bounds {
  return {
    project: row.project_day === null ? bounds.project : BigInt(row.project_day),
    owner: row.owner_day === null ? bounds.owner : BigInt(row.owner_day),
  };
}

interface NamedSet {
  readonly kind: FeeKind;
  readonly of: BudgetName;
  readonly now: Date;
}

/** One more than what was set, since nothing is 0. */
function rememberSet(
  db: Db,
  { kind, of, now }: NamedSet,
  { row, version }: { readonly row: BudgetRow; readonly version: bigint },
): void {
  const key = nameOfSet(kind, of);
  const note = (name: string, value: bigint) =>
    noteHere(db, { key: name, now, until: setUntil, value });
  note(key, version);
  if (row.project_day !== null) note(`${key} ${version} project`, BigInt(row.project_day) + 1n);
  if (row.owner_day !== null) note(`${key} ${version} owner`, BigInt(row.owner_day) + 1n);
}

function knownSet(
  db: Db,
  { kind, of, now }: NamedSet,
  { seen, bounds }: { readonly seen: bigint; readonly bounds: Bounds },
): Bounds {
  const read = (which: keyof Bounds) => {
    const value = remembered(db, { key: `${nameOfSet(kind, of)} ${seen} ${which}`, now });
    return value > 0n ? value - 1n : bounds[which];
  };
  return { project: read('project'), owner: read('owner') };
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
