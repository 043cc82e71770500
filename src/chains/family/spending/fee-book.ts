import type { Config } from '../../../config/config.ts';
import type { Db } from '../../../store/types.ts';
import type { SpendingBounds } from './budgets.ts';

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

/** Of a family whose spending stands in `fee_spent` and `fee_budgets`. */
export function createFeeBook({ chain: own, unit, bounds }: FeeBookInput): FeeBook {
  return {
    unit,
    boundsOf: ({ environment }, chain) => (chain === own ? bounds[environment] : undefined),
    async readSpent(db, { projectId, limit }) {
      const { rows } = await db.query<{ chain: string; owner: string; minor: string }>({
        name: 'fees-spent-today',
        text: `
          select chain, owner, minor from fee_spent
          where day = (now() at time zone 'utc')::date and chain = $1 and project_id = $2 and owner <> ''
          order by minor desc, owner limit $3`,
        values: [own, projectId, limit],
      });
      return rows.map((row) => ({ ...row, minor: BigInt(row.minor) }));
    },
    async readOwn(db, projectId) {
      const { rows } = await db.query<{
        chain: string;
        project: string | null;
        owner: string | null;
      }>({
        name: 'fees-own-budgets',
        text: `
          select chain, project_day_minor as project, owner_day_minor as owner from fee_budgets where chain = $1 and project_id = $2 limit 1`,
        values: [own, projectId],
      });
      const read = (text: string | null) => (text === null ? null : BigInt(text));
      return rows.map(({ chain, project, owner }) => ({
        chain,
        projectDayMinor: read(project),
        ownerDayMinor: read(owner),
      }));
    },
    async write(db, projectId, { chain, projectDayMinor, ownerDayMinor }) {
      await db.query({
        name: 'fees-set-budget',
        text: `
          insert into fee_budgets (project_id, chain, project_day_minor, owner_day_minor) values ($1, $2, $3, $4)
          on conflict (project_id, chain)
          do update set project_day_minor = excluded.project_day_minor, owner_day_minor = excluded.owner_day_minor`,
        values: [
          projectId,
          chain,
          projectDayMinor?.toString() ?? null,
          ownerDayMinor?.toString() ?? null,
        ],
      });
    },
  };
}
