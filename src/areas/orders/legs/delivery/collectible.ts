import { type ResolvedToken, requireExtra } from '../../../../chains/family.ts';
import type { Ctx } from '../../../../context.ts';
import { ServiceError } from '../../../../lib/errors.ts';
import type { JsonObject } from '../../../../lib/json/json.ts';
import { findCollectionChain, selectOffer } from '../../../collections/index.ts';
import type { TreasuryTransfer } from '../../../treasury/index.ts';
import type { DeliveredToken, OrderRecord, OrderTerms } from '../../state/types.ts';

/**
 * Items of collections on their way to a recipient: minted there by the treasury, or sent from what
 * it holds.
 */

/** What the treasury is to send for an order. */
export interface Sending {
  readonly chain: string;
  readonly token: ResolvedToken;
  /** Instead of a plain transfer of the token. */
  readonly params?: JsonObject;
  readonly collectible?: boolean;
}

/** @throws chain-not-supported, validation-error */
export async function collectibleSending(
  ctx: Ctx,
  order: OrderRecord,
  input: {
    readonly collectible: NonNullable<OrderTerms['collectible']>;
    readonly recipientAddress: string;
  },
): Promise<Sending> {
  const { offerId } = input.collectible;
  const offer = await selectOffer(ctx.store, { projectId: order.projectId, id: offerId });
  if (!offer) throw new Error(`order ${order.id} is of an offer that is not there: ${offerId}`);
  const { collections, chain } = findCollectionChain(ctx, offer.chain);
  const { address, mintFunction } = offer;
  const token: ResolvedToken = {
    chain,
    locator: `${chain}:${address}`,
    address,
    ...(offer.symbol !== undefined && { symbol: offer.symbol }),
    decimals: 0,
  };
  const { tokenId } = input.collectible;
  if (mintFunction === undefined)
    return {
      chain,
      token: {
        ...token,
        locator: `${token.locator}:${tokenId}`,
        ...(tokenId !== undefined && { tokenId }),
      },
      collectible: true,
    };
  const { callData } = order.request.lineItem;
  const quantity = order.terms!.receive.amountMinor;
  const { recipientAddress } = input;
  const params = collections.mintParams({
    ...offer,
    mintFunction,
    quantity,
    recipientAddress,
    ...(callData && { callData }),
  });
  return { chain, token, params, collectible: true };
}

/** True of a final transfer of items of which nobody has read yet which they are. */
export function isUnread(
  { terms, facts }: Pick<OrderRecord, 'terms' | 'facts'>,
  transfer: TreasuryTransfer,
): boolean {
  return (
    terms?.collectible !== undefined &&
    transfer.status === 'final' &&
    facts.deliveredTokens === undefined
  );
}

/**
 * Which items a final transfer has brought to the recipient, by the logs of its transaction.
 * @throws provider-unavailable, upstream-error
 */
export async function readArrived(
  ctx: Pick<Ctx, 'chains'>,
  transfer: TreasuryTransfer,
): Promise<readonly DeliveredToken[]> {
  const { chain, txId, recipient: recipientAddress } = transfer;
  const family = ctx.chains.familyOfChain(chain);
  const contract = family.canonicalAddress(transfer.token.address!);
  const { status, transfers } = await requireExtra(family, 'deposits').readDeposits({
    chain,
    txId: txId!,
    recipientAddress,
  });
  if (status !== 'included')
    throw new ServiceError('provider-unavailable', {
      message: `The node of ${chain} does not show transaction ${txId} now.`,
    });
  // One transaction carries the operations of many.
  return transfers
    .filter(
      ({ operationId, token }) =>
        operationId === transfer.id &&
        token.tokenId !== undefined &&
        family.canonicalAddress(token.address!) === contract,
    )
    .map(({ token, amountMinor }) => ({
      tokenId: token.tokenId!,
      quantity: amountMinor.toString(),
    }));
}

/**
 * Why a delivery cannot be taken for one: less has arrived than was ordered, although the chain
 * took the transaction.
 */
export function shortfallOf(
  transfer: TreasuryTransfer,
  tokens: readonly DeliveredToken[],
): string | undefined {
  const arrived = tokens.reduce((sum, { quantity }) => sum + BigInt(quantity), 0n);
  if (arrived >= transfer.amountMinor) return undefined;
  return `Transaction ${transfer.txId} succeeded, and its logs show ${arrived} of ${transfer.amountMinor} items for the recipient: see what the contract did.`;
}
