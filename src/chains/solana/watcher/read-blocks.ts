import { z } from 'zod';
import { BrokenHistoryError, type LastRead } from '../../family/following/index.ts';
import { blockAbsence, read } from '../rpc/calls.ts';
import type { SolanaConnection } from '../rpc/connections.ts';
import { blockSchema, u64Schema } from '../rpc/schemas.ts';
import type { SlotBlock } from './find-transfers.ts';

/** Blocks of a cluster are large: so many are asked for at once. */
const lanes = 4;

const readSchema = blockSchema.extend({ previousBlockhash: z.string() });
type ReadBlock = SlotBlock & { readonly previousBlockhash: string };

/** The next slots that have a final block, so many at most: skipped ones cost nothing. */
export async function readSlots(
  connection: SolanaConnection,
  { from, upTo, limit }: { readonly from: bigint; readonly upTo: bigint; readonly limit: number },
): Promise<bigint[]> {
  const slots = await read(connection, {
    method: 'getBlocksWithLimit',
    params: [Number(from), limit, { commitment: 'finalized' }],
    schema: z.array(u64Schema),
  });
  return slots
    .filter((slot) => slot >= from && slot <= upTo)
    .toSorted((a, b) => (a < b ? -1 : 1))
    .slice(0, limit);
}

/**
 * The final blocks of these slots. Each names the one before it, back to the last that was read: a
 * node that leaves one out, or tells of another chain, is found out.
 * @throws BrokenHistoryError, ServiceError
 */
export async function readBlocks(
  connection: SolanaConnection,
  slots: readonly bigint[],
  last: LastRead | undefined,
): Promise<SlotBlock[]> {
  const blocks: ReadBlock[] = new Array(slots.length);
  let next = 0;
  await Promise.all(
    Array.from({ length: Math.min(lanes, slots.length) }, async () => {
      for (let index = next++; index < slots.length; index = next++)
        blocks[index] = await readBlock(connection, slots[index]!);
    }),
  );
  let before = last && { slot: last.height, hash: last.hash };
  for (const { slot, parentSlot, previousBlockhash, blockhash } of blocks) {
    if (before && (parentSlot !== before.slot || previousBlockhash !== before.hash))
      throw new BrokenHistoryError(
        `The node says that block ${slot} follows block ${parentSlot}, and the one that was read before it is ${before.slot} (${before.hash}).`,
      );
    before = { slot, hash: blockhash };
  }
  return blocks;
}

async function readBlock(connection: SolanaConnection, slot: bigint): Promise<ReadBlock> {
  const config = {
    commitment: 'finalized',
    encoding: 'json',
    transactionDetails: 'full',
    maxSupportedTransactionVersion: 0,
    rewards: false,
  };
  const value = await connection.rpc
    .request('getBlock', [Number(slot), config])
    .catch((error: unknown) => {
      const absence = blockAbsence(error);
      if (absence === 'cleaned-up')
        throw new BrokenHistoryError(
          `The node does not keep block ${slot} any more: name one in SOLANA_RPC_URL that has older blocks, until the watcher has caught up.`,
        );
      if (absence !== undefined)
        throw new BrokenHistoryError(
          `The node lists block ${slot} as final, and does not have it (${absence}).`,
        );
      throw error;
    });
  const parsed = readSchema.safeParse(value);
  if (!parsed.success)
    throw new BrokenHistoryError(
      `The node tells block ${slot} in a form that is not known: ${parsed.error.message.slice(0, 300)}`,
    );
  return { ...parsed.data, slot };
}

/**
 * When a block was made, in seconds; of the first block at this slot or above it. Undefined: there
 * is none up to `upTo`.
 */
export async function readTimeFrom(
  connection: SolanaConnection,
  { from, upTo }: { readonly from: bigint; readonly upTo: bigint },
): Promise<number | undefined> {
  const [slot] = await readSlots(connection, { from, upTo, limit: 1 });
  if (slot === undefined) return undefined;
  return (
    (await read(connection, {
      method: 'getBlockTime',
      params: [Number(slot)],
      schema: z.int().nullable(),
    })) ?? undefined
  );
}
