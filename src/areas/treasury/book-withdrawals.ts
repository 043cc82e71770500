import type { Ctx } from '../../context.ts';
import { LedgerError, postEntries, registerAsset } from '../../ledger/index.ts';
import type { Tx } from '../../store/types.ts';
import { withdrawalSubject } from './operate.ts';
import type { TreasuryChange } from './settle.ts';
import { selectTransfer, type TreasuryTransfer } from './store.ts';

/**
 * Posts what the operator has taken out of a treasury, once it is final. A transfer that a
 * reorganisation takes back after that is sent again by the relay and is the same posting: until
 * then the comparison of chain and ledger names it.
 */
export async function bookWithdrawals(
  ctx: Pick<Ctx, 'chains' | 'clock' | 'ids' | 'log'>,
  tx: Tx,
  changes: readonly TreasuryChange[],
): Promise<void> {
  for (const { subject, change, transferId } of changes) {
    const isDue = subject === withdrawalSubject && change === 'final';
    const transfer = isDue ? await selectTransfer(tx, transferId) : undefined;
    if (transfer) await bookWithdrawal(ctx, tx, transfer);
  }
}

async function bookWithdrawal(
  ctx: Pick<Ctx, 'chains' | 'clock' | 'ids' | 'log'>,
  tx: Tx,
  transfer: TreasuryTransfer,
): Promise<void> {
  const { id, projectId, chain, token, amountMinor, createdAt, recipient } = transfer;
  const key =
    token.address === undefined
      ? 'native'
      : ctx.chains.familyOfChain(chain).canonicalAddress(token.address);
  const asset = `${chain}:${key}`;
  try {
    await registerAsset(tx, { asset, decimals: token.decimals, symbol: token.symbol ?? 'unknown' });
  } catch (error) {
    if (!(error instanceof LedgerError)) throw error;
    // A token that changes its decimals must not stop the watching of its chain.
    ctx.log.error(
      { err: error, transferId: id, asset },
      'a withdrawal of a token that the ledger cannot hold is not posted',
    );
    return;
  }
  await postEntries(ctx, tx, [
    {
      projectId,
      reference: `withdrawal:${id}`,
      kind: 'withdrawal',
      // Of its order, not of its block: another block after a reorganisation is the same
      // withdrawal.
      effectiveAt: createdAt,
      postings: [
        { account: 'equity:operator', asset, amountMinor },
        { account: `chain:${chain}:treasury`, asset, amountMinor: -amountMinor },
      ],
      data: { transferId: id, recipient },
    },
  ]);
}
