import type { Db, Tx } from '../../../../store/types.ts';
import type { Hex } from '../../abi/words.ts';
import { type SealedOperationRow, sealedOperationColumns, splitBySeal } from '../queue/seals.ts';

/** SQL of `evm_operations`: those that were in a transaction. */

/** An operation that was in a transaction, for reading its end from a receipt. */
export interface SentOperation {
  readonly operationId: string;
  readonly subject: string;
  readonly projectId: string;
  readonly owner: string;
  readonly operationHash: Hex;
  readonly sendId: string | null;
  /** What it took in simulation. */
  readonly gasWeight: bigint;
  readonly gasLimit: bigint;
  /** What it added to the gas limit of its batch. */
  readonly batchGas: bigint;
  readonly status: 'queued' | 'held' | 'sent' | 'settled';
  readonly tries: number;
  readonly toldStatus: 'success' | 'failed' | null;
  readonly toldTx: Hex | null;
}

interface SentRow extends SealedOperationRow {
  operation_hash: Hex;
  send_id: string | null;
  gas_weight: string;
  status: SentOperation['status'];
  tries: number;
  told_status: 'success' | 'failed' | null;
  told_tx: Hex | null;
}

const columns = `${sealedOperationColumns}, send_id, gas_weight, status, tries, told_status, told_tx`;

/**
 * Every operation of these sends, and every one with these hashes: an operation may land with a
 * send it was taken from. One that somebody changed pays for nothing and is told of to nobody.
 */
export async function readSentOperations(
  db: Db,
  chain: string,
  sendIds: readonly string[],
  hashes: readonly Hex[],
): Promise<SentOperation[]> {
  const { rows } = await db.query<SentRow>({
    name: 'evm-relay-read-sent',
    text: `
      select ${columns} from evm_operations where send_id = any($2::bigint[])
      union
      select ${columns} from evm_operations where chain = $1 and operation_hash = any($3::text[])`,
    values: [chain, sendIds, hashes],
  });
  return splitBySeal(db, rows).fit.map((row) => ({
    operationId: row.operation_id,
    subject: row.subject,
    projectId: row.project_id,
    owner: row.owner,
    operationHash: row.operation_hash,
    sendId: row.send_id,
    gasWeight: BigInt(row.gas_weight),
    gasLimit: BigInt(row.gas_limit),
    batchGas: BigInt(row.batch_gas),
    status: row.status,
    tries: row.tries,
    toldStatus: row.told_status,
    toldTx: row.told_tx,
  }));
}

/** More than any sum: the most that its column takes. */
const burnedMax = '9'.repeat(78);

/**
 * Remembers that operations were refused in a block, and what that cost. `times`: as how many
 * refusals it counts.
 */
export async function noteRefusals(
  tx: Tx,
  refused: readonly {
    readonly operationId: string;
    readonly times: number;
    readonly wei: bigint;
  }[],
): Promise<void> {
  if (refused.length === 0) return;
  await tx.query({
    name: 'evm-relay-note-refusals',
    text: `
      update evm_operations o set item_refusals = least(item_refusals, 1000000) + r.times, burned_wei = least(burned_wei + r.wei, ${burnedMax})
      from unnest($1::uuid[], $2::int[], $3::numeric[]) as r (operation_id, times, wei)
      where o.operation_id = r.operation_id and o.status = 'sent'`,
    values: [
      refused.map((one) => one.operationId),
      refused.map((one) => one.times),
      refused.map((one) => one.wei.toString()),
    ],
  });
}
