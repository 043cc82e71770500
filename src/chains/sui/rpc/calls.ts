import { bcs } from '@mysten/sui/bcs';
import { GrpcTypes } from '@mysten/sui/grpc';
import { normalizeStructTag } from '@mysten/sui/utils';
import { ServiceError } from '../../../lib/errors.ts';
import { type ObjectRef, type Program, parseExactly } from '../operation/program.ts';
import { transactionDigest } from '../operation/transaction.ts';
import { readCoinType } from '../operation/transfer-program.ts';
import type { SuiConnection } from './connections.ts';
import { nodeError, refusalOf } from './node-error.ts';

/**
 * The calls of a node that the family makes. Each throws upstream-error or provider-unavailable
 * unless it says otherwise.
 */

export interface Coin extends ObjectRef {
  readonly amount: bigint;
}

export interface Head {
  readonly checkpoint: bigint;
  readonly epoch: bigint;
  readonly timeMs: number;
}

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

const pageSize = 200;
const pagesMax = 25;
const executedPaths = [
  'digest',
  'checkpoint',
  'effects.status',
  'effects.gas_used',
  'effects.changed_objects',
  'effects.transaction_digest',
];

async function ask<Answer>(
  { network }: SuiConnection,
  call: { readonly response: Promise<Answer> },
): Promise<Answer> {
  try {
    return await call.response;
  } catch (error) {
    throw nodeError(error, network.name);
  }
}

/** What a node must not leave out. */
function need<Value>({ network }: SuiConnection, value: Value | undefined, name: string): Value {
  if (value !== undefined) return value;
  throw new ServiceError('upstream-error', {
    message: `The node of "${network.name}" answered without ${name}: retry later.`,
  });
}

