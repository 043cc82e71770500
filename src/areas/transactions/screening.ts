import type { Ctx } from '../../context.ts';
import { screenAddresses } from '../../providers/screening/index.ts';

/**
 * The first of a transaction's addresses that is on a sanctions list; the decision is stored either
 * way.
 * @throws provider-unavailable when no list can be read
 */
export async function findBlockedAddress(
  ctx: Ctx,
  input: {
    readonly id: string;
    readonly projectId: string;
    readonly chain: string;
    readonly counterparties: readonly string[];
  },
): Promise<string | undefined> {
  const { id, projectId, chain, counterparties: addresses } = input;
  const result = await screenAddresses(ctx, {
    projectId,
    subject: `transaction:${id}`,
    chain,
    addresses,
  });
  return result.status === 'blocked' ? result.hit.address : undefined;
}

export function sanctionedMessage(address: string): string {
  return `The address ${address} is on a sanctions list: nothing is sent to it or from it.`;
}
