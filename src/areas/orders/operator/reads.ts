import type { Ctx } from '../../../context.ts';
import { readAssets, readBalances, readEntries } from '../../../ledger/index.ts';
import { fiatDecimals } from '../../../lib/money/fiat.ts';
import { countByHour, type HoursInput } from '../../../store/count-by-hour.ts';
import type { Db } from '../../../store/types.ts';
import { selectDepositsOfOrder } from '../../deposits/index.ts';
import { clearingOf } from '../legs/ledger.ts';
import {
  explainWait,
  type PayoutFact,
  type PayoutFactStatus,
  payoutOf,
} from '../legs/payout/fact.ts';
import { selectRefundsOfOrder } from '../legs/refund/store.ts';
import { type OrderState, parkedSql } from '../state/states.ts';
import { selectMoves, selectOrder } from '../state/store.ts';
import type { OrderTerms } from '../state/types.ts';

export interface OrderLine {
  readonly id: string;
  readonly projectId: string;
  readonly kind: string;
  readonly state: OrderState;
  readonly attention: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly deadlineAt: Date | null;
  readonly terms: OrderTerms | null;
}

/**
 * Orders of projects for their operator, newest first, behind a place: those in one state, those
 * that wait for the operator or say that they need attention, whatever their state, or all.
 */
export async function listOrderLines(
  db: Db,
  input: {
    readonly projectIds: readonly string[];
    readonly state?: string | undefined;
    readonly waitingOnly: boolean;
    /** Those of one person, who may have been several. */
    readonly userIds?: readonly string[] | undefined;
    readonly before?: { readonly at: Date; readonly id: string } | undefined;
    readonly limit: number;
  },
): Promise<OrderLine[]> {
  const { projectIds, state, waitingOnly, userIds, before, limit } = input;
  // One short read of an index for each project, whatever the number of orders: what is null is
  // gone before the plan is made.
  const { rows } = await db.query<OrderLine>({
    text: `select o.* from unnest($1::uuid[]) p (id) cross join lateral (
        select id, project_id as "projectId", kind, state, attention, created_at as "createdAt", updated_at as "updatedAt",
          deadline_at as "deadlineAt", terms from orders
        where project_id = p.id and (created_at, id) < ($2::timestamptz, $3::uuid) and ($5::text is null or state = $5)
          and (not $6::boolean or ${parkedSql} or attention is not null)
          and ($7::uuid[] is null or user_id = any($7))
        order by created_at desc, id desc limit $4) o
      order by "createdAt" desc, id desc limit $4`,
    values: [
      projectIds,
      before?.at ?? farthest,
      before?.id ?? lastId,
      limit,
      state ?? null,
      waitingOnly,
      userIds ?? null,
    ],
  });
  return rows;
}

/** Behind every row that is there. */
const farthest = 'infinity';
const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

export interface PayoutLine {
  /** Of the payout. */
  readonly payoutId: string;
  /** Of its order. */
  readonly id: string;
  readonly projectId: string;
  readonly createdAt: Date;
  readonly state: OrderState;
  readonly payout: PayoutFact & { readonly decimals: number };
  readonly waits?: string | undefined;
  /** Asked for, and at no bank's end since. */
  readonly isLate: boolean;
}

const lateMs = 3 * 86_400_000;

/**
 * What a bank was asked to pay for orders, the newest order first; `late`: for three days without
 * an end.
 */
