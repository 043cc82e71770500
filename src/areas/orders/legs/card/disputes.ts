import type { Ctx } from '../../../../context.ts';
import { postEntries } from '../../../../ledger/index.ts';
import type { CardEvent } from '../../../../providers/card/card.ts';
import type { Db, Tx } from '../../../../store/types.ts';
import { readOrderSettings } from '../../pricing/settings-store.ts';
import { noteOrder } from '../../state/change-order.ts';
import type { OrderRecord } from '../../state/types.ts';
import { disputeEntry } from '../ledger.ts';

/**
 * Payments that the payer's bank takes back: the order stays delivered, the ledger and the operator
 * know.
 */

export type DisputeEvent = Extract<
  CardEvent,
  { readonly type: 'disputed' | 'dispute-won' | 'dispute-lost' }
>;

/**
 * News of a dispute, in whatever order and however often it comes: an end that comes first opens
 * the dispute too.
 */
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
  const decision =
    event.type === 'dispute-won' ? 'won' : event.type === 'dispute-lost' ? 'lost' : undefined;
  if (decision === undefined || dispute.status !== 'open') return;
  const at = ctx.clock.now();
  await decideDispute(tx, { ...key, status: decision, now: at });
  await postEntries(ctx, tx, [
    disputeEntry(order, { ...key, step: decision, money: moneyOf(dispute), at }),
  ]);
  ctx.log.warn(
    { orderId: order.id, provider, reference: event.reference, decision },
    'a dispute was decided',
  );
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
  const dispute: DisputeRow = {
    provider,
    reference,
    currency,
    amountMinor,
    reason,
    status: 'open',
  };
  await insertDispute(tx, { ...dispute, order, now });
  await postEntries(ctx, tx, [
    disputeEntry(order, { provider, reference, step: 'opened', money: moneyOf(dispute), at: now }),
  ]);
  const { onDispute } = await readOrderSettings(ctx, order.projectId);
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
 * Compares what the acquirer says is disputed now with the disputes that were told: a difference
 * means that news was lost, which only the operator can mend.
 */
export async function checkDisputes(
  ctx: Ctx,
  tx: Tx,
  order: OrderRecord,
  disputedMinor: bigint,
): Promise<void> {
  const toldMinor = await sumDisputes(tx, order.id);
  const { disputeGap } = order.facts;
  if (toldMinor === disputedMinor) {
    // The news was late only. What was seen must not stand against a refund after the dispute was
    // won.
    if (disputeGap !== undefined)
      await noteOrder(ctx, tx, order, { event: 'dispute-told', facts: { disputeGap: undefined } });
    return;
  }
  if (disputeGap === disputedMinor.toString()) return;
  ctx.log.error(
    { orderId: order.id, disputedMinor, toldMinor },
    'the acquirer has another sum of disputes than it told',
  );
  await noteOrder(ctx, tx, order, {
    event: 'dispute-untold',
    facts: { disputeGap: disputedMinor.toString() },
    set: {
      attention: `The acquirer says that ${disputedMinor} is disputed, and told of ${toldMinor}: see its desk.`,
    },
  });
}

export interface DisputeRow {
  readonly provider: string;
  /** The acquirer's id. */
  readonly reference: string;
  readonly currency: string;
  readonly amountMinor: bigint;
  readonly reason: string;
  readonly status: 'open' | 'won' | 'lost';
}

export interface DisputeKey {
  readonly provider: string;
  readonly reference: string;
}

async function insertDispute(
  tx: Tx,
  dispute: DisputeRow & { readonly order: OrderRecord; readonly now: Date },
): Promise<void> {
  const { provider, reference, order, currency, amountMinor, reason, status, now } = dispute;
  await tx.query({
    name: 'dispute-insert',
    text: `insert into order_disputes (provider, reference, order_id, project_id, currency, amount_minor, reason, status, opened_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    values: [
      provider,
      reference,
      order.id,
      order.projectId,
      currency,
      amountMinor.toString(),
      reason,
      status,
      now,
    ],
  });
}

async function selectDispute(
  db: Db,
  { provider, reference }: DisputeKey,
): Promise<DisputeRow | undefined> {
  const { rows } = await db.query<{
    currency: string;
    amount_minor: string;
    reason: string;
    status: DisputeRow['status'];
  }>({
    name: 'dispute-by-reference',
    text: 'select currency, amount_minor, reason, status from order_disputes where provider = $1 and reference = $2',
    values: [provider, reference],
  });
  const [row] = rows;
  return (
    row && {
      provider,
      reference,
      currency: row.currency,
      amountMinor: BigInt(row.amount_minor),
      reason: row.reason,
      status: row.status,
    }
  );
}

async function decideDispute(
  tx: Tx,
  {
    provider,
    reference,
    status,
    now,
  }: DisputeKey & { readonly status: 'won' | 'lost'; readonly now: Date },
): Promise<void> {
  await tx.query({
    name: 'dispute-decide',
    text: `update order_disputes set status = $3, decided_at = $4 where provider = $1 and reference = $2 and status = 'open'`,
    values: [provider, reference, status, now],
  });
}

/** What is taken back now: by disputes that are open or lost. */
export async function sumDisputes(db: Db, orderId: string): Promise<bigint> {
  const { rows } = await db.query<{ sum: string }>({
    name: 'disputes-sum',
    text: `select coalesce(sum(amount_minor), 0)::text as sum from order_disputes where order_id = $1 and status <> 'won'`,
    values: [orderId],
  });
  return BigInt(rows[0]!.sum);
}
