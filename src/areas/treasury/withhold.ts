import type { Ctx } from '../../context.ts';
import type { Tx } from '../../store/types.ts';
import { selectTransfer } from './store.ts';

/**
 * What was found: no such transfer; one that a block below the given height has, which a
 * reorganisation from there on leaves where it is; one that failed for good; or one that is
 * withheld now.
 */
export type Withholding = 'none' | 'stands' | 'failed' | 'withheld';

/**
 * Keeps a transfer from being sent, or sent again, because a reorganisation took every block from
 * `fromHeight` on, and with them what the transfer was for. It stays the same transfer: after
 * {@link releaseTransfer} it goes on, and when its validity ends before, it has failed like any
 * other.
 */
export async function withholdTransfer(
  ctx: Pick<Ctx, 'chains'>,
  tx: Tx,
  { transferId, fromHeight }: { readonly transferId: string; readonly fromHeight: bigint },
): Promise<Withholding> {
  const transfer = await selectTransfer(tx, transferId);
  if (!transfer) return 'none';
  if (transfer.height !== undefined && transfer.height < fromHeight) return 'stands';
  if (transfer.status === 'failed') return 'failed';
  await ctx.chains.familyOfChain(transfer.chain).withholdOperations(tx, [transferId]);
  return 'withheld';
}

/**
 * Lets a withheld transfer go on. Nothing happens to one that was not withheld, or never was handed
 * over.
 */
export async function releaseTransfer(
  ctx: Pick<Ctx, 'chains'>,
  tx: Tx,
  transferId: string,
): Promise<void> {
  const transfer = await selectTransfer(tx, transferId);
  if (transfer) await ctx.chains.familyOfChain(transfer.chain).releaseOperations(tx, [transferId]);
}
