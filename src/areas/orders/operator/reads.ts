import type { Ctx } from '../../../context.ts';
import { readAssets, readBalances, readEntries } from '../../../ledger/index.ts';
import type { Db } from '../../../store/types.ts';
import { selectDepositsOfOrder } from '../../deposits/index.ts';
import { clearingOf } from '../legs/ledger.ts';
import { explainWait, payoutOf } from '../legs/payout/fact.ts';
import { selectRefundsOfOrder } from '../legs/refund/store.ts';
import type { OrderState } from '../state/states.ts';
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
 * Orders of projects for their operator, newest first, behind a place: those in one state, those that wait for the operator or say that
 * they need attention, whatever their state, or all.
 */
export async function listOrderLines(
  db: Db,
  input: {
    readonly projectIds: readonly string[];
    readonly state?: string | undefined;
    readonly waitingOnly: boolean;
    readonly before?: { readonly at: Date; readonly id: string } | undefined;
    readonly limit: number;
  },
): Promise<OrderLine[]> {
  const { projectIds, state, waitingOnly, before, limit } = input;
  // One short read of the index for each project, whatever the number of orders.
  const { rows } = await db.query<OrderLine>({
    text: `select o.* from unnest($1::uuid[]) p (id) cross join lateral (
        select id, project_id as "projectId", kind, state, attention, created_at as "createdAt", updated_at as "updatedAt",
          deadline_at as "deadlineAt", terms from orders
        where project_id = p.id and ($2::text is null or state = $2) and ($3::timestamptz is null or (created_at, id) < ($3, $4::uuid))
          ${waitingOnly ? "and (state in ('on_hold', 'needs_operator') or attention is not null)" : ''}
        order by created_at desc, id desc limit $5) o
      order by "createdAt" desc, id desc limit $5`,
    values: [projectIds, state ?? null, before?.at ?? null, before?.id ?? null, limit],
  });
  return rows;
}

const entriesShownMax = 500;

/** Everything that is known of an order: its history, money that came and went, and what the books say; undefined when there is none. */
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
  const assets = new Set([...ledger.map(({ asset }) => asset), ...entries.flatMap(({ postings }) => postings.map(({ asset }) => asset))]);
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
