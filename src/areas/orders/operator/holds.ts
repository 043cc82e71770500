import type { Ctx } from '../../../context.ts';
import { formatAmount } from '../../../lib/money/amount.ts';
import { fiatDecimals } from '../../../lib/money/fiat.ts';
import type { AttentionItem, AttentionPlace } from '../../operations/index.ts';
import { selectHeldDeposits } from '../legs/deposit/store.ts';
import { explainWait, type PayoutFact } from '../legs/payout/fact.ts';
import { selectAskingOrders } from '../state/store.ts';
import { depositItem, orderItem } from './attention.ts';

/**
 * What keeps money from going on: an order that is parked, a payout that the vault keeps, a deposit
 * that is nobody's yet.
 */
export const holdKinds = ['order', 'payout', 'deposit'] as const;

/** Money that does not go on by itself. */
export interface HeldMoney
  extends Pick<
    AttentionItem,
    'id' | 'projectId' | 'since' | 'title' | 'reason' | 'amount' | 'orderId'
  > {
  readonly kind: (typeof holdKinds)[number];
}

interface HoldsInput {
  readonly projectIds: readonly string[];
  readonly kind?: HeldMoney['kind'] | undefined;
  readonly after?: AttentionPlace | undefined;
  readonly limit: number;
}

/** What holds money back in projects, since when and why, the oldest first, behind a place. */
export async function listHolds(
  ctx: Ctx,
  { projectIds, kind, after, limit }: HoldsInput,
): Promise<HeldMoney[]> {
  const asked = holdKinds.filter((one) => kind === undefined || one === kind);
  const found = await Promise.all(
    projectIds.flatMap((projectId) =>
      asked.map((one) => sources[one](ctx, { projectId, after, limit })),
    ),
  );
  return found
    .flat()
    .sort((a, b) => a.since.getTime() - b.since.getTime() || (a.id < b.id ? -1 : 1))
    .slice(0, limit);
}

type Source = (
  ctx: Ctx,
  input: {
    readonly projectId: string;
    readonly after?: AttentionPlace | undefined;
    readonly limit: number;
  },
) => Promise<HeldMoney[]>;

const heldOf = (
  kind: HeldMoney['kind'],
  { id, projectId, since, title, reason, amount, orderId }: Omit<HeldMoney, 'kind'>,
): HeldMoney => ({
  kind,
  id,
  projectId,
  since,
  title,
  reason,
  amount,
  orderId,
});

const sources: Readonly<Record<HeldMoney['kind'], Source>> = {
  order: async (ctx, input) =>
    (await selectAskingOrders(ctx.store, { ...input, parkedOnly: true })).map((order) =>
      heldOf('order', orderItem(order)),
    ),
  payout: selectHeldPayouts,
  deposit: async (ctx, input) => {
    const items = await Promise.all(
      (await selectHeldDeposits(ctx.store, input)).map((held) => depositItem(ctx, held)),
    );
    return items.flatMap((item) => (item ? [heldOf('deposit', item)] : []));
  },
};

/** Payouts that the vault has and does not hand in yet, by when they were asked for. */
async function selectHeldPayouts(
  ctx: Ctx,
  { projectId, after, limit }: Parameters<Source>[1],
): Promise<HeldMoney[]> {
  const { rows } = await ctx.store.query<{ order_id: string; payout: PayoutFact; since: Date }>({
    text: `select id as order_id, facts->'payout' as payout, (facts->'payout'->>'askedAt')::timestamptz as since from orders
      where project_id = $1 and payout_id is not null and facts->'payout'->>'status' = 'held'
        and ((facts->'payout'->>'askedAt')::timestamptz, payout_id) > ($2::timestamptz, $3::uuid)
      order by since, payout_id limit $4`,
    values: [
      projectId,
      after?.at ?? '-infinity',
      after?.id ?? '00000000-0000-0000-0000-000000000000',
      limit,
    ],
  });
  return rows.map(({ order_id: orderId, payout, since }) => ({
    kind: 'payout',
    id: payout.id,
    projectId,
    orderId,
    since,
    title: `Payout by ${payout.rail} that the vault keeps`,
    reason: explainWait(payout) ?? [payout.code, payout.reason].filter(Boolean).join(': '),
    amount: {
      amount: formatAmount(BigInt(payout.amountMinor), fiatDecimals(payout.currency)),
      currency: payout.currency.toUpperCase(),
    },
  }));
}
