import { z } from 'zod';
import type { AptosNode } from '../rpc/node.ts';
import { RestRefusal } from '../rpc/rest.ts';
import { type Executed, executedSchema } from './outcome.ts';

const foundSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('pending_transaction'), hash: z.string() }),
  executedSchema.extend({ type: z.literal('user_transaction') }),
]);

/**
 * What became of a transaction. Gone is what a node does not have whose own time is past the
 * expiry: blocks that could still take it are behind. @param expirationSeconds since 1970 @throws
 * Error where the node tells of another transaction
 */
export async function lookUp(
  node: AptosNode,
  txId: string,
  expirationSeconds: bigint,
): Promise<Executed | 'pending' | 'gone'> {
  const found = await node
    .get(`/transactions/by_hash/${txId}`, foundSchema)
    .catch((error: unknown) => {
      if (error instanceof RestRefusal && error.status === 404) return error.ledger;
      throw error;
    });
  if (!('value' in found))
    return found.timestampUs / 1_000_000n > expirationSeconds ? 'gone' : 'pending';
  const { value } = found;
  if (value.hash !== txId)
    throw new Error(`the node tells of ${value.hash} when it is asked for ${txId}`);
  return value.type === 'pending_transaction' ? 'pending' : value;
}
