import { z } from 'zod';
import { type RpcCall, type RpcClient, RpcError, RpcTransportError } from '../../rpc/rpc.ts';

/** What the watcher reads from a node, checked before it is trusted. */

const quantity = z
  .string()
  .regex(/^0x[0-9a-fA-F]{1,64}$/)
  .transform((text) => BigInt(text));
const lowerHex = z
  .string()
  .regex(/^0x[0-9a-fA-F]*$/)
  .transform((text) => text.toLowerCase());
const hash = z
  .string()
  .regex(/^0x[0-9a-fA-F]{64}$/)
  .transform((text) => text.toLowerCase());

const transactionSchema = z.object({
  hash,
  from: lowerHex,
  to: lowerHex.nullish(),
  value: quantity,
  input: lowerHex,
});
const headerSchema = z.object({ number: quantity, hash, parentHash: hash, timestamp: quantity });
const blockSchema = headerSchema.extend({ transactions: z.array(transactionSchema) });
const logSchema = z.object({
  address: lowerHex,
  topics: z.array(hash),
  data: lowerHex,
  blockHash: hash,
  transactionHash: hash,
  logIndex: quantity,
  removed: z.boolean().optional(),
});
const receiptSchema = z.object({ status: quantity.nullish(), blockHash: hash });
const fullReceiptSchema = receiptSchema.extend({ logs: z.array(logSchema) });

export type ChainHeader = z.output<typeof headerSchema>;
export type ChainBlock = z.output<typeof blockSchema>;
export type ChainTransaction = z.output<typeof transactionSchema>;
export type ChainLog = z.output<typeof logSchema>;

export interface PostedTransaction {
  readonly transaction: ChainTransaction;
  /** Absent while it is in no block. */
  readonly receipt?: z.output<typeof fullReceiptSchema>;
}

export interface LogFilter {
  readonly address?: readonly string[];
  readonly topics: readonly (string | readonly string[] | null)[];
}

export interface LogQuery extends LogFilter {
  readonly blockHash?: string;
  readonly fromBlock?: string;
  readonly toBlock?: string;
}

const unknownBlockPattern = /unknown block|not found|missing block|no block/i;

/** Blocks of one HTTP request: full blocks of a busy chain have some hundred kilobytes each. */
const blocksPerRequest = 20;

export async function readHead(rpc: RpcClient): Promise<bigint> {
  return read('eth_blockNumber', quantity, await rpc.request('eth_blockNumber'));
}

export async function readChainId(rpc: RpcClient): Promise<bigint> {
  return read('eth_chainId', quantity, await rpc.request('eth_chainId'));
}

/**
 * Height of the block that the node takes for final; undefined where it knows no such block.
 * @throws RpcError when it only has no time to say so
 */
export async function readFinalizedHeight(rpc: RpcClient): Promise<bigint | undefined> {
  const [result] = await rpc.batch([
    { method: 'eth_getBlockByNumber', params: ['finalized', false] },
  ]);
  if (
    result?.ok === false &&
    (result.error.code === -32005 || rateLimitPatterns.test(result.error.message))
  )
    throw result.error;
  if (!result?.ok) return undefined;
  return read('eth_getBlockByNumber', headerSchema.nullable(), result.value)?.number;
}

/** The headers at these heights; undefined where the node has no block. */
export async function readHeaders(
  rpc: RpcClient,
  heights: readonly bigint[],
): Promise<(ChainHeader | undefined)[]> {
  const results = await batchValues(
    rpc,
    heights.map((height) => ({ method: 'eth_getBlockByNumber', params: [toHex(height), false] })),
  );
  return results.map(
    (value) => read('eth_getBlockByNumber', headerSchema.nullable(), value) ?? undefined,
  );
}

/** Blocks with their transactions, in order; undefined when the node lacks one of them. */
export async function readBlocks(
  rpc: RpcClient,
  from: bigint,
  to: bigint,
): Promise<ChainBlock[] | undefined> {
  const blocks: ChainBlock[] = [];
  for (let start = from; start <= to; start += BigInt(blocksPerRequest)) {
    const end =
      start + BigInt(blocksPerRequest) - 1n < to ? start + BigInt(blocksPerRequest) - 1n : to;
    const heights = Array.from(
      { length: Number(end - start) + 1 },
      (_, index) => start + BigInt(index),
    );
    const results = await batchValues(
      rpc,
      heights.map((height) => ({ method: 'eth_getBlockByNumber', params: [toHex(height), true] })),
    );
    for (const value of results) {
      const block = read('eth_getBlockByNumber', blockSchema.nullable(), value);
      if (!block) return undefined;
      blocks.push(block);
    }
  }
  return blocks;
}

