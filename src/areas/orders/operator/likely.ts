import type { Ctx } from '../../../context.ts';
import { formatAmount } from '../../../lib/money/amount.ts';
import type { Db } from '../../../store/types.ts';
import { type DepositRecord, findDeposit } from '../../deposits/index.ts';
import { assetOf, takesDeposits } from '../legs/deposit/rules.ts';
import { awaitsDepositSql } from '../state/states.ts';
import { selectOrder } from '../state/store.ts';
import type { OrderRecord } from '../state/types.ts';

/** An order that a deposit of nobody may have been meant for. */
export interface LikelyOrder {
  readonly id: string;
  readonly kind: string;
  readonly state: string;
  readonly createdAt: Date;
  /** What it is to be paid with, as a decimal of whole units. */
  readonly pay: { readonly amount: string; readonly currency: string };
  readonly isSameAmount: boolean;
  readonly isSameSender: boolean;
  /** It takes a deposit of this token now: what does not can only be looked at. */
  readonly takesIt: boolean;
}

const shownMax = 5;
const candidatesMax = 20;
const beforeMs = 14 * 86_400_000;
/** Clocks of chains and ours differ. */
const afterMs = 86_400_000;

/**
 * Orders in a deposit's token that ask for just its amount, made in the two weeks before it came,
 * and open ones of its sender, whatever they ask for: the likeliest first. None is told for sure,
 * which is why an operator decides.
 */
export async function readLikelyOrders(ctx: Ctx, depositId: string): Promise<LikelyOrder[]> {
  const deposit = await findDeposit(ctx.store, depositId);
  if (!deposit) return [];
  const asset = assetOf(ctx, deposit.token);
  const ids = await selectCandidates(ctx.store, deposit, asset);
  const found = await Promise.all(ids.map((id) => selectOrder(ctx.store, { by: 'id', id })));
  return found
    .flatMap((order) =>
      order?.terms?.pay.asset === asset ? [{ order, line: lineOf(ctx, order, deposit) }] : [],
    )
    .map(({ order, line }) => ({
      line,
      score: scoreOf(line),
      apartMs: Math.abs(order.createdAt.getTime() - deposit.seenAt.getTime()),
    }))
    .sort((a, b) => b.score - a.score || a.apartMs - b.apartMs)
    .slice(0, shownMax)
    .map(({ line }) => line);
}

const scoreOf = ({ isSameAmount, isSameSender, takesIt }: LikelyOrder) =>
  Number(takesIt) * 4 + Number(isSameSender) * 2 + Number(isSameAmount);

function lineOf(ctx: Pick<Ctx, 'clock'>, order: OrderRecord, deposit: DepositRecord): LikelyOrder {
  const { amountMinor, decimals, currency } = order.terms!.pay;
  return {
    id: order.id,
    kind: order.kind,
    state: order.state,
    createdAt: order.createdAt,
    pay: { amount: formatAmount(amountMinor, decimals), currency: currency.toUpperCase() },
    isSameAmount: amountMinor === deposit.amountMinor,
    isSameSender: order.payerKey !== undefined && order.payerKey === deposit.sender,
    takesIt:
      takesDeposits(order, ctx.clock.now()) && order.request.payment.method === deposit.chain,
  };
}

/** Two short reads, each of an index of its own. */
async function selectCandidates(db: Db, deposit: DepositRecord, asset: string): Promise<string[]> {
  const { projectId, sender, seenAt, amountMinor } = deposit;
  const [sameAmount, sameSender] = await Promise.all([
    db.query<{ id: string }>({
      text: `select id from orders where project_id = $1 and kind in ('offramp', 'checkout') and terms->'pay'->>'asset' = $2
          and terms->'pay'->>'amountMinor' = $3 and created_at between $4 and $5 order by created_at desc limit $6`,
      values: [
        projectId,
        asset,
        amountMinor.toString(),
        new Date(seenAt.getTime() - beforeMs),
        new Date(seenAt.getTime() + afterMs),
        candidatesMax,
      ],
    }),
    db.query<{ id: string }>({
      text: `select id from orders where project_id = $1 and payer_key = $2 and ${awaitsDepositSql}
          order by created_at desc limit $3`,
      values: [projectId, sender, candidatesMax],
    }),
  ]);
  return [...new Set([...sameAmount.rows, ...sameSender.rows].map(({ id }) => id))];
}
