import { z } from 'zod';
import { RpcError, RpcTransportError } from '../../../lib/net/json-rpc.ts';
import { BrokenHistoryError, type LastRead } from '../../family/following/index.ts';
import { blockAbsence, read, readTransaction, requestAnyVersion } from '../rpc/calls.ts';
import type { SolanaConnection } from '../rpc/connections.ts';
import { blockSchema, briefBlockSchema, type ChainTransaction, u64Schema } from '../rpc/schemas.ts';
import type { SlotBlock } from './find-transfers.ts';

/** Blocks of a cluster are large: so many are asked for at once. */
const lanes = 4;

const linkSchema = { previousBlockhash: z.string() };
const wholeSchema = blockSchema.extend(linkSchema);
const briefSchema = briefBlockSchema.extend(linkSchema);
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

/**
 * What strangers put into a block may make the answer longer than is read, or than the node can
 * write in time. What moved in it is told in a part of that.
 */
async function readBlock(connection: SolanaConnection, slot: bigint): Promise<ReadBlock> {
  try {
    const value = await requestBlock(connection, slot, 'full');
    return { ...parseBlock(wholeSchema, slot, value), slot, isBrief: false };
  } catch (error) {
    if (!isTooMuch(error)) throw error;
    const value = await requestBlock(connection, slot, 'accounts');
    return { ...parseBlock(briefSchema, slot, value), slot, isBrief: true };
  }
}

function requestBlock(
  connection: SolanaConnection,
  slot: bigint,
  transactionDetails: 'full' | 'accounts',
): Promise<unknown> {
  const config = { commitment: 'finalized', encoding: 'json', transactionDetails, rewards: false };
  return requestAnyVersion(connection, 'getBlock', { of: Number(slot), config }).catch(
    (error: unknown) => {
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
    },
  );
}

/** Providers with a bound of their own word it differently. */
const tooMuchPattern = /too (?:big|large|long)|(?:response|max\w*) size|exceeds? .*(?:size|limit)/i;

function isTooMuch(error: unknown): boolean {
  if (error instanceof RpcError) return tooMuchPattern.test(error.message);
  return (
    error instanceof RpcTransportError &&
    (error.kind === 'timeout' ||
      error.kind === 'malformed' ||
      (error.kind === 'http' && error.status === 413))
  );
}

function parseBlock<Schema extends z.ZodType>(
  schema: Schema,
  slot: bigint,
  value: unknown,
): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new BrokenHistoryError(
    `The node tells block ${slot} in a form that is not known: ${parsed.error.message.slice(0, 300)}`,
  );
}

/**
 * A transaction of a final block that was told in brief.
 * @throws BrokenHistoryError, ServiceError
 */
export async function readWhole(
  connection: SolanaConnection,
  signature: string,
): Promise<ChainTransaction> {
  const found = await readTransaction(connection, signature, 'finalized');
  if (found?.transaction.signatures[0] === signature) return found;
  throw new BrokenHistoryError(`The node has ${signature} in a final block, and does not tell it.`);
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
