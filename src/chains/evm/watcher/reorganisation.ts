import type { Db } from '../../../store/types.ts';
import type { RpcClient } from '../rpc/rpc.ts';
import { readHeaders } from './reading/read-node.ts';
import { recentBlocks, type SeenBlock, selectBlocks } from './store.ts';

export interface Ancestor {
  /** The last block that both histories share; absent when none that is remembered is left. */
  readonly block?: SeenBlock;
  /**
   * True when it is none of the recent blocks: a finality that everybody relies on was broken, or
   * the node was replaced.
   */
  readonly deep: boolean;
}

const hashesPerRead = 32;
const heightMax = 2n ** 63n - 1n;

/** Walks back over the remembered hashes to the last block that the node still has. */
export async function findAncestor(
  db: Db,
  rpc: RpcClient,
  input: { chain: string; head: bigint; lastHeight: bigint },
): Promise<Ancestor> {
  let atMost = input.head < input.lastHeight ? input.head : input.lastHeight;
  for (;;) {
    const remembered = await selectBlocks(db, input.chain, { atMost, limit: hashesPerRead });
    if (remembered.length === 0) return { deep: true };
    const headers = await readHeaders(
      rpc,
      remembered.map((block) => block.height),
    );
    const block = remembered.find((candidate, index) => headers[index]?.hash === candidate.hash);
    if (block) return { block, deep: block.height <= input.lastHeight - BigInt(recentBlocks) };
    atMost = remembered.at(-1)!.height - 1n;
  }
}

/**
 * False while the newest block that was read is not the node's any more: what the node replaced is
 * still believed. A chain of which nothing was read is believed in nothing. @throws RpcError,
 * RpcTransportError
 */
export async function hasSeenHistory(db: Db, rpc: RpcClient, chain: string): Promise<boolean> {
  const [last] = await selectBlocks(db, chain, { atMost: heightMax, limit: 1 });
  if (!last) return true;
  const [header] = await readHeaders(rpc, [last.height]);
  return header?.hash === last.hash;
}
