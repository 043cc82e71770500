import { randomUUID } from 'node:crypto';
import type { Config } from '../../../config/config.ts';
import type { Db } from '../../../store/types.ts';
import type { SpendingBounds } from './budgets.ts';
import { type FeeKind, feeTables } from './fee-tables.ts';
import { readOwnRows, writeOwnRow } from './sealed-budgets.ts';

/** What the command line asks of a family: who spent how much for fees, and how much they may. */
export interface FeeBook {
  /** How people call the smallest unit of the native token, e.g. `lamports`. */
  readonly unit: string;
  /** As the configuration says it; undefined: no chain of the family. */
  boundsOf(config: Config, chain: string): SpendingBounds | undefined;
  /** What a project's owners took today (UTC), the most first. */
  readSpent(
    db: Db,
    input: { readonly projectId: string; readonly limit: number },
  ): Promise<readonly SpentToday[]>;
  /** What a project was allowed by its operator, by chain. */
  readOwn(db: Db, projectId: string): Promise<readonly OwnBudget[]>;
  /** Sets what a project may spend in a day on a chain. */
  write(db: Db, projectId: string, budget: OwnBudget): Promise<void>;
}

export interface SpentToday {
  readonly chain: string;
  readonly owner: string;
  readonly minor: bigint;
}

/** Null: the bound of the network. */
export interface OwnBudget {
  readonly chain: string;
  readonly projectDayMinor: bigint | null;
  readonly ownerDayMinor: bigint | null;
}

export interface FeeBookInput {
  /** The one chain of the family. */
  readonly chain: string;
  readonly unit: string;
  readonly bounds: Readonly<Record<Config['environment'], SpendingBounds>>;
}

/** Of a family of one chain, whose fee payers are the service's. */
export function createFeeBook({ chain: own, unit, bounds }: FeeBookInput): FeeBook {
  return {
    unit,
    boundsOf: ({ environment }, chain) => (chain === own ? bounds[environment] : undefined),
    ...createFeeRows('fees', own),
  };
}

/** What stands in the tables: of one chain, or of all that are in them. */
export function createFeeRows(
  kind: FeeKind,
  own?: string,
): Pick<FeeBook, 'readSpent' | 'readOwn' | 'write'> {
  const tables = feeTables[kind];
  return {
    async readSpent(db, { projectId, limit }) {
      const { rows } = await db.query<{ chain: string; owner: string; minor: string }>({
        text: `
          select chain, owner, ${tables.sum} as minor from ${tables.spent}
          where day = (now() at time zone 'utc')::date and ($1::text is null or chain = $1) and project_id = $2 and owner <> ''
          order by ${tables.sum} desc, chain, owner limit $3`,
        values: [own ?? null, projectId, limit],
      });
      return rows.map((row) => ({ ...row, minor: BigInt(row.minor) }));
    },
    async readOwn(db, projectId) {
      const read = (text: string | null) => (text === null ? null : BigInt(text));
      return (await readOwnRows(db, kind, projectId))
        .filter(({ chain }) => own === undefined || chain === own)
        .map(({ chain, project_day, owner_day }) => ({
          chain,
          projectDayMinor: read(project_day),
          ownerDayMinor: read(owner_day),
        }));
    },
    async write(db, projectId, { chain, projectDayMinor, ownerDayMinor }) {
      await writeOwnRow(db, kind, {
        id: randomUUID(),
        project_id: projectId,
        chain,
        project_day: projectDayMinor?.toString() ?? null,
        owner_day: ownerDayMinor?.toString() ?? null,
      });
    },
  };
}
