import type { Db, Tx } from '../../../store/types.ts';
import type { SeenTransfer } from '../../family.ts';

/**
 * What a watcher's process told of, in the transaction that moves its cursor: twice told is twice
 * there.
 */

export async function createSeen(db: Db): Promise<void> {
  await db.query({
    text: 'create table seen_transfers (tx_id text not null, amount text not null)',
  });
}

export async function recordSeen(tx: Tx, transfers: readonly SeenTransfer[]): Promise<void> {
  for (const { txId, amountMinor } of transfers)
    await tx.query({
      text: 'insert into seen_transfers (tx_id, amount) values ($1, $2)',
      values: [txId, amountMinor.toString()],
    });
}

export async function readSeen(db: Db): Promise<string[]> {
  const { rows } = await db.query<{ tx_id: string }>({ text: 'select tx_id from seen_transfers' });
  return rows.map(({ tx_id }) => tx_id);
}
