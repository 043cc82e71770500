import { numberToHex } from 'viem';
import { z } from 'zod';
import { createRpc } from '../../src/chains/evm/rpc/rpc.ts';

const rpcTimeoutMs = 30_000;
const quantitySchema = z.string().regex(/^0x[0-9a-f]+$/);

/** Mines `count` empty blocks (with what waits in the pool, if anything does). */
export async function mineBlocks(nodeUrl: string, count: number): Promise<void> {
  await call(nodeUrl, 'anvil_mine', [numberToHex(count)]);
}

/**
 * Replaces the newest `depth` blocks by as many others. What was in them is gone, receipts
 * included, unless it is named in `transactions`: raw signed transactions with the block, counted
 * from 0 at the oldest new one, that they are to be in. The depth is bounded by the states a local
 * chain keeps (128), and by its last restart.
 */
export async function reorganise(
  nodeUrl: string,
  depth: number,
  transactions: readonly (readonly [rawTransaction: `0x${string}`, block: number])[] = [],
): Promise<void> {
  await call(nodeUrl, 'anvil_reorg', [depth, transactions]);
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
