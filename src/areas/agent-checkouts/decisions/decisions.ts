import type { Ctx } from '../../../context.ts';
import { ServiceError } from '../../../lib/errors.ts';
import { parseDecimalAmount } from '../../../lib/money/amount.ts';
import type { Tx } from '../../../store/types.ts';
import type { RecordChange } from '../../operations/index.ts';
import { type CheckoutChange, changeCheckout } from '../change-checkout.ts';
import { decimalsOf } from '../money.ts';
import { makeReceipt } from '../steps/receipt.ts';
import { lockCheckout } from '../store.ts';
import type { CheckoutRecord } from '../types.ts';
import { type Decision, insertDecision, selectPermit } from './decisions-store.ts';

interface DecideInput extends Omit<Decision, 'at'> {
  readonly projectId: string;
  /** Writes down what was decided (`rules.ts`). */
  readonly record?: RecordChange;
}

/**
 * Takes an operator's word for whether the shop has the order of a checkout of which nobody knew.
 * The item can be bought again; an order that is there makes a receipt, one that is not closes the
 * card. Its user is told by the event.
 * @throws checkout-not-found, conflict when the outcome is known, or the checkout has not ended
 */
export async function decideCheckout(ctx: Ctx, input: DecideInput): Promise<CheckoutRecord> {
  return ctx.store.transaction(async (tx) => {
    const record = await lockCheckout(tx, input.checkoutId);
    if (record?.projectId !== input.projectId) throw new ServiceError('checkout-not-found');
    if (!record.endedAt)
      throw new ServiceError('conflict', {
        message: `The checkout has not ended: it is ${record.status}.`,
      });
    if (record.outcome !== 'unknown')
      throw new ServiceError('conflict', {
        message: `There is nothing to decide: the outcome of the checkout is ${record.outcome}.`,
      });
    await insertDecision(tx, { ...input, at: ctx.clock.now() });
    const change =
      input.outcome === 'placed'
        ? await foundPlaced(ctx, tx, record, input)
        : foundNotPlaced(record);
    const decided = await changeCheckout(ctx, tx, record, change);
    await input.record?.(tx, {
      subject: `checkout:${record.id}`,
      changed: { outcome: ['unknown', input.outcome] },
    });
    return decided;
  });
}

async function foundPlaced(
  ctx: Ctx,
  tx: Tx,
  record: CheckoutRecord,
  { merchantOrderId }: Pick<Decision, 'merchantOrderId'>,
): Promise<CheckoutChange> {
  // None where a shop has charged the card before the click, or has placed an order by itself.
  const permit = await selectPermit(tx, record.id);
  const total = permit && {
    amountMinor: parseDecimalAmount(permit.amount, decimalsOf(permit.currency)),
    currency: permit.currency,
  };
  const capturedAt = permit?.at ?? record.endedAt ?? record.updatedAt;
  const receipt = await makeReceipt(ctx, tx, {
    checkoutId: record.id,
    total,
    capturedAt,
    ...(merchantOrderId !== undefined && { merchantOrderId }),
  });
  return {
    event: 'found-placed',
    set: { outcome: 'placed', step: 'settled', receipt, failure: undefined },
    progress: [
      { type: 'step', title: 'Bought', message: 'It was found out that the shop has the order.' },
    ],
  };
}

function foundNotPlaced(record: CheckoutRecord): CheckoutChange {
  return {
    event: 'found-not-placed',
    set: {
      outcome: 'not-placed',
      failure: { ...record.failure, message: 'It was found out that the shop has no such order.' },
    },
    progress: [
      {
        type: 'step',
        title: 'Not bought',
        message: 'It was found out that the shop has no such order.',
      },
    ],
  };
}
