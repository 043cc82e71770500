import type { Ctx } from '../../../../context.ts';
import type { Tx } from '../../../../store/types.ts';
import { selectTreasuryTransfer, type TreasuryTransfer } from '../../../treasury/index.ts';
import { type OrderStepResult, orderEffect, sleepByAge } from '../../kinds/steps.ts';
import { changeOrder, noteOrder } from '../../state/change-order.ts';
import { deliveriesOf, itemOf, itemTermsOf } from '../../state/items.ts';
import type { DeliveredToken, ItemDelivery, OrderRecord } from '../../state/types.ts';
import { holdDelivery, releaseCover, uncovered } from '../cover.ts';
import { isUnread, readArrived, shortfallOf } from './collectible.ts';
import {
  bookDelivery,
  bookGas,
  type DeliveryRefusal,
  isHopeless,
  leaveShort,
  sendDelivery,
  tryDelivery,
} from './delivery.ts';

/**
 * The delivery of an order of several line items: each has a transfer of its own, one at a time,
 * and a second try at most. What arrives is booked at its own price; what cannot be delivered
 * leaves its price on the order's clearing account, and goes back from there.
 */

const pollMsMax = 60_000;
const retryAfterMs = 2_000;
const look: OrderStepResult = { goto: 'look' };

interface Refused {
  readonly index: number;
  readonly transferId: string;
  readonly refusal: DeliveryRefusal;
}

/** Which items of a collection a line item has brought. */
interface Arrived {
  readonly index: number;
  readonly transfer: TreasuryTransfer;
  readonly tokens: readonly DeliveredToken[];
}

export const deliverItems = orderEffect<{
  readonly refused: readonly Refused[];
  readonly arrived: readonly Arrived[];
}>({
  turn: 'deliver',
  async prepare(ctx, tx, order) {
    let current = order;
    let unsent = 0;
    for (const [index, { status, transferId }] of deliveriesOf(order).entries()) {
      if (status) continue;
      const transfer = await selectTreasuryTransfer(tx, transferId);
      if (transfer && !isUnread(itemOf(current, index), transfer)) {
        current = await followItem(ctx, tx, current, { index, transfer });
        continue;
      }
      unsent += 1;
      if (transfer) continue;
      const held = await holdDelivery(ctx, tx, itemOf(current, index), transferId);
      if (held === 'ended')
        current = await noteItem(ctx, tx, current, {
          index,
          event: 'item-retried',
          set: { transferId: ctx.ids.uuid() },
        });
      if (held === 'missing')
        await changeOrder(ctx, tx, current, {
          event: 'attention-needed',
          set: { attention: uncovered },
        });
      if (held !== 'held') return look;
    }
    if (deliveriesOf(current).every(({ status }) => status)) return endDelivery(ctx, tx, current);
    return unsent > 0 ? undefined : sleepByAge(ctx, current, { maxMs: pollMsMax });
  },
  async perform(ctx, order) {
    const refused: Refused[] = [];
    const arrived: Arrived[] = [];
    for (const [index, { status, transferId }] of deliveriesOf(order).entries()) {
      if (status) continue;
      const item = itemOf(order, index);
      const transfer = await selectTreasuryTransfer(ctx.store, transferId);
      if (transfer && isUnread(item, transfer))
        arrived.push({ index, transfer, tokens: await readArrived(ctx, transfer) });
      if (transfer) continue;
      const refusal = await sendDelivery(ctx, item);
      if (refusal) refused.push({ index, transferId, refusal });
    }
    return { refused, arrived };
  },
  async record(ctx, tx, order, { refused, arrived }) {
    let current = order;
    for (const { index, transfer, tokens } of arrived) {
      const attention = shortfallOf(transfer, tokens);
      if (attention !== undefined) {
        await leaveShort(ctx, tx, current, { transfer, attention });
        return look;
      }
      current = await noteItem(ctx, tx, current, {
        index,
        event: 'items-read',
        set: { deliveredTokens: tokens },
      });
    }
    for (const { index, transferId, refusal } of refused) {
      const isMeant = deliveriesOf(current)[index]?.transferId === transferId;
      // A try that was given up for lost may have sent it since it was refused; from here on the
      // lock keeps that out.
      if (isMeant && !(await selectTreasuryTransfer(tx, transferId)))
        current = await failItem(ctx, tx, current, { index, refusal });
    }
    if (deliveriesOf(current).every(({ status }) => status)) return endDelivery(ctx, tx, current);
    if (arrived.length > 0) return look;
    return refused.length > 0
      ? { goto: 'look', runAt: new Date(ctx.clock.now().getTime() + retryAfterMs) }
      : sleepByAge(ctx, current, { maxMs: pollMsMax });
  },
});

/**
 * Whether each line item could be delivered now, beside the others. What has arrived, or is under
 * way, is not asked again.
 * @returns what the order is to deliver with, or why nothing can be delivered
 * @throws ServiceError when nobody can tell now
 */
