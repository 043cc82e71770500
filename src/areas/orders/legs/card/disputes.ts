import type { Ctx } from '../../../../context.ts';
import { postEntries } from '../../../../ledger/index.ts';
import type { CardEvent } from '../../../../providers/card/card.ts';
import type { Tx } from '../../../../store/types.ts';
import { readOrderSettings } from '../../pricing/settings-store.ts';
import { noteOrder } from '../../state/change-order.ts';
import type { OrderRecord } from '../../state/types.ts';
import { disputeEntry } from '../ledger.ts';
import { type DisputeRow, decideDispute, insertDispute, selectDispute, sumDisputes } from './disputes-store.ts';

/** Payments that the payer's bank takes back: the order stays delivered, the ledger and the operator know. */

export type DisputeEvent = Extract<CardEvent, { readonly type: 'disputed' | 'dispute-won' | 'dispute-lost' }>;

/** News of a dispute, in whatever order and however often it comes: an end that comes first opens the dispute too. */
export async function followDispute(
  ctx: Ctx,
  tx: Tx,
  order: OrderRecord,
  input: { readonly provider: string; readonly event: DisputeEvent },
) {
  const { provider, event } = input;
  const key = { provider, reference: event.reference };
  const known = await selectDispute(tx, key);
  const dispute = known ?? (await openDispute(ctx, tx, order, { provider, event }));
  const decision = event.type === 'dispute-won' ? 'won' : event.type === 'dispute-lost' ? 'lost' : undefined;
  if (decision === undefined || dispute.status !== 'open') return;
  const at = ctx.clock.now();
  await decideDispute(tx, { ...key, status: decision, now: at });
  await postEntries(ctx, tx, [disputeEntry(order, { ...key, step: decision, money: moneyOf(dispute), at })]);
  ctx.log.warn({ orderId: order.id, provider, reference: event.reference, decision }, 'a dispute was decided');
  await noteOrder(ctx, tx, order, {
    event: `dispute-${decision}`,
    set: { attention: `Dispute ${event.reference} was ${decision}.` },
    note: event.reference,
  });
}

async function openDispute(
  ctx: Ctx,
  tx: Tx,
  order: OrderRecord,
  { provider, event }: { readonly provider: string; readonly event: DisputeEvent },
): Promise<DisputeRow> {
  const now = ctx.clock.now();
  const { reference, amountMinor, reason } = event;
  const currency = event.currency.toLowerCase();
  const dispute: DisputeRow = { provider, reference, currency, amountMinor, reason, status: 'open' };
  await insertDispute(tx, { ...dispute, order, now });
  await postEntries(ctx, tx, [disputeEntry(order, { provider, reference, step: 'opened', money: moneyOf(dispute), at: now })]);
  const { onDispute } = await readOrderSettings({ store: ctx.store }, order.projectId);
  ctx.log.warn({ orderId: order.id, provider, reference, reason }, 'a card payment is disputed');
  if (onDispute === 'operator' && event.type === 'disputed')
    await noteOrder(ctx, tx, order, {
      event: 'disputed',
      set: { attention: `Dispute ${reference} (${reason}): answer it at the acquirer.` },
      note: reference,
    });
  return dispute;
}

function moneyOf({ currency, amountMinor }: DisputeRow) {
  return { asset: currency, amountMinor };
}

/**
 * Compares what the acquirer says is disputed now with the disputes that were told: a difference means that news was lost, which
 * only the operator can mend.
 */
export async function checkDisputes(ctx: Ctx, tx: Tx, order: OrderRecord, disputedMinor: bigint): Promise<void> {
  const toldMinor = await sumDisputes(tx, order.id);
  const { disputeGap } = order.facts;
  if (toldMinor === disputedMinor) {
    // The news was late only. What was seen must not stand against a refund after the dispute was won.
    if (disputeGap !== undefined) await noteOrder(ctx, tx, order, { event: 'dispute-told', facts: { disputeGap: undefined } });
    return;
  }
  if (disputeGap === disputedMinor.toString()) return;
  ctx.log.error({ orderId: order.id, disputedMinor, toldMinor }, 'the acquirer has another sum of disputes than it told');
  await noteOrder(ctx, tx, order, {
    event: 'dispute-untold',
    facts: { disputeGap: disputedMinor.toString() },
    set: { attention: `The acquirer says that ${disputedMinor} is disputed, and told of ${toldMinor}: see its desk.` },
  });
}
