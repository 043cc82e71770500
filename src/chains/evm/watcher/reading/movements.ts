import { createHash } from 'node:crypto';
import { toEventSelector } from 'viem';
import type { ChainBlock, ChainLog, ChainTransaction } from './read-node.ts';

/**
 * Movements of money and collectibles in a range of blocks, before it is known which of them are
 * ours.
 */
export interface Movement {
  readonly kind: 'native' | 'fungible' | 'collectible';
  /** Contract, lower case; absent for native money. */
  readonly token?: string;
  readonly tokenId?: string;
  readonly amountMinor: bigint;
  /** Lower case. */
  readonly sender: string;
  readonly recipient: string;
  readonly txHash: string;
  readonly blockHash: string;
  readonly height: bigint;
  readonly at: Date;
  /** Place among the logs of the block; what has no log stands before them. */
  readonly logIndex: number;
  /** The module's operation that caused it. */
  readonly operationHash?: string;
  /** Calldata of the call that paid native money, where it is known. */
  readonly callData?: string;
}

/** An operation that the module executed. */
export interface ExecutedOperation {
  readonly wallet: string;
  readonly hash: string;
  /** False: its calls reverted, together. */
  readonly succeeded: boolean;
  readonly transaction: ChainTransaction;
  readonly block: ChainBlock;
  readonly logIndex: number;
}

export interface RangeContent {
  readonly blocks: readonly ChainBlock[];
  readonly logs: readonly ChainLog[];
}

export interface FoundMovements {
  /** Proven by a log. */
  readonly logged: readonly Movement[];
  /** Value of a transaction itself; counts only if its receipt says success. */
  readonly topLevel: readonly Movement[];
  /** That succeeded. */
  readonly operations: readonly ExecutedOperation[];
  /** That ran and reverted. */
  readonly refused: readonly ExecutedOperation[];
}

export const transferTopic = toEventSelector('Transfer(address,address,uint256)');
export const safeReceivedTopic = toEventSelector('SafeReceived(address,uint256)');
export const operationExecutedTopic = toEventSelector(
  'OperationExecuted(address,bytes32,bool,bytes)',
);
export const transferSingleTopic = toEventSelector(
  'TransferSingle(address,address,address,uint256,uint256)',
);
export const transferBatchTopic = toEventSelector(
  'TransferBatch(address,address,address,uint256[],uint256[])',
);

interface Place {
  readonly block: ChainBlock;
  readonly transaction: ChainTransaction;
}

/**
 * Reads the movements out of blocks and logs. `tokens` are the followed contracts in lower case.
 */
export function findMovements(
  content: RangeContent,
  input: { tokens: ReadonlySet<string>; moduleAddress: string },
): FoundMovements {
  const places = new Map<string, Place>();
  for (const block of content.blocks)
    for (const transaction of block.transactions)
      places.set(transaction.hash, { block, transaction });
  const executed = readOperations(content.logs, places, input.moduleAddress.toLowerCase());
  const operations = executed.filter(({ succeeded }) => succeeded);
  const ordered = operationsByTransaction(operations);
  const logged: Movement[] = [];
  for (const log of content.logs) {
    const place = places.get(log.transactionHash);
    // Logs of system transactions that the node does not list have no transaction to name, and are
    // not ours.
    if (!place) continue;
    const operation = ordered
      .get(log.transactionHash)
      ?.find((candidate) => candidate.logIndex > Number(log.logIndex));
    for (const moved of readLog(log, input.tokens)) {
      if (moved.amountMinor === 0n) continue;
      logged.push({
        ...moved,
        ...commonFields(place),
        logIndex: Number(log.logIndex),
        ...(operation ? { operationHash: operation.hash } : {}),
      });
    }
  }
  const topLevel = [...places.values()].flatMap((place): Movement[] => {
    const { value, from, to, input: callData } = place.transaction;
    if (value === 0n || to == null) return [];
    return [
      {
        kind: 'native',
        amountMinor: value,
        sender: from,
        recipient: to,
        callData,
        ...commonFields(place),
        logIndex: -1,
      },
    ];
  });
  return { logged, topLevel, operations, refused: executed.filter(({ succeeded }) => !succeeded) };
}

/**
 * One list without doubles: a deployed wallet that receives native money logs it, whether it came
 * from a transaction itself or from another wallet's operation, so both tell of the same money.
 */
export function mergeNative(
  logged: readonly Movement[],
  topLevel: readonly Movement[],
  paid: readonly Movement[],
): Movement[] {
  const counted = new Map<string, number>();
  for (const movement of paid)
    counted.set(sameMoney(movement), (counted.get(sameMoney(movement)) ?? 0) + 1);
  const received = new Set<string>();
  const remaining = logged.filter((movement) => {
    if (movement.kind !== 'native') return true;
    const key = sameMoney(movement);
    const count = counted.get(key) ?? 0;
    if (count === 0) {
      received.add(key);
      return true;
    }
    counted.set(key, count - 1);
    return false;
  });
  return [
    ...topLevel.filter((movement) => !received.has(sameMoney(movement))),
    ...paid,
    ...remaining,
  ].sort((a, b) => Number(a.height - b.height) || a.logIndex - b.logIndex);
}

/**
 * An id that stays when the movement is included again elsewhere: after a reorganisation the log
 * index changes, and an operation may even land in another transaction. What stays is the operation
 * (or else the transaction), what moved, and the how-manieth of its kind it was.
 */