export async function planItems(
  ctx: Ctx,
  order: OrderRecord,
): Promise<readonly ItemDelivery[] | DeliveryRefusal> {
  const planned: ItemDelivery[] = [];
  const promised = new Map<string, bigint>();
  let refusal: DeliveryRefusal | undefined;
  for (const [index, { receive }] of itemTermsOf(order).entries()) {
    const known = deliveriesOf(order)[index];
    if (known && (known.status === 'delivered' || (await isUnderWay(ctx, known)))) {
      planned.push(known);
      continue;
    }
    const alsoMinor = promised.get(receive.asset) ?? 0n;
    const refused = await tryDelivery(ctx, itemOf(order, index), alsoMinor);
    refusal ??= refused;
    if (!refused) promised.set(receive.asset, alsoMinor + receive.amountMinor);
    planned.push({ transferId: ctx.ids.uuid(), ...(refused && { status: 'failed' as const }) });
  }
  return refusal && planned.every(({ status }) => status === 'failed') ? refusal : planned;
}

/** True of a transfer that may still arrive. */
async function isUnderWay(
  ctx: Pick<Ctx, 'store'>,
  { status, transferId }: ItemDelivery,
): Promise<boolean> {
  if (status) return false;
  const transfer = await selectTreasuryTransfer(ctx.store, transferId);
  return transfer !== undefined && transfer.status !== 'failed';
}

/**
 * What became of the transfer of a line item (from 0): what arrived is booked at its own price,
 * what failed is tried once more or goes back.
 */
export async function followItem(
  ctx: Ctx,
  tx: Tx,
  order: OrderRecord,
  { index, transfer }: { readonly index: number; readonly transfer: TreasuryTransfer },
): Promise<OrderRecord> {
  if (transfer.status === 'failed') {
    await bookGas(ctx, tx, order, transfer);
    const refusal = {
      code: transfer.error?.reason ?? 'unknown',
      message: transfer.error?.message ?? 'The transfer failed on the chain.',
    };
    return failItem(ctx, tx, order, { index, refusal });
  }
  if (transfer.status !== 'final') return order;
  // What was over by too little to go back is kept once.
  const isFirst = !deliveriesOf(order).some(({ status }) => status === 'delivered');
  const { facts } = await bookDelivery(ctx, tx, itemOf(order, index), transfer, {
    index,
    keepsDust: isFirst,
  });
  const { deliveredAt, deliveredMinor, deliveredAddress, txId } = facts;
  return noteItem(ctx, tx, order, {
    index,
    event: 'item-delivered',
    set: {
      status: 'delivered',
      ...(deliveredAt !== undefined && { deliveredAt }),
      ...(deliveredMinor !== undefined && { deliveredMinor }),
      ...(deliveredAddress !== undefined && { deliveredAddress }),
      ...(txId !== undefined && { txId }),
    },
  });
}

async function failItem(
  ctx: Ctx,
  tx: Tx,
  order: OrderRecord,
  { index, refusal }: { readonly index: number; readonly refusal: DeliveryRefusal },
): Promise<OrderRecord> {
  ctx.log.warn(
    { orderId: order.id, lineItem: index, code: refusal.code },
    'the delivery of a line item failed',
  );
  await releaseCover(ctx, tx, order, deliveriesOf(order)[index]!.transferId);
  const again = deliveriesOf(order)[index]!.retried !== true && !isHopeless(refusal);
  return noteItem(ctx, tx, order, {
    index,
    event: again ? 'item-retried' : 'item-failed',
    set: again ? { transferId: ctx.ids.uuid(), retried: true } : { status: 'failed' },
    note: refusal.code,
  });
}

function noteItem(
  ctx: Ctx,
  tx: Tx,
  order: OrderRecord,
  {
    index,
    event,
    set,
    note,
  }: {
    readonly index: number;
    readonly event: string;
    readonly set: Partial<ItemDelivery>;
    readonly note?: string;
  },
): Promise<OrderRecord> {
  const deliveries = deliveriesOf(order).map((delivery, at) =>
    at === index ? { ...delivery, ...set } : delivery,
  );
  return noteOrder(ctx, tx, order, {
    event,
    facts: { deliveries },
    note: `line item ${index}${note === undefined ? '' : `: ${note}`}`,
  });
}

/** Every line item has arrived or cannot be delivered. */
async function endDelivery(ctx: Ctx, tx: Tx, order: OrderRecord): Promise<OrderStepResult> {
  const arrived = deliveriesOf(order).filter(({ status }) => status === 'delivered');
  if (arrived.length === deliveriesOf(order).length) {
    const at = arrived.map(({ deliveredAt }) => deliveredAt ?? '').toSorted();
    await changeOrder(ctx, tx, order, { event: 'delivered', facts: { deliveredAt: at.at(-1) } });
    return look;
  }
  const isPart = arrived.length > 0;
  const what = isPart ? 'Some of the tokens' : 'The tokens';
  await changeOrder(ctx, tx, order, {
    event: 'delivery-failed',
    ...(isPart && { delivery: 'partial-delivery' as const }),
    facts: {
      failure: {
        code: 'unknown',
        message: `${what} could not be delivered; what was paid for them goes back.`,
        retryPolicy: 'new-order',
      },
    },
  });
  return look;
}
