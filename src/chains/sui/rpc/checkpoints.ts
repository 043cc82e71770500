import { bcs } from '@mysten/sui/bcs';
import { GrpcTypes } from '@mysten/sui/grpc';
import { type ObjectRef, type Program, parseExactly } from '../operation/program.ts';
import { transactionDigest } from '../operation/transaction.ts';
import { ask, dateOf, need, orNothing, refuse } from './answers.ts';
import type { SuiConnection } from './connections.ts';
import { type BalanceChange, type GasUsed, readChanges, readOutcome } from './transactions.ts';

/** Where the network is, and what stands in its checkpoints. */

export interface Head {
  readonly checkpoint: bigint;
  readonly epoch: bigint;
  readonly timeMs: number;
}

export async function readHead(connection: SuiConnection): Promise<Head> {
  const info = await ask(connection, connection.client.ledgerService.getServiceInfo({}));
  const timestamp = need(connection, info.timestamp, 'the time');
  return {
    checkpoint: need(connection, info.checkpointHeight, 'its checkpoint'),
    epoch: need(connection, info.epoch, 'its epoch'),
    timeMs: Number(timestamp.seconds) * 1_000 + Math.floor(timestamp.nanos / 1_000_000),
  };
}

/** In MIST a unit, of this epoch. */
export async function readGasPrice(connection: SuiConnection): Promise<bigint> {
  const { epoch } = await ask(
    connection,
    connection.client.ledgerService.getEpoch({ readMask: { paths: ['reference_gas_price'] } }),
  );
  return need(connection, epoch?.referenceGasPrice, 'the price of gas');
}

/** A transaction as it stands in a checkpoint, with what it was asked to do. */
export interface Recorded {
  readonly digest: string;
  readonly sender: string;
  readonly gasOwner: string;
  /** Coins that paid, at the versions that it used up. */
  readonly payment: readonly ObjectRef[];
  readonly program: Program;
  readonly succeeded: boolean;
  readonly gas: GasUsed;
  readonly changes: readonly BalanceChange[];
}

export interface Checkpoint {
  readonly sequence: bigint;
  readonly at: Date;
  readonly transactions: readonly Recorded[];
}

/** With what it is known by, and the one before it; absent: it is the first. */
export interface LinkedCheckpoint extends Checkpoint {
  readonly digest: string;
  readonly previousDigest: string | undefined;
}

const linkPaths = ['sequence_number', 'digest', 'summary.timestamp', 'summary.previous_digest'];
const recordedPaths = [
  'digest',
  'checkpoint',
  'timestamp',
  'transaction.bcs',
  'effects.status',
  'effects.gas_used',
  'balance_changes',
];

/** Everything of a checkpoint; undefined: the node has none with this number, or none any more. */
export async function readCheckpoint(
  connection: SuiConnection,
  sequence: bigint,
): Promise<LinkedCheckpoint | undefined> {
  const paths = [...linkPaths, ...recordedPaths.map((path) => `transactions.${path}`)];
  const checkpointId = { oneofKind: 'sequenceNumber', sequenceNumber: sequence } as const;
  const answer = await orNothing(
    connection,
    connection.client.ledgerService.getCheckpoint({ checkpointId, readMask: { paths } }),
  );
  if (!answer) return undefined;
  const {
    sequenceNumber,
    digest: told,
    summary,
    transactions,
  } = need(connection, answer.checkpoint, 'a checkpoint');
  if (sequenceNumber !== sequence) refuse(connection, 'another checkpoint');
  const digest = need(connection, told, 'the digest of a checkpoint');
  const at = dateOf(need(connection, summary?.timestamp, 'the time of a checkpoint'));
  const previousDigest = summary?.previousDigest;
  return {
    sequence,
    at,
    digest,
    previousDigest,
    transactions: transactions.flatMap((one) => readRecorded(connection, one) ?? []),
  };
}

/** When a checkpoint was made; undefined as with {@link readCheckpoint}. */
export async function readCheckpointTime(
  connection: SuiConnection,
  sequence: bigint,
): Promise<Date | undefined> {
  const checkpointId = { oneofKind: 'sequenceNumber', sequenceNumber: sequence } as const;
  const readMask = { paths: ['summary.timestamp'] };
  const answer = await orNothing(
    connection,
    connection.client.ledgerService.getCheckpoint({ checkpointId, readMask }),
  );
  return (
    answer &&
    dateOf(need(connection, answer.checkpoint?.summary?.timestamp, 'the time of a checkpoint'))
  );
}

/**
 * One transaction with its checkpoint; undefined: no checkpoint has it, as far as this node knows.
 */
export async function readTransaction(
  connection: SuiConnection,
  digest: string,
): Promise<Checkpoint | undefined> {
  const request = { digest, readMask: { paths: recordedPaths } };
  const answer = await orNothing(
    connection,
    connection.client.ledgerService.getTransaction(request),
  );
  if (!answer) return undefined;
  const transaction = need(connection, answer.transaction, 'a transaction');
  if (transaction.digest !== digest) refuse(connection, 'another transaction');
  if (transaction.checkpoint === undefined) return undefined;
  const recorded = readRecorded(connection, transaction);
  const at = dateOf(need(connection, transaction.timestamp, 'the time of a transaction'));
  return { sequence: transaction.checkpoint, at, transactions: recorded ? [recorded] : [] };
}

/**
 * What a transaction was asked to do is read from its bytes, and they are those that its digest
 * names. Undefined: the system's own.
 */
function readRecorded(
  connection: SuiConnection,
  transaction: GrpcTypes.ExecutedTransaction,
): Recorded | undefined {
  const bytes = need(connection, transaction.transaction?.bcs?.value, 'the bytes of a transaction');
  const digest = need(connection, transaction.digest, 'the digest of a transaction');
  if (transactionDigest(bytes) !== digest) refuse(connection, 'bytes of another transaction');
  const data = parseExactly(bcs.TransactionData, bytes)?.V1;
  const program = data?.kind.ProgrammableTransaction;
  if (!data || !program) return undefined;
  const { failure, gas } = readOutcome(connection, transaction.effects);
  const changes = readChanges(connection, transaction.balanceChanges);
  const { owner: gasOwner, payment } = data.gasData;
  return {
    digest,
    sender: data.sender,
    gasOwner,
    payment,
    program,
    succeeded: failure === undefined,
    gas,
    changes,
  };
}
