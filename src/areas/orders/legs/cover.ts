import type { Ctx } from '../../../context.ts';
import {
  holdEntries,
  LedgerConflict,
  LedgerOverdrawn,
  type NewEntry,
  postEntries,
  readBalances,
  readHold,
  voidHolds,
} from '../../../ledger/index.ts';
import { withSavepoint } from '../../../store/tx.ts';
import type { Tx } from '../../../store/types.ts';
import { selectTreasuryTransfer } from '../../treasury/index.ts';
import { deliveryIdsOf } from '../state/items.ts';
import type { OrderAmount, OrderRecord } from '../state/types.ts';
import { lostAccount } from './deposit/postings.ts';
import { clearingOf, leg } from './ledger.ts';

/** For the operator: somebody wrote the order, or a deposit is gone. */
export const uncovered =
  'what the order is to give out was not paid into the order, as the ledger has it: nothing was asked for';

/** What was asked of a bank or the relay, and is not known to have left yet. */
const askedAccount = 'suspense:asked';
const referenceOf = (key: string) => `asked:${key}`;

type LedgerCtx = Pick<Ctx, 'clock' | 'ids'>;
type Of = Pick<OrderRecord, 'id' | 'projectId' | 'createdAt'>;
/** `ended`: what was held under this key was given back, so that the key is not used again. */
export type Cover = 'held' | 'ended' | 'missing';

/**
 * Holds what a payout or transfer takes out of a locked order, in the transaction before it is
 * asked for: the database refuses what was not paid into the order. The same again is nothing.
 */
export async function holdCover(
  ctx: LedgerCtx,
  tx: Tx,
  order: Of,
  {
    key,
    money,
  }: { readonly key: string; readonly money: Pick<OrderAmount, 'asset' | 'amountMinor'> },
): Promise<Cover> {
  if (money.amountMinor === 0n) return 'held';
  const { projectId, id: orderId, createdAt: effectiveAt } = order;
  const reference = referenceOf(key);
  const known = await readHold(tx, { projectId, reference });
  if (known === 'ended') return 'ended';
  try {
    const postings = leg(askedAccount, clearingOf(order), money);
    // The order's time, and not the clock's: the same hold again has the same content.
    const entry = { projectId, orderId, reference, kind: 'asked', effectiveAt, postings } as const;
    await withSavepoint(tx, 'cover', (inner) => holdEntries(ctx, inner, [entry]));
    return 'held';
  } catch (error) {
    if (!(error instanceof LedgerOverdrawn) && !(error instanceof LedgerConflict)) throw error;
    return 'missing';
  }
}

/** Holds the price of what is delivered. Nothing but an item of a collection is free. */
export function holdDelivery(
  ctx: LedgerCtx,
  tx: Tx,
  order: OrderRecord,
  transferId: string,
): Promise<Cover> | Cover {
  const { pay, collectible } = order.terms!;
  return pay.amountMinor === 0n && !collectible
    ? 'missing'
    : holdCover(ctx, tx, order, { key: transferId, money: pay });
}

/** True while something is held under the key; also of what costs nothing. */
export async function isCoverHeld(
  tx: Tx,
  { projectId }: Pick<Of, 'projectId'>,
  input: { readonly key: string; readonly amountMinor: bigint },
): Promise<boolean> {
  return (
    input.amountMinor === 0n ||
    (await readHold(tx, { projectId, reference: referenceOf(input.key) })) === 'open'
  );
}

/**
 * What was held is the order's again, or is booked as what it became.
 * @returns false when nothing was held
 */
export async function releaseCover(
  ctx: LedgerCtx,
  tx: Tx,
  { projectId }: Pick<Of, 'projectId'>,
  key: string,
): Promise<boolean> {
  const reference = referenceOf(key);
  if ((await readHold(tx, { projectId, reference })) !== 'open') return false;
  await voidHolds(ctx, tx, [{ projectId, reference, effectiveAt: ctx.clock.now() }]);
  return true;
}

/**
 * Gives back what is held for deliveries that the relay does not have, or that can never arrive.
 */
export async function releaseUnsent(ctx: LedgerCtx, tx: Tx, order: OrderRecord): Promise<void> {
  for (const id of deliveryIdsOf(order)) {
    const transfer = await selectTreasuryTransfer(tx, id);
    if (!transfer || transfer.status === 'failed') await releaseCover(ctx, tx, order, id);
  }
}

/**
 * Posts what has left for an order. Where the order has not that much, as a reorganisation has
 * taken what was paid meanwhile, the service has lost it: that is booked along.
 */
export async function postCovered(
  ctx: LedgerCtx,
  tx: Tx,
  order: OrderRecord,
  { entries, key }: { readonly entries: readonly NewEntry[]; readonly key: string },
): Promise<void> {
  try {
    await withSavepoint(tx, 'cover', (inner) => postEntries(ctx, inner, entries));
  } catch (error) {
    if (!(error instanceof LedgerOverdrawn)) throw error;
    await postEntries(ctx, tx, [...entries, await lossOf(ctx, tx, order, { entries, key })]);
  }
}

async function lossOf(
  ctx: LedgerCtx,
  tx: Tx,
  order: OrderRecord,
  { entries, key }: { readonly entries: readonly NewEntry[]; readonly key: string },
): Promise<NewEntry> {
  const { asset } = order.terms!.pay;
  const account = clearingOf(order);
  const taken = entries
    .flatMap(({ postings }) => postings)
    .filter((posting) => posting.account === account && posting.asset === asset);
  const takenMinor = taken.reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
  const amountMinor = takenMinor - (await clearedMinor(tx, order, asset));
  return {
    projectId: order.projectId,
    orderId: order.id,
    reference: `order-loss:${key}`,
    kind: 'uncovered',
    effectiveAt: ctx.clock.now(),
    postings: leg(account, lostAccount, { asset, amountMinor }),
  };
}

/** What an order's clearing account owes in an asset, and has not held for what was asked for. */
export async function clearedMinor(
  tx: Tx,
  order: Pick<OrderRecord, 'id' | 'projectId'>,
  asset: string,
): Promise<bigint> {
  const balances = await readBalances(tx, {
    projectId: order.projectId,
    account: clearingOf(order),
    limit: 100,
  });
  const { postedMinor, pendingMinor } = balances.find((balance) => balance.asset === asset) ?? {
    postedMinor: 0n,
    pendingMinor: 0n,
  };
  return -(postedMinor + pendingMinor);
}
