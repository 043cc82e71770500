import type { Ctx } from '../../../context.ts';
import { LedgerConflict, postEntries, registerAsset } from '../../../ledger/index.ts';
import type { Tx } from '../../../store/types.ts';
import type { DepositChange } from '../../deposits/index.ts';
import { selectTreasuryTransfer, type TreasuryChange } from '../../treasury/index.ts';
import { followDelivery } from './delivery/follow.ts';
import { followDeposit } from './deposit/events.ts';
import { gasEntry } from './ledger.ts';
import { followRefund } from './refund/follow.ts';
import { selectRefund } from './refund/store.ts';

/** What became of deposits, in the transaction in which it is recorded. */
export async function followDeposits(
  ctx: Ctx,
  tx: Tx,
  changes: readonly DepositChange[],
): Promise<void> {
  for (const change of changes) await followDeposit(ctx, tx, change);
}

/** What became of what a treasury sends. */
export async function followTreasury(
  ctx: Ctx,
  tx: Tx,
  changes: readonly TreasuryChange[],
): Promise<void> {
  for (const change of changes) {
    const [kind, id] = change.subject.split(':');
    if (kind === 'order' && id !== undefined) await followDelivery(ctx, tx, id, change);
    if (kind !== 'refund' || id === undefined) continue;
    await followRefund(ctx, tx, change);
    if (change.change === 'final' || change.change === 'failed')
      await bookRefundGas(ctx, tx, id, change);
  }
}

/**
 * What sending a refund cost, also one that failed; the service pays it. It is booked once: a
 * transfer that a reorganisation took and that is final again costs something else, which must not
 * stop the watching of its chain.
 */
async function bookRefundGas(
  ctx: Ctx,
  tx: Tx,
  refundId: string,
  change: TreasuryChange,
): Promise<void> {
  const { transferId, costMinor, at } = change;
  const transfer = await selectTreasuryTransfer(tx, transferId);
  if (!transfer || costMinor === undefined || costMinor === 0n) return;
  const { chain, projectId } = transfer;
  const { native } = ctx.chains.familyOfChain(chain).requireNetwork(chain);
  await registerAsset(tx, {
    asset: `${chain}:native`,
    decimals: native.decimals,
    symbol: native.symbol,
  });
  const { orderId } = (await selectRefund(tx, refundId)) ?? {};
  const entries = gasEntry(
    { id: orderId ?? refundId, projectId },
    { transferId, chain, costMinor, at },
  );
  try {
    await postEntries(
      ctx,
      tx,
      orderId === undefined ? entries.map(({ orderId: _, ...entry }) => entry) : entries,
    );
  } catch (error) {
    if (!(error instanceof LedgerConflict)) throw error;
    ctx.log.error(
      { err: error, refundId, transferId, costMinor },
      'a refund was final twice: the gas of the second time is not booked',
    );
  }
}