export function nameMovements(
  chain: string,
  movements: readonly Movement[],
): { id: string; movement: Movement }[] {
  const seen = new Map<string, number>();
  return movements.map((movement) => {
    const cause = movement.operationHash ?? movement.txHash;
    const what = [
      movement.kind,
      movement.token ?? '',
      movement.tokenId ?? '',
      movement.sender,
      movement.recipient,
      movement.amountMinor,
    ].join('|');
    const key = `${chain}:${cause}:${createHash('sha256').update(what).digest('hex').slice(0, 16)}`;
    const ordinal = seen.get(key) ?? 0;
    seen.set(key, ordinal + 1);
    return { id: `${key}:${ordinal}`, movement };
  });
}

function sameMoney(movement: Movement): string {
  return `${movement.txHash}|${movement.sender}|${movement.recipient}|${movement.amountMinor}`;
}

function commonFields({ block, transaction }: Place) {
  return {
    txHash: transaction.hash,
    blockHash: block.hash,
    height: block.number,
    at: new Date(Number(block.timestamp) * 1000),
  };
}

function readOperations(
  logs: readonly ChainLog[],
  places: ReadonlyMap<string, Place>,
  moduleAddress: string,
): ExecutedOperation[] {
  const operations: ExecutedOperation[] = [];
  for (const log of logs) {
    const [topic, wallet, hash] = log.topics;
    const place = places.get(log.transactionHash);
    if (
      topic !== operationExecutedTopic ||
      log.address !== moduleAddress ||
      !wallet ||
      !hash ||
      !place
    )
      continue;
    operations.push({
      wallet: addressOfTopic(wallet),
      hash,
      succeeded: wordAt(log.data, 0) === 1n,
      ...place,
      logIndex: Number(log.logIndex),
    });
  }
  return operations;
}

function operationsByTransaction(
  operations: readonly ExecutedOperation[],
): Map<string, ExecutedOperation[]> {
  const byTransaction = new Map<string, ExecutedOperation[]>();
  for (const operation of operations) {
    const list = byTransaction.get(operation.transaction.hash);
    if (list) list.push(operation);
    else byTransaction.set(operation.transaction.hash, [operation]);
  }
  for (const list of byTransaction.values()) list.sort((a, b) => a.logIndex - b.logIndex);
  return byTransaction;
}

export type Moved = Pick<
  Movement,
  'kind' | 'token' | 'tokenId' | 'amountMinor' | 'sender' | 'recipient'
>;

/**
 * What a log says was moved; nothing for logs of another shape, which foreign contracts may emit as
 * they like.
 */
export function readLog(
  log: Pick<ChainLog, 'address' | 'topics' | 'data'>,
  tokens: { has(contract: string): boolean },
): Moved[] {
  const [topic, first, second, third] = log.topics;
  if (topic === safeReceivedTopic && first && !second) {
    const value = wordAt(log.data, 0);
    return value === undefined
      ? []
      : [
          {
            kind: 'native',
            amountMinor: value,
            sender: addressOfTopic(first),
            recipient: log.address,
          },
        ];
  }
  if (topic === transferTopic && first && second) {
    const parties = {
      token: log.address,
      sender: addressOfTopic(first),
      recipient: addressOfTopic(second),
    };
    if (third)
      return [
        { kind: 'collectible', ...parties, tokenId: BigInt(third).toString(), amountMinor: 1n },
      ];
    const value = wordAt(log.data, 0);
    return value === undefined || !tokens.has(log.address)
      ? []
      : [{ kind: 'fungible', ...parties, amountMinor: value }];
  }
  if ((topic === transferSingleTopic || topic === transferBatchTopic) && second && third) {
    const parties = {
      token: log.address,
      sender: addressOfTopic(second),
      recipient: addressOfTopic(third),
    };
    return readMultiTransfer(log.data, topic === transferBatchTopic).map(
      ({ tokenId, amountMinor }) => ({
        kind: 'collectible',
        ...parties,
        tokenId: tokenId.toString(),
        amountMinor,
      }),
    );
  }
  return [];
}

/** Ids of one ERC-1155 batch that are read; a log with more is not one that anybody sends. */
const batchIdsMax = 1_000;

function readMultiTransfer(
  data: string,
  batch: boolean,
): { tokenId: bigint; amountMinor: bigint }[] {
  if (!batch) {
    const [tokenId, amountMinor] = [wordAt(data, 0), wordAt(data, 1)];
    return tokenId === undefined || amountMinor === undefined ? [] : [{ tokenId, amountMinor }];
  }
  const ids = readArray(data, 0);
  const amounts = readArray(data, 1);
  if (!ids || ids.length !== amounts?.length) return [];
  // The same id may stand in one batch twice; it is one movement.
  const sums = new Map<bigint, bigint>();
  for (const [index, tokenId] of ids.entries())
    sums.set(tokenId, (sums.get(tokenId) ?? 0n) + amounts[index]!);
  return [...sums].map(([tokenId, amountMinor]) => ({ tokenId, amountMinor }));
}

function readArray(data: string, headIndex: number): bigint[] | undefined {
  const offset = wordAt(data, headIndex);
  if (offset === undefined || offset % 32n !== 0n || offset > BigInt(data.length)) return undefined;
  const start = Number(offset / 32n);
  const length = wordAt(data, start);
  if (length === undefined || length > BigInt(batchIdsMax)) return undefined;
  const values = Array.from({ length: Number(length) }, (_, index) =>
    wordAt(data, start + 1 + index),
  );
  return values.every((value) => value !== undefined) ? values : undefined;
}

function wordAt(data: string, index: number): bigint | undefined {
  const digits = data.slice(2 + index * 64, 2 + (index + 1) * 64);
  return digits.length === 64 ? BigInt(`0x${digits}`) : undefined;
}

function addressOfTopic(topic: string): string {
  return `0x${topic.slice(26)}`;
}
