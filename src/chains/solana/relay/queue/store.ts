import type { Db } from '../../../../store/types.ts';
import { readQueue } from '../../../family/late/queue.ts';
import { type HowFar, openQueue } from '../../../family/late/queue-table.ts';
import type { QueueStatus } from '../../../family/spending/relay-status.ts';
import { relayChannel } from '../nonces/store.ts';

/** Of `solana_operations`: operations whose message is made before they are approved. */

export interface NewItem {
  readonly operationId: string;
  readonly subject: string;
  readonly projectId: string;
  readonly owner: string;
  readonly chain: string;
  readonly wallet: string;
  readonly lease: string;
  readonly message: Uint8Array;
  /** By address, in base58. */
  readonly signatures: Readonly<Record<string, string>>;
  readonly costMax: bigint;
  readonly validUntil: Date;
  /** Whose key in custody signs it when it is sent; undefined: everybody has signed. */
  readonly walletId: string | undefined;
}

export type OpenOperation = NewItem & HowFar;

export const solanaOperations = openQueue<NewItem>({
  table: 'solana_operations',
  types: {
    operationId: 'uuid',
    subject: 'text',
    projectId: 'uuid',
    owner: 'text',
    chain: 'text',
    wallet: 'text',
    lease: 'uuid',
    message: 'bytea',
    signatures: 'jsonb',
    costMax: 'numeric',
    validUntil: 'timestamptz',
    walletId: 'uuid',
  },
  txIdColumn: 'signature',
  channel: relayChannel,
  payload: 'operation ',
});

/** As {@link readQueue}. */
export const readSolanaQueue = (db: Db, chain: string): Promise<QueueStatus> =>
  readQueue(db, solanaOperations, chain);
