import type { FinalityRule } from '../../config/networks.ts';
import type { RpcClient } from '../../rpc/rpc.ts';
import { readFinalizedHeight } from './read-node.ts';

/**
 * Depth that stands for finality where the node does not know its `finalized` block: two epochs of
 * Ethereum.
 */
const depthWithoutTag = 64n;

/** Height up to which no block is replaced any more; below 0 when none is final yet. */
export async function readFinalHeight(
  rpc: RpcClient,
  rule: FinalityRule,
  head: bigint,
): Promise<bigint> {
  if (rule.kind === 'depth') return head - BigInt(rule.blocks) + 1n;
  const finalized = await readFinalizedHeight(rpc);
  // A node behind a balancer may be ahead of the one that told the head.
  if (finalized !== undefined) return finalized < head ? finalized : head;
  return head - depthWithoutTag;
}
