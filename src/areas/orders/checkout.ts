import type { Ctx, RequestCtx } from '../../context.ts';
import { ServiceError } from '../../lib/errors.ts';
import { parseUserLocator } from '../../lib/locator.ts';
import { screenAddresses } from '../../providers/screening/index.ts';
import { insertWallets, planUserWallet, selectWalletsAt } from '../wallets/index.ts';
import { deliveredAsset } from './delivery.ts';
import { prepareDeposit, readPaidToken } from './deposit-leg-preparation.ts';
import type { Assessment, Lifecycle, Opening, OpeningInput } from './lifecycle.ts';
import { serviceCaller } from './service-caller.ts';
import { lacksPhysicalAddress } from './shipping.ts';
import type { OrderRecord } from './types.ts';

/** What is particular to orders that are paid by a deposit and deliver tokens, until somebody may pay. */
export const checkoutLifecycle: Lifecycle = {
  // It may make a wallet for somebody who is known by e-mail only.
  assessHasEffects: true,
  open: openCheckout,
  assess: assessCheckout,
};

/** @throws validation-error, chain-not-supported, sanctioned-address, provider-unavailable */
async function openCheckout(ctx: RequestCtx, { orderId, projectId, request, terms }: OpeningInput): Promise<Opening> {
  const { recipient, payment } = request;
  if (!terms) return { event: 'created-incomplete', quote: 'all-line-items-unavailable', set: {} };
  if (recipient.walletAddress === undefined && recipient.email === undefined)
    return { event: 'created-incomplete', quote: 'requires-recipient', set: {} };
  if (await lacksPhysicalAddress(ctx, { projectId, request, terms }))
    return { event: 'created-incomplete', quote: 'requires-physical-address', set: {} };
  const delivery = deliveredAsset({ terms });
  const recipientKey =
    recipient.walletAddress === undefined ? undefined : await readRecipientKey(ctx, recipient.walletAddress, delivery.chain);
  const payerFamily = ctx.chains.familyOfChain(payment.method);
  const payerKey = payment.payerAddress === undefined ? undefined : payerFamily.canonicalAddress(payment.payerAddress);
  const subject = `order:${orderId}`;
  for (const [chain, address] of [
    [delivery.chain, recipientKey],
    [payment.method, payerKey],
  ] as const)
    if (address !== undefined && (await screenAddresses(ctx, { projectId, subject, chain, addresses: [address] })).status === 'blocked')
      throw new ServiceError('sanctioned-address');
  const userLocator = recipient.email === undefined ? undefined : `email:${recipient.email}`;
  return {
    event: 'created',
    set: {
      memo: payerFamily.newMemo(),
      ...(recipientKey !== undefined && { recipientKey }),
      ...(payerKey !== undefined && { payerKey }),
      ...(userLocator !== undefined && { userLocator }),
    },
  };
}

async function readRecipientKey(ctx: RequestCtx, address: string, chain: string): Promise<string> {
  const family = ctx.chains.familyOfChain(chain);
  const problem = family.checkAddress(address) ?? (family.isRecipient(address) ? undefined : 'cannot receive tokens.');
  if (problem !== undefined) throw new ServiceError('validation-error', { message: `body.recipient.walletAddress: ${problem}` });
  const key = family.canonicalAddress(address);
  const wallets = await selectWalletsAt(ctx.store, family.chainType, [key]);
  if (wallets.some(({ purpose }) => purpose === 'treasury'))
    throw new ServiceError('validation-error', { message: 'body.recipient.walletAddress: is a treasury. Name a wallet of a user.' });
  return key;
}

/** The first thing that an order lacks, or how to pay it. */
async function assessCheckout(ctx: Ctx, order: OrderRecord): Promise<Assessment> {
  const recipient = await ensureRecipient(ctx, order);
  const payerAddress = order.request.payment.payerAddress;
  if (payerAddress === undefined) return { event: 'payer-needed', ...recipient };
  const state = await readPayerState(ctx, order);
  if (state !== 'ok') return { event: state === 'insufficient-funds' ? 'payer-short' : 'payer-short-of-gas', ...recipient };
  const deposit = await prepareDeposit(ctx, order, { terms: order.terms!, payerAddress });
  return { event: 'checks-passed', ...recipient, facts: { ...recipient.facts, ...deposit } };
}

/** Somebody known by e-mail receives in a wallet of this service, made when there is none. */
async function ensureRecipient(ctx: Ctx, order: OrderRecord): Promise<Pick<Assessment, 'facts' | 'set'>> {
  const { email } = order.request.recipient;
  if (email === undefined) return {};
  const { chain } = deliveredAsset(order);
  const family = ctx.chains.familyOfChain(chain);
  const caller = serviceCaller(ctx, order.projectId);
  const asked = { chainType: family.chainType, user: parseUserLocator(`email:${email}`) };
  const planned = await planUserWallet({ ...ctx, caller, requestId: order.id }, asked);
  if (planned.toStore) await insertWallets(ctx.store, [planned.toStore]);
  // Whoever made one at the same time was first.
  const { address } = planned.toStore ? await planUserWallet({ ...ctx, caller, requestId: order.id }, asked) : planned;
  return { set: { recipientKey: family.canonicalAddress(address) }, facts: { recipientAddress: address } };
}

/** Whether the payer could pay now; wallets of this service need nothing for the fees of a network. */
export async function readPayerState(ctx: Ctx, order: OrderRecord) {
  const { method: chain, payerAddress } = order.request.payment;
  const family = ctx.chains.familyOfChain(chain);
  const token = await readPaidToken(ctx, order, order.terms!);
  const own = await selectWalletsAt(ctx.store, family.chainType, [family.canonicalAddress(payerAddress!)]);
  const { amountMinor } = order.terms!.pay;
  return family.payerState({ chain, token, amountMinor, payerAddress: payerAddress!, sponsored: own.length > 0 });
}
