import type { Ctx } from '../../../../context.ts';
import { formatAmount } from '../../../../lib/money/amount.ts';
import type { Tx } from '../../../../store/types.ts';
import { type DepositRecord, selectDepositsOfOrder } from '../../../deposits/index.ts';
import { wakeOrder } from '../../kinds/flow-registry.ts';
import { changeOrder, noteOrder } from '../../state/change-order.ts';
import type { OrderFacts, OrderMoneyFact, OrderRecord } from '../../state/types.ts';
import { clearedMinor } from '../cover.ts';
import { clearingOf } from '../ledger.ts';
import { grantsOf } from '../refund/grants.ts';
import { createRefund, unrefundedOf } from '../refund/refunds.ts';
import { isOwedByOrder, selectRefundsOfOrder } from '../refund/store.ts';
import { countDeposits, rulesOf } from './rules.ts';
import { selectOrderDeposits } from './store.ts';

/** The deposits that pay an order. */
export interface Paying {
  /** Posted to the order. */
  readonly final: readonly DepositRecord[];
  /** In a block that may still be replaced. */
  readonly pending: readonly DepositRecord[];
  readonly sumMinor: bigint;
  /**
   * Came in the token of the order although it was not needed, e.g. a second deposit: it goes back.
   */
  readonly extraMinor: bigint;
}

/** @param deposits those that were assigned to the order */
export async function readPaying(
  tx: Tx,
  order: OrderRecord,
  deposits: readonly DepositRecord[],
): Promise<Paying> {
  const uses = new Map(
    (await selectOrderDeposits(tx, order.id)).map((use) => [use.depositId, use]),
  );
  const paying = deposits.filter(({ id }) => uses.get(id)?.use === 'pays');
  const final = paying.filter(({ id }) => uses.get(id)!.counts);
  const pending = paying.filter(
    ({ id, status }) => !uses.get(id)!.counts && status !== 'retracted',
  );
  const extra = deposits.filter(
    ({ id, token }) =>
      uses.get(id)?.use === 'extra' &&
      uses.get(id)!.counts &&
      token.decimals === order.terms?.pay.decimals,
  );
  const sum = (of: readonly DepositRecord[]) =>
    of.reduce((total, { amountMinor }) => total + amountMinor, 0n);
  return { final, pending, sumMinor: sum(final), extraMinor: sum(extra) };
}

/** `payment.received`: all that came for the order, also what goes back of it. */
export function receivedOf(order: OrderRecord, paying: Paying): OrderMoneyFact {
  const { currency, decimals } = order.terms!.pay;
  const last = paying.final.at(-1);
  return {
    currency,
    decimals,
    amountMinor: (paying.sumMinor + paying.extraMinor).toString(),
    ...(last && { chain: last.chain, txId: last.txId }),
  };
}

/** Moves an order in `deposit_seen` or `deposit_late` by what has become final. */
export async function settleSeen(
  ctx: Ctx,
  tx: Tx,
  order: OrderRecord,
  deposits: readonly DepositRecord[],
): Promise<void> {
  const paying = await readPaying(tx, order, deposits);
  const received = receivedOf(order, paying);
  if (order.state === 'deposit_late') {
    // Whether the price still covers it is asked outside of this transaction.
    await noteOrder(ctx, tx, order, { event: 'deposit-final', facts: { received } });
    return wakeOrder(ctx, tx, order);
  }
  const terms = order.terms!;
  const count = countDeposits(terms, rulesOf(order), paying.sumMinor);
  if (count.fit === 'short') {
    if (paying.pending.length > 0)
      await noteOrder(ctx, tx, order, { event: 'deposit-final', facts: { received } });
    else
      await changeOrder(ctx, tx, order, {
        event: 'deposit-short',
        facts: { received, ...shortFailure(order, count.missingMinor) },
      });
    return;
  }
  if (count.fit === 'over') {
    const over = await changeOrder(ctx, tx, order, {
      event: 'deposit-over',
      facts: { received, failure: undefined },
    });
    await refundExcess(ctx, tx, over, { paying, excessMinor: count.excessMinor });
    await changeOrder(ctx, tx, over, { event: 'excess-split' });
    return;
  }
  await changeOrder(ctx, tx, order, {
    event: 'deposit-exact',
    facts: { received, failure: undefined, dustMinor: count.dustMinor.toString() },
    ...(count.terms !== terms && {
      set: { terms: count.terms },
      priced: true,
      note: 'a little short: less is paid out',
    }),
  });
}

function shortFailure(order: OrderRecord, missingMinor: bigint): Pick<OrderFacts, 'failure'> {
  const { currency, decimals } = order.terms!.pay;
  return {
    failure: {
      code: 'deposit-short',
      message: `${formatAmount(missingMinor, decimals)} ${currency.toUpperCase()} are missing: send them before the quote ends, or what came is sent back.`,
      retryPolicy: 'retry',
    },
  };
}

/** Sends back what was too much, from the deposit that came last. */
export async function refundExcess(
  ctx: Ctx,
  tx: Tx,
  order: OrderRecord,
  { paying, excessMinor }: { readonly paying: Paying; readonly excessMinor: bigint },
): Promise<void> {
  let left = excessMinor;
  for (const deposit of paying.final.toReversed()) {
    const open = await unrefundedOf(tx, deposit);
    const amountMinor = open < left ? open : left;
    if (amountMinor <= 0n) continue;
    await createRefund(ctx, tx, {
      deposit,
      orderId: order.id,
      reason: 'excess',
      amountMinor,
      from: clearingOf(order),
    });
    left -= amountMinor;
  }
}

/**
 * Sends back what an order in `refunding` still owes in what was paid, to whoever sent it. To be
 * called again is harmless; the order ends when every refund is final.
 */
export async function refundOrder(ctx: Ctx, tx: Tx, order: OrderRecord): Promise<void> {
  let left = await clearedMinor(tx, order, order.terms!.pay.asset);
  // The same deposit goes back once for one reason.
  const grant = grantsOf(order).at(-1);
  const reason = grant ? (`request-${grant.lineItem}` as const) : 'order';
  const { final } = await readPaying(tx, order, await selectDepositsOfOrder(tx, order.id));
  for (const deposit of final) {
    const open = await unrefundedOf(tx, deposit);
    const amountMinor = open < left ? open : left;
    if (amountMinor <= 0n) continue;
    const refund = await createRefund(ctx, tx, {
      deposit,
      orderId: order.id,
      reason,
      amountMinor,
      from: clearingOf(order),
    });
    if (refund) left -= amountMinor;
  }
  if (left > 0n) {
    const attention = 'what is owed cannot be matched with deposits: refund it by hand';
    ctx.log.error({ orderId: order.id }, attention);
    await changeOrder(ctx, tx, order, { event: 'attention-needed', set: { attention } });
    return;
  }
  const refunds = (await selectRefundsOfOrder(tx, order.id)).filter(isOwedByOrder);
  if (refunds.every(({ status }) => status === 'final'))
    await changeOrder(ctx, tx, order, {
      event: 'refund-final',
      ...(refunds.length === 0 && { note: 'nothing is left to send back' }),
    });
}