/**
 * Logs of several queries, joined.
 * @throws HistoryChangedError when the node does not know a block asked for by hash
 */
export async function readLogs(rpc: RpcClient, queries: readonly LogQuery[]): Promise<ChainLog[]> {
  const results =
    queries.length === 0
      ? []
      : await rpc.batch(queries.map((query) => ({ method: 'eth_getLogs', params: [query] })));
  return results.flatMap((result, index) => {
    if (
      !result.ok &&
      queries[index]!.blockHash !== undefined &&
      unknownBlockPattern.test(result.error.message)
    )
      throw new HistoryChangedError();
    if (!result.ok) throw result.error;
    return read('eth_getLogs', z.array(logSchema), result.value).filter(
      (log) => log.removed !== true,
    );
  });
}

/** Which of these transactions are included in their given block and succeeded. */
export async function readSucceeded(
  rpc: RpcClient,
  transactions: readonly { hash: string; blockHash: string }[],
): Promise<ReadonlySet<string>> {
  const results = await batchValues(
    rpc,
    transactions.map(({ hash: txHash }) => ({
      method: 'eth_getTransactionReceipt',
      params: [txHash],
    })),
  );
  const succeeded = new Set<string>();
  for (const [index, { hash: txHash, blockHash }] of transactions.entries()) {
    const receipt = read('eth_getTransactionReceipt', receiptSchema.nullable(), results[index]);
    if (receipt?.blockHash !== blockHash) throw new HistoryChangedError();
    if (receipt.status === 1n) succeeded.add(txHash);
  }
  return succeeded;
}

/**
 * A transaction by its hash, with its receipt once it is in a block; undefined when the node does
 * not know it.
 */
export async function readTransaction(
  rpc: RpcClient,
  hash: string,
): Promise<PostedTransaction | undefined> {
  const [found, receipt] = await batchValues(rpc, [
    { method: 'eth_getTransactionByHash', params: [hash] },
    { method: 'eth_getTransactionReceipt', params: [hash] },
  ]);
  const transaction = read('eth_getTransactionByHash', transactionSchema.nullable(), found);
  if (!transaction) return undefined;
  const included = read('eth_getTransactionReceipt', fullReceiptSchema.nullable(), receipt);
  return { transaction, ...(included ? { receipt: included } : {}) };
}

/** The header of a block by its hash; undefined when the node does not have it. */
export async function readHeaderByHash(
  rpc: RpcClient,
  hash: string,
): Promise<ChainHeader | undefined> {
  const [value] = await batchValues(rpc, [{ method: 'eth_getBlockByHash', params: [hash, false] }]);
  return read('eth_getBlockByHash', headerSchema.nullable(), value) ?? undefined;
}

/** The chain changed between two reads that belong together: nothing was recorded, read again. */
export class HistoryChangedError extends Error {
  constructor() {
    super('The chain changed while it was read.');
    this.name = 'HistoryChangedError';
  }
}

const tooManyPatterns =
  /too many|more than [\d,]+ (?:results|logs)|limit exceeded|response size|(?:block|blocks) range|range (?:is )?too|query returned|exceeds? (?:the )?(?:max|limit|range)|timed? ?out|too large/i;
const rateLimitPatterns = /rate.?limit|too many requests|requests per|compute units|capacity/i;

/**
 * True when a smaller range may succeed where this one failed. Providers word it in a dozen ways.
 */
export function isTooMuch(error: unknown): boolean {
  if (error instanceof RpcTransportError)
    return (
      error.kind === 'timeout' ||
      error.kind === 'malformed' ||
      (error.kind === 'http' && error.status === 413)
    );
  return (
    error instanceof RpcError &&
    !rateLimitPatterns.test(error.message) &&
    (error.code === -32005 || tooManyPatterns.test(error.message))
  );
}

export function toHex(value: bigint): string {
  return `0x${value.toString(16)}`;
}

async function batchValues(rpc: RpcClient, calls: readonly RpcCall[]): Promise<unknown[]> {
  if (calls.length === 0) return [];
  const results = await rpc.batch(calls);
  return results.map((result) => {
    if (!result.ok) throw result.error;
    return result.value;
  });
}

function read<S extends z.ZodType>(method: string, schema: S, value: unknown): z.output<S> {
  const parsed = schema.safeParse(value);
  if (!parsed.success)
    throw new RpcTransportError(
      'malformed',
      `The node's answer to ${method} is not what it should be: ${parsed.error.issues[0]?.message ?? 'unreadable'} at ${parsed.error.issues[0]?.path.join('.') ?? ''}.`,
    );
  return parsed.data;
}
