import { GrpcTypes } from '@mysten/sui/grpc';
import type { ObjectRef } from '../operation/program.ts';
import { readCoinType } from '../operation/transfer-program.ts';
import { need, orNothing, refOf, refuse } from './answers.ts';
import type { SuiConnection } from './connections.ts';
import { nodeError, refusalOf } from './node-error.ts';

/** Transactions: what would become of them, what became of them, and their sending. */

export interface GasUsed {
  readonly computation: bigint;
  readonly storage: bigint;
  readonly rebate: bigint;
}

export interface Executed {
  readonly digest: string;
  /** Why it failed, in the node's words; undefined: it did what it was for. */
  readonly failure: string | undefined;
  readonly gas: GasUsed;
  /** The checkpoint that has it; undefined: none yet. */
  readonly checkpoint: bigint | undefined;
  /** What became of objects: the new version, or nothing for one that is gone. */
  readonly objects: ReadonlyMap<string, ObjectRef | undefined>;
}

const executedPaths = [
  'digest',
  'checkpoint',
  'effects.status',
  'effects.gas_used',
  'effects.changed_objects',
  'effects.transaction_digest',
];

/** What became of a transaction; undefined: the node knows of none. */
export async function findTransaction(
  connection: SuiConnection,
  digest: string,
): Promise<Executed | undefined> {
  const request = { digest, readMask: { paths: executedPaths } };
  const answer = await orNothing(
    connection,
    connection.client.ledgerService.getTransaction(request),
  );
  return answer && readExecuted(connection, answer.transaction, digest);
}

export interface SignedTransaction {
  readonly digest: string;
  readonly bytes: Uint8Array;
  /** In base64, with scheme and key. */
  readonly signatures: readonly string[];
}

/**
 * Sends signed bytes; a refusal is answered with the node's words, and says nothing of what other
 * nodes do.
 */
export async function sendTransaction(
  connection: SuiConnection,
  { digest, bytes, signatures }: SignedTransaction,
): Promise<Executed | { readonly refusal: string }> {
  const request = {
    transaction: { bcs: { value: bytes } },
    signatures: signatures.map((text) => ({
      bcs: { value: Buffer.from(text, 'base64') },
      signature: { oneofKind: undefined } as const,
    })),
    readMask: { paths: executedPaths },
  };
  try {
    const { transaction } =
      await connection.client.transactionExecutionService.executeTransaction(request).response;
    return readExecuted(connection, transaction, digest);
  } catch (error) {
    const refusal = refusalOf(error)?.message;
    if (refusal !== undefined) return { refusal };
    throw nodeError(error, connection.network.name);
  }
}

export interface Simulated extends Pick<Executed, 'failure' | 'gas'> {
  readonly balanceChanges: readonly BalanceChange[];
}

export interface BalanceChange {
  readonly address: string;
  readonly coinType: string;
  /** Negative: that much less. Gas is in it. */
  readonly amount: bigint;
}

/** What a transaction would do now; a refusal is answered with the node's words. */
export async function simulateTransaction(
  connection: SuiConnection,
  bytes: Uint8Array,
): Promise<Simulated | { readonly refusal: string }> {
  const paths = [
    'transaction.effects.status',
    'transaction.effects.gas_used',
    'transaction.balance_changes',
  ];
  const request = {
    transaction: { bcs: { value: bytes } },
    readMask: { paths },
    doGasSelection: false,
  };
  try {
    const { transaction } =
      await connection.client.transactionExecutionService.simulateTransaction(request).response;
    const balanceChanges = readChanges(connection, transaction?.balanceChanges ?? []);
    return { ...readOutcome(connection, transaction?.effects), balanceChanges };
  } catch (error) {
    const refusal = refusalOf(error)?.message;
    if (refusal !== undefined) return { refusal };
    throw nodeError(error, connection.network.name);
  }
}

/** How a transaction ended, and what it cost. */
export function readOutcome(
  connection: SuiConnection,
  effects: GrpcTypes.TransactionEffects | undefined,
): Pick<Executed, 'failure' | 'gas'> {
  const { success, error } = need(connection, effects?.status, 'the status of a transaction');
  const { computationCost, storageCost, storageRebate } = need(
    connection,
    effects?.gasUsed,
    'the gas of a transaction',
  );
  return {
    failure: success ? undefined : (error?.description ?? 'The network does not say why.'),
    gas: {
      computation: need(connection, computationCost, 'the cost of a transaction'),
      storage: need(connection, storageCost, 'the cost of a transaction'),
      rebate: need(connection, storageRebate, 'the cost of a transaction'),
    },
  };
}

function readExecuted(
  connection: SuiConnection,
  transaction: GrpcTypes.ExecutedTransaction | undefined,
  digest: string,
): Executed {
  const { effects, checkpoint } = need(connection, transaction, 'a transaction');
  if (transaction?.digest !== digest || effects?.transactionDigest !== digest)
    refuse(connection, 'another transaction');
  const objects = new Map<string, ObjectRef | undefined>();
  for (const { objectId, outputVersion, outputDigest, outputState } of effects.changedObjects) {
    const id = need(connection, objectId, 'the id of an object');
    const isThere = outputState === GrpcTypes.ChangedObject_OutputObjectState.OBJECT_WRITE;
    objects.set(
      id,
      isThere
        ? refOf(connection, { objectId, version: outputVersion, digest: outputDigest })
        : undefined,
    );
  }
  return { digest, checkpoint, objects, ...readOutcome(connection, effects) };
}

/** What it did to balances. */
export function readChanges(
  connection: SuiConnection,
  changes: readonly GrpcTypes.BalanceChange[],
): BalanceChange[] {
  return changes.map(({ address, coinType, amount }) => ({
    address: need(connection, address, 'whose balance changes'),
    coinType: need(connection, readCoinType(coinType ?? ''), 'the coin of a change'),
    amount: BigInt(need(connection, amount, 'the amount of a change')),
  }));
}
