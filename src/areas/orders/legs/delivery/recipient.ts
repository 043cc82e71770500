import type { ChainFamily } from '../../../../chains/family.ts';
import type { Ctx, RequestCtx } from '../../../../context.ts';
import { ServiceError } from '../../../../lib/errors.ts';
import { parseUserLocator } from '../../../../lib/locator/locator.ts';
import { screenAddresses } from '../../../../providers/screening/index.ts';
import {
  insertWallets,
  mistakenFamily,
  planUserWallet,
  selectWalletsAt,
} from '../../../wallets/index.ts';
import { lacksPhysicalAddress } from '../../api/shipping.ts';
import { serviceCaller } from '../../identity/person.ts';
import type { Assessment, Opening, OpeningInput } from '../../kinds/lifecycle.ts';
import type { OrderRecord, OrderTerms } from '../../state/types.ts';
import { deliveredAsset } from './delivery.ts';

/** Who receives what a checkout delivers: any address, or somebody who is known by e-mail. */

/** What the recipient of an order still lacks. */
export async function lackingRecipient(
  ctx: RequestCtx,
  {
    projectId,
    request,
    terms,
  }: Pick<OpeningInput, 'projectId' | 'request'> & { readonly terms: OrderTerms },
): Promise<Opening | undefined> {
  const { recipient } = request;
  if (recipient.walletAddress === undefined && recipient.email === undefined)
    return { event: 'created-incomplete', quote: 'requires-recipient', set: {} };
  if (await lacksPhysicalAddress(ctx, { projectId, request, terms }))
    return { event: 'created-incomplete', quote: 'requires-physical-address', set: {} };
  return undefined;
}

/** @throws validation-error, sanctioned-address, provider-unavailable */
export async function openRecipient(
  ctx: RequestCtx,
  {
    orderId,
    projectId,
    request,
    terms,
  }: Pick<OpeningInput, 'orderId' | 'projectId' | 'request'> & { readonly terms: OrderTerms },
): Promise<Opening['set']> {
  const { walletAddress, email } = request.recipient;
  if (email !== undefined) return { userLocator: `email:${email}` };
  const { chain } = deliveredAsset({ terms });
  const recipientKey = await readRecipientKey(ctx, {
    address: walletAddress!,
    family: ctx.chains.familyOfChain(chain),
  });
  await refuseBlocked(ctx, { orderId, projectId, chain, address: recipientKey });
  return { recipientKey };
}

/** @throws sanctioned-address, provider-unavailable */
export async function refuseBlocked(
  ctx: Ctx,
  input: {
    readonly orderId: string;
    readonly projectId: string;
    readonly chain: string;
    readonly address: string;
  },
): Promise<void> {
  const { orderId, projectId, chain, address } = input;
  const { status } = await screenAddresses(ctx, {
    projectId,
    subject: `order:${orderId}`,
    chain,
    addresses: [address],
  });
  if (status === 'blocked') throw new ServiceError('sanctioned-address');
}

async function readRecipientKey(
  ctx: RequestCtx,
  { address, family }: { readonly address: string; readonly family: ChainFamily },
): Promise<string> {
  await checkReceives(ctx, { address, family });
  const key = family.canonicalAddress(address);
  const wallets = await selectWalletsAt(ctx.store, family.chainType, [key]);
  if (wallets.some(({ purpose }) => purpose === 'treasury'))
    throw new ServiceError('validation-error', {
      message: 'body.recipient.walletAddress: is a treasury. Name a wallet of a user.',
    });
  return key;
}

/** @throws validation-error for an address to which tokens would be lost */
export async function checkReceives(
  ctx: RequestCtx,
  { address, family }: { readonly address: string; readonly family: ChainFamily },
): Promise<void> {
  const problem =
    family.checkAddress(address) ??
    (family.isRecipient(address)
      ? await mistakenFamily(ctx, { projectId: ctx.caller.projectId, family, address })
      : 'cannot receive tokens.');
  if (problem !== undefined)
    throw new ServiceError('validation-error', {
      message: `body.recipient.walletAddress: ${problem}`,
    });
}

/** Somebody known by e-mail receives in a wallet of this service, made when there is none. */
export async function ensureRecipient(
  ctx: Ctx,
  order: OrderRecord,
): Promise<Pick<Assessment, 'facts' | 'set'>> {
  const { email } = order.request.recipient;
  if (email === undefined) return {};
  const { chain } = deliveredAsset(order);
  const family = ctx.chains.familyOfChain(chain);
  const caller = serviceCaller(ctx, order.projectId);
  const asked = { chainType: family.chainType, user: parseUserLocator(`email:${email}`) };
  const planned = await planUserWallet({ ...ctx, caller, requestId: order.id }, asked);
  if (planned.toStore) await insertWallets(ctx.store, [planned.toStore]);
  // Whoever made one at the same time was first.
  const { address } = planned.toStore
    ? await planUserWallet({ ...ctx, caller, requestId: order.id }, asked)
    : planned;
  return {
    set: { recipientKey: family.canonicalAddress(address) },
    facts: { recipientAddress: address },
  };
}
