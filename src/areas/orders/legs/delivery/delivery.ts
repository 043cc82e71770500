import type { Ctx } from '../../../../context.ts';
import { postEntries, registerAsset } from '../../../../ledger/index.ts';
import { ServiceError } from '../../../../lib/errors.ts';
import type { Tx } from '../../../../store/types.ts';
import {
  prepareSending,
  requireTreasury,
  selectTreasuryTransfer,
  sendFromTreasury,
  type TreasuryTransfer,
} from '../../../treasury/index.ts';
import { changeOrder } from '../../state/change-order.ts';
import { deliveryIdsOf } from '../../state/items.ts';
import { lockOrder } from '../../state/store.ts';
import type { OrderFacts, OrderRecord, OrderTerms } from '../../state/types.ts';
import { isCoverHeld, postCovered, releaseCover } from '../cover.ts';
import { deliveryEntries, gasEntry } from '../ledger.ts';
import { collectibleSending, type Sending } from './collectible.ts';

/** Tokens on their way out of the treasury to the recipient of an order (onramp, checkout). */

/** Why a delivery cannot be: for the payer, and it moved nothing. */
export interface DeliveryRefusal {
  readonly code: string;
  readonly message: string;
}

/** A refusal that another try would meet again. */
const hopeless = new Set([
  'sanctioned-address',
  'invalid-recipient',
  'chain-not-supported',
  'validation-error',
]);
export function isHopeless({ code }: DeliveryRefusal): boolean {
  return hopeless.has(code);
}

/** What may pass by itself: nothing is concluded from it. */
const transient = new Set([
  'provider-unavailable',
  'upstream-error',
  'rate-limited',
  'timeout',
  'temporarily-unavailable',
]);

/** The network and token of what an order delivers. */
export function deliveredAsset(order: { readonly terms?: OrderTerms }): {
  readonly chain: string;
  readonly address?: string;
} {
  const { asset } = order.terms!.receive;
  const at = asset.indexOf(':');
  const token = asset.slice(at + 1);
  return { chain: asset.slice(0, at), ...(token !== 'native' && { address: token }) };
}

/** The address that receives: named in the order, or of the wallet that was made for it. */
function recipientOf(order: OrderRecord): string {
  const address = order.request.recipient.walletAddress ?? order.facts.recipientAddress;
  if (typeof address !== 'string') throw new Error(`order ${order.id} has no recipient`);
  return address;
}

/** What the treasury is to send. */
async function resolveSending(ctx: Ctx, order: OrderRecord): Promise<Sending> {
  const { collectible } = order.terms!;
  if (collectible)
    return collectibleSending(ctx, order, { collectible, recipientAddress: recipientOf(order) });
  const { chain, address } = deliveredAsset(order);
  const family = ctx.chains.familyOfChain(chain);
  const { symbol } = family.requireNetwork(chain).native;
  const token = await family.resolveToken(chain, address === undefined ? { symbol } : { address });
  return { chain, token };
}

/**
 * Whether the treasury could deliver now, beside what it owes to other orders already: the transfer
 * is built and simulated with both together, and nothing is sent.
 * @param alsoMinor of the same token, for other line items of the order
 * @throws ServiceError when nobody can tell now
 */
export async function tryDelivery(
  ctx: Ctx,
  order: OrderRecord,
  alsoMinor = 0n,
): Promise<DeliveryRefusal | undefined> {
  return catchRefusal(async () => {
    const sending = await resolveSending(ctx, order);
    const family = ctx.chains.familyOfChain(sending.chain);
    const wallet = await requireTreasury(ctx, {
      projectId: order.projectId,
      chainType: family.chainType,
    });
    // Items are held for their orders: nothing is owed of them elsewhere.
    const alsoOwed = sending.collectible ? 0n : alsoMinor + (await owedElsewhere(ctx, order));
    const amountMinor = order.terms!.receive.amountMinor + alsoOwed;
    await prepareSending(ctx, family, {
      ...sending,
      wallet,
      amountMinor,
      recipientAddress: recipientOf(order),
      now: ctx.clock.now(),
    });
  });
}

/**
 * What other orders of the project were promised and the treasury has not sent yet, in the token
 * that this one delivers.
 */
async function owedElsewhere(ctx: Ctx, order: OrderRecord): Promise<bigint> {
  const { rows } = await ctx.store.query<{ owed: string }>({
    name: 'orders-owed',
    // Of several line items all count until the last one is there: rather too much is kept ready
    // than too little.
    text: `select coalesce(sum((item->'receive'->>'amountMinor')::numeric), 0)::text as owed from orders o
      cross join lateral jsonb_array_elements(coalesce(o.terms->'items', jsonb_build_array(o.terms))) as item
      where o.project_id = $1 and o.id <> $2 and o.state in ('capturing', 'delivering') and item->'receive'->>'asset' = $3
        and not exists (select from treasury_transfers t
          where t.id = (o.facts->>'deliveryTransferId')::uuid and t.status in ('success', 'final'))`,
    values: [order.projectId, order.id, order.terms!.receive.asset],
  });
  return BigInt(rows[0]!.owed);
}

