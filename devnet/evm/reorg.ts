import { setTimeout as delay } from 'node:timers/promises';
import { numberToHex } from 'viem';
import { z } from 'zod';
import { createRpc } from '../../src/chains/evm/rpc/rpc.ts';

const rpcTimeoutMs = 30_000;
const quantitySchema = z.string().regex(/^0x[0-9a-f]+$/);
const poolSchema = z.object({ pending: quantitySchema });
const minedWithinMs = 10_000;
const minedLookMs = 10;

/** Mines `count` empty blocks (with what waits in the pool, if anything does). */
export async function mineBlocks(nodeUrl: string, count: number): Promise<void> {
  await call(nodeUrl, 'anvil_mine', [numberToHex(count)]);
}

/**
 * Replaces the newest `depth` blocks by as many others. What was in them is gone, receipts
 * included, unless it is named in `transactions`: raw signed transactions with the block, counted
 * from 0 at the oldest new one, that they are to be in. The depth is bounded by the states a local
 * chain keeps (128), and by its last restart. Whoever sends, mines or moves the clock meanwhile gets
 * a chain whose balances are not those of its receipts: a block that the node makes while it
 * replaces others is half in the old history (seen with anvil 1.8: some in 20 reorganisations under
 * load).
 * @throws Error when the transactions that wait are not mined within 10 s
 */
export async function reorganise(
  nodeUrl: string,
  depth: number,
  transactions: readonly (readonly [rawTransaction: `0x${string}`, block: number])[] = [],
): Promise<void> {
  await untilMined(nodeUrl);
  await call(nodeUrl, 'anvil_reorg', [depth, transactions]);
}

/** The node mines what it is sent at once, and has it in its pool until then. */
async function untilMined(nodeUrl: string): Promise<void> {
  for (const endAt = Date.now() + minedWithinMs; ; await delay(minedLookMs)) {
    const { pending } = poolSchema.parse(await call(nodeUrl, 'txpool_status', []));
    if (Number(pending) === 0) return;
    if (Date.now() > endAt)
      throw new Error(
        `The local chain has ${Number(pending)} transactions that no block takes: it cannot be reorganised now.`,
      );
  }
}

/** Moves the chain's clock on and mines a block at the new time. */
export async function advanceTime(nodeUrl: string, seconds: number): Promise<void> {
  await call(nodeUrl, 'evm_increaseTime', [seconds]);
  await mineBlocks(nodeUrl, 1);
}

/** Number of the newest block. */
export async function readHeight(nodeUrl: string): Promise<number> {
  return Number(quantitySchema.parse(await call(nodeUrl, 'eth_blockNumber', [])));
}

/** Remembers the chain as it is now; for {@link restoreSnapshot}. */
export async function takeSnapshot(nodeUrl: string): Promise<string> {
  return quantitySchema.parse(await call(nodeUrl, 'evm_snapshot', []));
}

/**
 * Takes the chain back to a snapshot: a reorganisation to a shorter chain. A snapshot works once.
 */
export async function restoreSnapshot(nodeUrl: string, snapshot: string): Promise<void> {
  if ((await call(nodeUrl, 'evm_revert', [snapshot])) !== true)
    throw new Error(`The local chain has no snapshot ${snapshot} any more.`);
}

async function call(nodeUrl: string, method: string, params: readonly unknown[]): Promise<unknown> {
  const rpc = createRpc({ url: nodeUrl, timeoutMs: rpcTimeoutMs });
  try {
    return await rpc.request(method, params);
  } finally {
    rpc.close();
  }
}
