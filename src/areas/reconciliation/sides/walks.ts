import type { Ctx } from '../../../context.ts';
import { balancesPerReadMax, readBalances } from '../../../ledger/index.ts';
import type { Db } from '../../../store/types.ts';
import { payoutsPerPageMax, readPayoutPage } from '../../payment-methods/index.ts';
import type { Comparison } from '../types.ts';
import { targetsOfReference } from './entries.ts';

/** Ways through the objects of a project, in the order in which they changed. */

/** A place between two objects. */
export interface Position {
  readonly at: Date;
  readonly id: string;
}

export interface Page {
  /** In order. */
  readonly rows: readonly (Position & {
    readonly targets: readonly (readonly [Comparison, string])[];
  })[];
}

export interface Walk {
  /** Its name among the walks of a project. */
  readonly name: string;
  /** Before everything. */
  readonly start: Position;
  readonly pageSize: number;
  page(ctx: Ctx, input: { readonly projectId: string; readonly after: Position }): Promise<Page>;
}

const epoch = new Date(0);
const nilUuid = '00000000-0000-0000-0000-000000000000';
const pageSize = 200;

const objectWalk = (comparison: Comparison, table: string, changedAt: string): Walk => ({
  name: table,
  start: { at: epoch, id: nilUuid },
  pageSize,
  async page(ctx, { projectId, after }) {
    const { rows } = await ctx.store.query<Position>({
      name: `reconciliation-walk-${table}`,
      text: `select id, ${changedAt} as at from ${table}
        where project_id = $1 and (${changedAt}, id) > ($2::timestamptz, $3::uuid) order by ${changedAt}, id limit ${pageSize}`,
      values: [projectId, after.at, after.id],
    });
    return { rows: rows.map((row) => ({ ...row, targets: [[comparison, row.id]] })) };
  },
});

const orders: Walk = {
  name: 'orders',
  start: { at: epoch, id: nilUuid },
  pageSize,
  async page(ctx, { projectId, after }) {
    const { rows } = await ctx.store.query<
      Position & { hasCard: boolean; payouts: string[] | null }
    >({
      name: 'reconciliation-walk-orders',
      text: `select o.id, o.updated_at as at, o.card_reference is not null as "hasCard",
          case when o.payout_id is not null then (select array_agg(distinct split_part(e.reference, ':', 2)) from ledger_entries e
            where e.order_id = o.id and e.reference like 'payout:%') || o.payout_id::text end as payouts
        from orders o where o.project_id = $1 and (o.updated_at, o.id) > ($2::timestamptz, $3::uuid)
          and (o.deadline_at is null or o.card_reference is not null or o.payout_id is not null)
        order by o.updated_at, o.id limit ${pageSize}`,
      values: [projectId, after.at, after.id],
    });
    return {
      rows: rows.map(({ id, at, hasCard, payouts }) => ({
        id,
        at,
        targets: [
          ['clearing', id] as const,
          ...(hasCard ? [['card', id] as const] : []),
          ...(payouts ?? []).map((payout) => ['payout', payout] as const),
        ],
      })),
    };
  },
};

/** Entries of one account of the ledger. */
const entriesWalk = (account: string): Walk => ({
  name: `entries of ${account}`,
  start: { at: epoch, id: '0' },
  pageSize,
  async page(ctx, { projectId, after }) {
    const { rows } = await ctx.store.query<{
      at: Date;
      written: string;
      reference: string;
      transferId: string | null;
    }>({
      name: 'reconciliation-walk-entries',
      text: `select distinct p.recorded_at as at, e.written, e.reference, e.data->>'transferId' as "transferId"
        from ledger_postings p join ledger_entries e on e.id = p.entry_id
        where p.project_id = $1 and p.account = $2 and p.recorded_at >= $3::timestamptz
          and (p.recorded_at, e.written) > ($3::timestamptz, $4::bigint)
        order by p.recorded_at, e.written limit ${pageSize}`,
      values: [projectId, account, after.at, after.id],
    });
    return {
      rows: rows.map(({ at, written, reference, transferId }) => {
        const { deposit, payout } = targetsOfReference(reference);
        return {
          at,
          id: written,
          targets: [
            ['entry', reference] as const,
            ...(deposit === undefined ? [] : [['deposit', deposit] as const]),
            ...(payout === undefined ? [] : [['payout', payout] as const]),
            ...(transferId === null || !account.startsWith('chain:')
              ? []
              : [['transfer', transferId] as const]),
          ],
        };
      }),
    };
  },
});

const payouts: Walk = {
  name: 'payouts of the vault',
  start: { at: epoch, id: nilUuid },
  pageSize: payoutsPerPageMax,
  async page(ctx, { projectId, after }) {
    if (!ctx.config.vault) return { rows: [] };
    const found = await readPayoutPage(ctx, { projectId, after, limit: payoutsPerPageMax });
    return {
      rows: found.map(({ payoutId: id, createdAt }) => ({
        id,
        at: new Date(createdAt),
        targets: [['payout', id]],
      })),
    };
  },
};

const fixedWalks: readonly Walk[] = [
  objectWalk('deposit', 'deposits', 'coalesce(final_at, seen_at)'),
  objectWalk('transfer', 'treasury_transfers', 'coalesce(final_at, settled_at, created_at)'),
  orders,
  payouts,
];

/** All walks through a project. */
export async function walksOf(db: Db, projectId: string): Promise<readonly Walk[]> {
  const accounts: string[] = [];
  for (const accountPrefix of ['chain:', 'bank:']) {
    const balances = await readBalances(db, {
      projectId,
      accountPrefix,
      limit: balancesPerReadMax,
    });
    accounts.push(
      ...balances.map(({ account }) => account).filter((account) => !account.endsWith(':hot')),
    );
  }
  return [...fixedWalks, ...[...new Set(accounts)].map(entriesWalk)];
}

/** How far a walk has come; undefined before its first step. */
export async function selectPosition(
  db: Db,
  input: { projectId: string; walk: string },
): Promise<Position | undefined> {
  const { rows } = await db.query<Position>({
    name: 'reconciliation-position',
    text: 'select position_at as at, position_id as id from reconciliation_walks where project_id = $1 and walk = $2',
    values: [input.projectId, input.walk],
  });
  return rows[0];
}

export async function savePosition(
  db: Db,
  input: {
    readonly projectId: string;
    readonly walk: string;
    readonly position: Position;
    readonly endedAt?: Date;
  },
): Promise<void> {
  await db.query({
    name: 'reconciliation-save-position',
    text: `insert into reconciliation_walks (project_id, walk, position_at, position_id, ended_at) values ($1, $2, $3, $4, $5)
      on conflict (project_id, walk) do update set position_at = excluded.position_at, position_id = excluded.position_id,
        ended_at = coalesce(excluded.ended_at, reconciliation_walks.ended_at)`,
    values: [
      input.projectId,
      input.walk,
      input.position.at,
      input.position.id,
      input.endedAt ?? null,
    ],
  });
}
