import type { JsonObject } from '../../../lib/json/json.ts';
import type { Db, Tx } from '../../../store/types.ts';
import type { QueueStatus } from '../spending/relay-status.ts';
import * as queue from './queue.ts';
import { type HowFar, openQueue } from './queue-table.ts';

/** Of `operation_intents`: operations that are built when they are sent. */

export interface NewIntent {
  readonly operationId: string;
  readonly subject: string;
  readonly projectId: string;
  readonly owner: string;
  readonly chain: string;
  readonly walletId: string;
  readonly operation: JsonObject;
  /** In the smallest unit of the native token. */
  readonly costMax: bigint;
  readonly validUntil: Date;
}

export type Intent = NewIntent & HowFar;

export const intents = openQueue<NewIntent>({
  table: 'operation_intents',
  types: {
    operationId: 'uuid',
    subject: 'text',
    projectId: 'uuid',
    owner: 'text',
    chain: 'text',
    walletId: 'uuid',
    operation: 'jsonb',
    costMax: 'numeric',
    validUntil: 'timestamptz',
  },
  txIdColumn: 'tx_id',
  channel: 'operation_intents',
});

/** As {@link queue.enqueue}. */
export const addIntents = (tx: Tx, items: readonly NewIntent[]): Promise<void> =>
  queue.enqueue(tx, intents, items);

/** As {@link queue.withhold}. */
export const withholdIntents = (tx: Tx, operationIds: readonly string[]): Promise<void> =>
  queue.withhold(tx, intents, operationIds);

/** As {@link queue.release}. */
export const releaseIntents = (tx: Tx, operationIds: readonly string[]): Promise<void> =>
  queue.release(tx, intents, operationIds);

/** As {@link queue.readQueue}. */
export const readIntentQueue = (db: Db, chain: string): Promise<QueueStatus> =>
  queue.readQueue(db, intents, chain);

/** As {@link queue.selectOperationIds}. */
export const selectOperationIds = (
  db: Db,
  chain: string,
  txIds: readonly string[],
): Promise<ReadonlyMap<string, string>> => queue.selectOperationIds(db, intents, chain, txIds);

const siblingsMax = 200;

/**
 * Operations of the same wallet that have not ended, the oldest, as they were stored; of a row that
 * somebody changed what is in it.
 */
export async function selectSiblings(db: Db, operationId: string): Promise<readonly JsonObject[]> {
  const { rows } = await db.query<{ operation: JsonObject }>({
    name: 'intents-siblings',
    text: `
      select o.operation from operation_intents mine join operation_intents o on o.chain = mine.chain and o.wallet_id = mine.wallet_id
      where mine.operation_id = $1 and o.operation_id <> mine.operation_id and o.status <> 'settled'
      order by o.created_at limit $2`,
    values: [operationId, siblingsMax],
  });
  return rows.map(({ operation }) => operation);
}