export async function listPayoutLines(
  ctx: Pick<Ctx, 'store' | 'clock'>,
  input: {
    readonly projectIds: readonly string[];
    readonly status?: PayoutFactStatus | undefined;
    readonly rail?: string | undefined;
    readonly lateOnly: boolean;
    readonly before?: { readonly at: Date; readonly id: string } | undefined;
    readonly limit: number;
  },
): Promise<PayoutLine[]> {
  const { projectIds, status, rail, lateOnly, before, limit } = input;
  const late = new Date(ctx.clock.now().getTime() - lateMs);
  const { rows } = await ctx.store.query<
    Omit<PayoutLine, 'payoutId' | 'payout' | 'waits' | 'isLate'> & { readonly payout: PayoutFact }
  >({
    text: `select o.* from unnest($1::uuid[]) p (id) cross join lateral (
        select id, project_id as "projectId", created_at as "createdAt", state, facts->'payout' as payout from orders
        where project_id = p.id and payout_id is not null and (created_at, id) < ($2::timestamptz, $3::uuid)
          and ($5::text is null or facts->'payout'->>'status' = $5) and ($6::text is null or facts->'payout'->>'rail' = $6)
          and ($7::text is null or (facts->'payout'->>'status' in ('asked', 'held') and facts->'payout'->>'askedAt' < $7))
        order by created_at desc, id desc limit $4) o
      order by "createdAt" desc, id desc limit $4`,
    values: [
      projectIds,
      before?.at ?? farthest,
      before?.id ?? lastId,
      limit,
      status ?? null,
      rail ?? null,
      lateOnly ? late.toISOString() : null,
    ],
  });
  return rows.map((row) => ({
    ...row,
    payout: { ...row.payout, decimals: fiatDecimals(row.payout.currency) },
    payoutId: row.payout.id,
    waits: explainWait(row.payout),
    isLate:
      (row.payout.status === 'asked' || row.payout.status === 'held') &&
      row.payout.askedAt < late.toISOString(),
  }));
}

export interface Promised {
  readonly projectId: string;
  /** As in the ledger: a fiat code or a token of a chain. */
  readonly asset: string;
  readonly currency: string;
  readonly decimals: number;
  readonly amountMinor: string;
  readonly orders: number;
}

/**
 * What open orders with a price are to receive, by asset: what has to be there when they are paid.
 */
export async function readPromised(db: Db, projectIds: readonly string[]): Promise<Promised[]> {
  const { rows } = await db.query<Promised>({
    text: `select project_id as "projectId", terms->'receive'->>'asset' as asset, min(terms->'receive'->>'currency') as currency,
        min((terms->'receive'->>'decimals')::int) as decimals, sum((terms->'receive'->>'amountMinor')::numeric)::text as "amountMinor",
        count(*)::int as orders
      from orders where project_id = any($1::uuid[]) and deadline_at is not null and terms is not null and terms->'collectible' is null
        and phase <> 'completed' group by 1, 2 order by 1, 2 limit 500`,
    values: [projectIds],
  });
  return rows;
}

/** As {@link countByHour}. */
export const countOrdersByHour = (db: Db, input: HoursInput): Promise<number[]> =>
  countByHour(db, input, { table: 'orders', projectIdType: 'uuid' });

const entriesShownMax = 500;

/**
 * Everything that is known of an order: its history, money that came and went, and what the books
 * say; undefined when there is none.
 */
export async function readOrderTimeline(ctx: Ctx, id: string) {
  const order = await selectOrder(ctx.store, { by: 'id', id });
  if (!order) return undefined;
  const { projectId } = order;
  const [moves, deposits, refunds, ledger, entries] = await Promise.all([
    selectMoves(ctx.store, id),
    selectDepositsOfOrder(ctx.store, id),
    selectRefundsOfOrder(ctx.store, id),
    readBalances(ctx.store, { projectId, account: clearingOf(order), limit: 100 }),
    readEntries(ctx.store, { projectId, orderId: id, limit: entriesShownMax }),
  ]);
  const { clientSecretHash: _, ...shown } = order;
  const payout = payoutOf(order);
  const assets = new Set([
    ...ledger.map(({ asset }) => asset),
    ...entries.flatMap(({ postings }) => postings.map(({ asset }) => asset)),
  ]);
  return {
    order: shown,
    moves,
    deposits,
    refunds,
    payout,
    payoutWait: payout && explainWait(payout),
    ledger,
    entries: entries.map(({ id: entryId, reference, kind, phase, recordedAt, postings }) => ({
      id: entryId,
      reference,
      kind,
      phase,
      recordedAt,
      postings,
    })),
    assets: Object.fromEntries(await readAssets(ctx.store, [...assets])),
  };
}
