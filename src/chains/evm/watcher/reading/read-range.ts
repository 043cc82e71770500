import type { RpcClient } from '../../rpc/rpc.ts';
import {
  operationExecutedTopic,
  type RangeContent,
  safeReceivedTopic,
  transferBatchTopic,
  transferSingleTopic,
  transferTopic,
} from './movements.ts';
import {
  type ChainBlock,
  type ChainLog,
  HistoryChangedError,
  type LogFilter,
  readBlocks,
  readHeaders,
  readLogs,
  toHex,
} from './read-node.ts';

export interface RangeQuery {
  readonly from: bigint;
  readonly to: bigint;
  /** Contracts of followed tokens. */
  readonly tokens: readonly string[];
}

/**
 * So few blocks are asked for their logs by hash: behind a balancer, a node that does not have the
 * newest block yet then refuses, where a range would be answered with fewer logs and nobody would
 * know.
 */
export const blocksByHashMax = 8;

/**
 * Reads blocks and their logs as one consistent piece of one history.
 * @throws HistoryChangedError when the chain moved meanwhile, or the node lacks a block: read again
 * @throws RpcError, RpcTransportError
 */
export async function readRange(rpc: RpcClient, query: RangeQuery): Promise<RangeContent> {
  const blocks = await readBlocks(rpc, query.from, query.to);
  if (!blocks || !isOneHistory(blocks, query.from)) throw new HistoryChangedError();
  const filters = logFilters(query.tokens);
  const logs =
    blocks.length <= blocksByHashMax
      ? await readLogsByHash(rpc, blocks, filters)
      : await readLogsOfRange(rpc, blocks, filters);
  return { blocks, logs };
}

function logFilters(tokens: readonly string[]): LogFilter[] {
  const anyContract: LogFilter[] = [
    {
      topics: [
        [safeReceivedTopic, operationExecutedTopic, transferSingleTopic, transferBatchTopic],
      ],
    },
    // Four topics: transfers of ERC-721. Those of fungible tokens have three, and are asked for by
    // contract.
    { topics: [transferTopic, null, null, null] },
  ];
  return tokens.length === 0
    ? anyContract
    : [{ address: tokens, topics: [transferTopic] }, ...anyContract];
}

function isOneHistory(blocks: readonly ChainBlock[], from: bigint): boolean {
  return blocks.every(
    (block, index) =>
      block.number === from + BigInt(index) &&
      (index === 0 || block.parentHash === blocks[index - 1]!.hash),
  );
}

async function readLogsByHash(
  rpc: RpcClient,
  blocks: readonly ChainBlock[],
  filters: readonly LogFilter[],
): Promise<ChainLog[]> {
  const filled = blocks.filter((block) => block.transactions.length > 0);
  return uniqueLogs(
    await readLogs(
      rpc,
      filled.flatMap((block) => filters.map((filter) => ({ blockHash: block.hash, ...filter }))),
    ),
  );
}

async function readLogsOfRange(
  rpc: RpcClient,
  blocks: readonly ChainBlock[],
  filters: readonly LogFilter[],
): Promise<ChainLog[]> {
  const last = blocks.at(-1)!;
  const place = { fromBlock: toHex(blocks[0]!.number), toBlock: toHex(last.number) };
  const logs = uniqueLogs(
    await readLogs(
      rpc,
      filters.map((filter) => ({ ...place, ...filter })),
    ),
  );
  const hashes = new Set(blocks.map((block) => block.hash));
  if (logs.some((log) => !hashes.has(log.blockHash))) throw new HistoryChangedError();
  // The logs are of the history of the blocks only if the last of them is still there after the
  // logs were read.
  const [header] = await readHeaders(rpc, [last.number]);
  if (header?.hash !== last.hash) throw new HistoryChangedError();
  return logs;
}

/** A log may fit two filters. */
function uniqueLogs(logs: readonly ChainLog[]): ChainLog[] {
  const byPlace = new Map(logs.map((log) => [`${log.blockHash}:${log.logIndex}`, log]));
  return [...byPlace.values()].sort((a, b) => Number(a.logIndex - b.logIndex));
}