function refuse({ network }: SuiConnection, what: string): never {
  throw new ServiceError('upstream-error', {
    message: `The node of "${network.name}" answered with ${what}: retry later.`,
  });
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

/**
 * Coins of a type until they are worth so much, or until there are no more; never another's, and
 * never of another type.
 */
export async function readCoins(
  connection: SuiConnection,
  {
    owner,
    coinType,
    enough,
  }: { readonly owner: string; readonly coinType: string; readonly enough?: bigint },
): Promise<Coin[]> {
  const objectType = normalizeStructTag(`0x2::coin::Coin<${coinType}>`);
  const paths = ['object_id', 'version', 'digest', 'owner', 'object_type', 'balance'];
  const coins = new Map<string, Coin>();
  let pageToken: Uint8Array | undefined;
  for (let page = 0; page < pagesMax; page++) {
    const request = { owner, objectType, pageSize, pageToken, readMask: { paths } };
    const { objects, nextPageToken } = await ask(
      connection,
      connection.client.stateService.listOwnedObjects(request),
    );
    for (const object of objects) {
      if (readCoinType(object.objectType ?? '') !== objectType || object.owner?.address !== owner)
        refuse(connection, 'objects that were not asked for');
      const coin = {
        ...refOf(connection, object),
        amount: need(connection, object.balance, 'the balance of a coin'),
      };
      coins.set(coin.objectId, coin);
    }
    pageToken = nextPageToken;
    if (!pageToken || (enough !== undefined && sumOf(coins.values()) >= enough)) break;
  }
  return [...coins.values()];
}

/** What its owner mints coins of a type with; undefined: it has none. */
export async function readTreasuryCap(
  connection: SuiConnection,
  { owner, coinType }: { readonly owner: string; readonly coinType: string },
): Promise<ObjectRef | undefined> {
  const objectType = normalizeStructTag(`0x2::coin::TreasuryCap<${coinType}>`);
  const readMask = { paths: ['object_id', 'version', 'digest', 'owner', 'object_type'] };
  const { objects } = await ask(
    connection,
    connection.client.stateService.listOwnedObjects({ owner, objectType, pageSize: 1, readMask }),
  );
  const [cap] = objects;
  if (!cap) return undefined;
  if (readCoinType(cap.objectType ?? '') !== objectType || cap.owner?.address !== owner)
    refuse(connection, 'objects that were not asked for');
  return refOf(connection, cap);
}

export function sumOf(coins: Iterable<Coin>): bigint {
  let sum = 0n;
  for (const { amount } of coins) sum += amount;
  return sum;
}

function refOf(
  connection: SuiConnection,
  { objectId, version, digest }: GrpcTypes.Object,
): ObjectRef {
  return {
    objectId: need(connection, objectId, 'the id of an object'),
    version: String(need(connection, version, 'the version of an object')),
    digest: need(connection, digest, 'the digest of an object'),
  };
}

/** An object as it is now, with who has it: an address, or nobody alone. */
export interface ObjectNow extends ObjectRef {
  readonly owner: string | undefined;
  /** Of a coin. */
  readonly amount: bigint | undefined;
  /** Digest of the transaction that made it what it is. */
  readonly madeBy: string | undefined;
  /** Nobody can change it any more. */
  readonly isFrozen: boolean;
}

/**
 * Objects by their ids, those that are there. At most a thousand, which is what the network takes.
 */
export async function readObjects(
  connection: SuiConnection,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ObjectNow>> {
  if (ids.length === 0) return new Map();
  const readMask = {
    paths: ['object_id', 'version', 'digest', 'owner', 'balance', 'previous_transaction'],
  };
  const requests = ids.map((objectId) => ({ objectId }));
  const { objects } = await ask(
    connection,
    connection.client.ledgerService.batchGetObjects({ requests, readMask }),
  );
  if (objects.length !== ids.length) refuse(connection, 'fewer objects than were asked for');
  const found = new Map<string, ObjectNow>();
  for (const [index, { result }] of objects.entries()) {
    if (result.oneofKind !== 'object') continue;
    const { owner, balance: amount, previousTransaction: madeBy } = result.object;
    const ref = refOf(connection, result.object);
    if (ref.objectId !== ids[index]) refuse(connection, 'objects that were not asked for');
    const isAddress = owner?.kind === GrpcTypes.Owner_OwnerKind.ADDRESS;
    const isFrozen = owner?.kind === GrpcTypes.Owner_OwnerKind.IMMUTABLE;
    found.set(ref.objectId, {
      ...ref,
      owner: isAddress ? owner.address : undefined,
      amount,
      madeBy,
      isFrozen,
    });
  }
  return found;
}

/** All that an address has of a type: of its coins, and of its own balance. */
export async function readBalance(
  connection: SuiConnection,
  { owner, coinType }: { owner: string; coinType: string },
): Promise<bigint> {
  const { balance } = await ask(
    connection,
    connection.client.stateService.getBalance({ owner, coinType }),
  );
  if (readCoinType(balance?.coinType ?? coinType) !== readCoinType(coinType))
    refuse(connection, 'the balance of another coin');
  return need(connection, balance?.balance, 'a balance');
}

export interface CoinFacts {
  readonly decimals: number;
  readonly symbol: string | undefined;
  readonly name: string | undefined;
}

/** What a type of coins says of itself; undefined where there is none. */
export async function readCoinFacts(
  connection: SuiConnection,
  coinType: string,
): Promise<CoinFacts | undefined> {
  const answer = await connection.client.stateService
    .getCoinInfo({ coinType })
    .response.catch((error: unknown) => {
      if (refusalOf(error)) return undefined;
      throw nodeError(error, connection.network.name);
    });
  if (!answer?.metadata) return undefined;
  const { decimals, symbol, name } = answer.metadata;
  const known = need(connection, decimals, 'the decimals of a coin');
  if (!Number.isInteger(known) || known < 0 || known > 255)
    refuse(connection, 'decimals that no coin has');
  return { decimals: known, symbol: textOf(symbol), name: textOf(name) };
}

const textOf = (text: string | undefined) =>
  text === undefined || text === '' || text.length > 100 ? undefined : text;

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

function readOutcome(
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

async function orNothing<Answer>(
  { network }: SuiConnection,
  call: { readonly response: Promise<Answer> },
): Promise<Answer | undefined> {
  return call.response.catch((error: unknown) => {
    if (refusalOf(error)?.code === 'NOT_FOUND') return undefined;
    throw nodeError(error, network.name);
  });
}

function dateOf({ seconds, nanos }: { readonly seconds: bigint; readonly nanos: number }): Date {
  return new Date(Number(seconds) * 1_000 + Math.floor(nanos / 1_000_000));
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

function readChanges(
  connection: SuiConnection,
  changes: readonly GrpcTypes.BalanceChange[],
): BalanceChange[] {
  return changes.map(({ address, coinType, amount }) => ({
    address: need(connection, address, 'whose balance changes'),
    coinType: need(connection, readCoinType(coinType ?? ''), 'the coin of a change'),
    amount: BigInt(need(connection, amount, 'the amount of a change')),
  }));
}
