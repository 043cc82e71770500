import { z } from 'zod';
import { addresses } from '../../../../../contracts/index.ts';
import type { OperationOutcome } from '../../../family.ts';
import type { Hex } from '../../abi/words.ts';
import { explorerLinkOf } from '../../config/networks.ts';
import { executedTopic, readExecuted } from '../queue/outcomes.ts';
import { revertedError } from '../queue/reasons.ts';
import { type Head, logSchema, quantitySchema } from '../rpc-schemas.ts';
import { relayLimits } from '../spending/limits.ts';
import type { ChainState } from '../state.ts';

const logsSchema = z.array(logSchema);
const blockTimeSchema = z.object({ timestamp: quantitySchema });

/** An operation to look for; it cannot have been executed before it existed. */
export interface Sought {
  readonly operationId: string;
  readonly subject: string;
  readonly operationHash: Hex;
  readonly createdAt: Date;
}

/**
 * Looks on the chain for operations that were executed though not by a transaction we watch:
 * anybody may submit a signed operation, and a transaction given up may land after all. Goes back
 * block range by block range, from the head or `upTo`, until before the oldest was created, or to a
 * bound.
 */
export async function findExecuted(
  state: ChainState,
  sought: readonly Sought[],
  { upTo }: { readonly upTo?: bigint } = {},
): Promise<OperationOutcome[]> {
  const head = state.head;
  if (!head || sought.length === 0) return [];
  const byHash = new Map(sought.map((one) => [one.operationHash, one]));
  const oldestMs =
    Math.min(...sought.map((one) => one.createdAt.getTime())) - relayLimits.searchMarginMs;
  const range = BigInt(state.deps.config.watcher.blockRangeMax);
  const outcomes: OperationOutcome[] = [];
  let to = upTo !== undefined && upTo < head.number ? upTo : head.number;
  for (
    let ranges = 0;
    ranges < relayLimits.searchRangesMax && to >= 0n && byHash.size > 0;
    ranges++
  ) {
    const from = to >= range ? to - range + 1n : 0n;
    for (const outcome of await readRange(state, from, to, byHash)) outcomes.push(outcome);
    if (from === 0n || (await blockTimeMs(state, from, head)) < oldestMs) break;
    to = from - 1n;
  }
  return outcomes;
}

async function readRange(
  state: ChainState,
  from: bigint,
  to: bigint,
  byHash: Map<Hex, Sought>,
): Promise<OperationOutcome[]> {
  const filter = {
    address: addresses.walletModule,
    fromBlock: hexOfNumber(from),
    toBlock: hexOfNumber(to),
    topics: [executedTopic, null, [...byHash.keys()]],
  };
  const logs = logsSchema.parse(await state.rpc.request('eth_getLogs', [filter]));
  return logs.flatMap((log): OperationOutcome[] => {
    const executed = readExecuted(log);
    const sought = executed && byHash.get(executed.operationHash);
    if (!executed || !sought || !log.transactionHash) return [];
    byHash.delete(executed.operationHash);
    const link = explorerLinkOf(state.network, log.transactionHash);
    const common = {
      operationId: sought.operationId,
      subject: sought.subject,
      onChain: { txId: log.transactionHash, explorerLink: link },
      executed: true as const,
      at: state.deps.clock.now(),
    };
    return [
      executed.success
        ? { ...common, status: 'success', fees: {} }
        : { ...common, status: 'failed', error: revertedError(executed.reason, link) },
    ];
  });
}

async function blockTimeMs(state: ChainState, block: bigint, head: Head): Promise<number> {
  if (block === head.number) return Number(head.timestamp) * 1000;
  const { timestamp } = blockTimeSchema.parse(
    await state.rpc.request('eth_getBlockByNumber', [hexOfNumber(block), false]),
  );
  return Number(timestamp) * 1000;
}

function hexOfNumber(value: bigint): string {
  return `0x${value.toString(16)}`;
}
