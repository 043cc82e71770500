import { requireExtra } from '../../../../chains/family.ts';
import type { Ctx, RequestCtx } from '../../../../context.ts';
import { selectWalletsAt } from '../../../wallets/index.ts';
import {
  ensureRecipient,
  lackingRecipient,
  openRecipient,
  refuseBlocked,
} from '../../legs/delivery/recipient.ts';
import { prepareDeposit, readPaidToken } from '../../legs/deposit/preparation.ts';
import { isFree } from '../../state/items.ts';
import type { OrderRecord } from '../../state/types.ts';
import type { Assessment, Lifecycle, Opening, OpeningInput } from '../lifecycle.ts';

/**
 * What is particular to orders that are paid by a deposit, or free, and deliver tokens, until
 * somebody may pay.
 */
export const checkoutLifecycle: Lifecycle = {
  // It may make a wallet for somebody who is known by e-mail only.
  assessHasEffects: true,
  open: openCheckout,
  assess: assessCheckout,
};

/** @throws validation-error, chain-not-supported, sanctioned-address, provider-unavailable */
async function openCheckout(ctx: RequestCtx, input: OpeningInput): Promise<Opening> {
  const { terms } = input;
  if (!terms) return { event: 'created-incomplete', quote: 'all-line-items-unavailable', set: {} };
  const lacking = await lackingRecipient(ctx, { ...input, terms });
  if (lacking) return lacking;
  const recipient = await openRecipient(ctx, { ...input, terms });
  return {
    event: 'created',
    set: { ...recipient, ...(!isFree(terms) && (await openPayer(ctx, input))) },
  };
}

async function openPayer(
  ctx: RequestCtx,
  { orderId, projectId, request }: OpeningInput,
): Promise<Opening['set']> {
  const { method: chain, payerAddress } = request.payment;
  const family = ctx.chains.familyOfChain(chain);
  const memo = requireExtra(family, 'deposits').newMemo();
  if (payerAddress === undefined) return { memo };
  const payerKey = family.canonicalAddress(payerAddress);
  await refuseBlocked(ctx, { orderId, projectId, chain, address: payerKey });
  return { memo, payerKey };
}

/** The first thing that an order lacks, or how to pay it. */
async function assessCheckout(ctx: Ctx, order: OrderRecord): Promise<Assessment> {
  const recipient = await ensureRecipient(ctx, order);
  const { pay } = order.terms!;
  if (isFree(order.terms!)) {
    const totalPaid = { currency: pay.currency, decimals: pay.decimals, amountMinor: '0' };
    return {
      event: 'nothing-to-pay',
      set: { ...recipient.set, paidCurrency: pay.currency },
      facts: { ...recipient.facts, totalPaid },
    };
  }
  const payerAddress = order.request.payment.payerAddress;
  if (payerAddress === undefined) return { event: 'payer-needed', ...recipient };
  const state = await readPayerState(ctx, order);
  if (state !== 'ok')
    return {
      event: state === 'insufficient-funds' ? 'payer-short' : 'payer-short-of-gas',
      ...recipient,
    };
  const deposit = await prepareDeposit(ctx, order, { terms: order.terms!, payerAddress });
  return { event: 'checks-passed', ...recipient, facts: { ...recipient.facts, ...deposit } };
}

/**
 * Whether the payer could pay now; wallets of this service need nothing for the fees of a network.
 */
export async function readPayerState(ctx: Ctx, order: OrderRecord) {
  const { method: chain, payerAddress } = order.request.payment;
  const family = ctx.chains.familyOfChain(chain);
  const token = await readPaidToken(ctx, order, order.terms!);
  const own = await selectWalletsAt(ctx.store, family.chainType, [
    family.canonicalAddress(payerAddress!),
  ]);
  const { amountMinor } = order.terms!.pay;
  return requireExtra(family, 'deposits').payerState({
    chain,
    token,
    amountMinor,
    payerAddress: payerAddress!,
    sponsored: own.length > 0,
  });
}