/**
 * Hands the order's transfer to the treasury, under the id that the order has stored. The same
 * again does nothing.
 * @returns why not, when it never will be sent under this id
 * @throws ServiceError to be tried again
 */
export async function sendDelivery(
  ctx: Ctx,
  order: OrderRecord,
): Promise<DeliveryRefusal | undefined> {
  const transferId = order.facts.deliveryTransferId!;
  const refusal = await catchRefusal(async () => {
    await sendFromTreasury(ctx, {
      ...(await resolveSending(ctx, order)),
      transferId,
      projectId: order.projectId,
      subject: `order:${order.id}`,
      amountMinor: order.terms!.receive.amountMinor,
      recipientAddress: recipientOf(order),
      isWanted: async (tx) => {
        const now = await lockOrder(tx, { by: 'id', id: order.id });
        if (
          now?.state !== 'delivering' ||
          now.sealProblem ||
          !deliveryIdsOf(now).includes(transferId)
        )
          return false;
        return isCoverHeld(tx, order, {
          key: transferId,
          amountMinor: order.terms!.pay.amountMinor,
        });
      },
    });
  });
  // An answer that was lost on the way may hide that it was sent.
  return refusal && (await selectTreasuryTransfer(ctx.store, transferId)) ? undefined : refusal;
}

async function catchRefusal(work: () => Promise<void>): Promise<DeliveryRefusal | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (!(error instanceof ServiceError) || transient.has(error.code) || error.status >= 500)
      throw error;
    return { code: error.code, message: error.message };
  }
}

/** The ledger's side of a delivery that is final, and what the order shows of it. */
export async function bookDelivery(
  ctx: Ctx,
  tx: Tx,
  order: OrderRecord,
  transfer: TreasuryTransfer,
  item?: { readonly index: number; readonly keepsDust: boolean },
): Promise<{ readonly facts: Partial<OrderFacts> }> {
  const at = transfer.finalAt ?? ctx.clock.now();
  const terms = order.terms!;
  const dustMinor =
    item?.keepsDust === false ? 0n : BigInt((order.facts.dustMinor as string | undefined) ?? '0');
  // An item of a collection is no asset of the ledger.
  for (const { asset, decimals, currency } of terms.collectible
    ? [terms.pay]
    : [terms.pay, terms.receive])
    await registerAsset(tx, { asset, decimals, symbol: currency });
  await releaseCover(ctx, tx, order, transfer.id);
  const input = {
    chain: transfer.chain,
    transferId: transfer.id,
    dustMinor,
    at,
    lineItem: item?.index,
  };
  await postCovered(ctx, tx, order, {
    entries: deliveryEntries({ ...order, terms }, input),
    key: transfer.id,
  });
  await bookGas(ctx, tx, order, transfer);
  return {
    facts: {
      deliveredAt: at.toISOString(),
      deliveredMinor: transfer.amountMinor.toString(),
      ...deliveredAddressOf(ctx, order),
      ...(transfer.txId !== undefined && { txId: transfer.txId }),
    },
  };
}

/** As wallets show it, e.g. with the checksum of its letters; native money has none. */
function deliveredAddressOf(
  ctx: Pick<Ctx, 'chains'>,
  order: OrderRecord,
): { readonly deliveredAddress?: string } {
  const { chain, address } = deliveredAsset(order);
  return address === undefined
    ? {}
    : { deliveredAddress: ctx.chains.familyOfChain(chain).formatAddress(address) };
}

/**
 * The chain took a transfer that has brought less than was ordered: nothing can be sent again, and
 * an operator decides.
 */
export async function leaveShort(
  ctx: Ctx,
  tx: Tx,
  order: OrderRecord,
  { transfer, attention }: { readonly transfer: TreasuryTransfer; readonly attention: string },
): Promise<void> {
  await bookGas(ctx, tx, order, transfer);
  await releaseCover(ctx, tx, order, transfer.id);
  const shortTransferIds = [...new Set([...(order.facts.shortTransferIds ?? []), transfer.id])];
  await changeOrder(ctx, tx, order, {
    event: 'attention-needed',
    set: { attention },
    facts: { shortTransferIds },
  });
}

/** What a transfer cost, once it is known. */
export async function bookGas(
  ctx: Ctx,
  tx: Tx,
  order: OrderRecord,
  transfer: TreasuryTransfer,
): Promise<void> {
  if (transfer.costMinor === undefined || transfer.costMinor === 0n) return;
  const { chain } = transfer;
  const { native } = ctx.chains.familyOfChain(chain).requireNetwork(chain);
  await registerAsset(tx, {
    asset: `${chain}:native`,
    decimals: native.decimals,
    symbol: native.symbol,
  });
  const at = transfer.finalAt ?? transfer.settledAt ?? transfer.createdAt;
  await postEntries(
    ctx,
    tx,
    gasEntry(order, { transferId: transfer.id, chain, costMinor: transfer.costMinor, at }),
  );
}
