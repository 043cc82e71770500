import type { ChainFamily } from '../../../../chains/family.ts';
import type { RequestCtx } from '../../../../context.ts';
import { ServiceError } from '../../../../lib/errors.ts';
import { parseTokenLocator } from '../../../../lib/locator/locator.ts';
import { screenAddresses } from '../../../../providers/screening/index.ts';
import { findWalletOwner } from '../../../linked-wallets/index.ts';
import { findUser, openUser, selectUserById, userLocatorOf } from '../../../users/index.ts';
import { findWallet } from '../../../wallets/index.ts';
import { serviceCaller } from '../../identity/person.ts';
import { checkReceives } from '../../legs/delivery/recipient.ts';
import type { OrderRecord } from '../../state/types.ts';
import type { OpeningInput } from '../lifecycle.ts';

/** Who receives the tokens of an order. */
export interface TokenRecipient {
  /** Canonical. */
  readonly recipientKey: string;
  readonly userId?: string;
  readonly userLocator?: string;
}

/**
 * The wallet that tokens go to: one of the project, or one that is linked to a user.
 * @throws validation-error, chain-not-supported, ExternalWalletNotLinkedToUserError,
 * sanctioned-address, provider-unavailable
 */
export async function readTokenRecipient(
  ctx: RequestCtx,
  {
    orderId,
    projectId,
    request,
    walletAddress: address,
  }: OpeningInput & { readonly walletAddress: string },
): Promise<TokenRecipient> {
  const { chain } = parseTokenLocator(request.lineItem.tokenLocator!);
  const family = ctx.chains.familyOfChain(chain);
  family.requireNetwork(chain);
  await checkReceives(ctx, { address, family });
  const recipientKey = family.canonicalAddress(address);
  const owner = await findRecipientOwner(ctx, { projectId, address, chain, family });
  const screened = await screenAddresses(ctx, {
    projectId,
    subject: `order:${orderId}`,
    chain,
    addresses: [recipientKey],
  });
  if (screened.status === 'blocked') throw new ServiceError('sanctioned-address');
  return { recipientKey, ...owner };
}

type RecipientOwner = Pick<TokenRecipient, 'userId' | 'userLocator'>;

async function findRecipientOwner(
  ctx: RequestCtx,
  input: {
    readonly projectId: string;
    readonly address: string;
    readonly chain: string;
    readonly family: ChainFamily;
  },
): Promise<RecipientOwner> {
  const own = await findOwnWallet(ctx, input.address);
  if (own?.purpose === 'treasury')
    throw new ServiceError('validation-error', {
      message:
        'body.recipient.walletAddress: is the treasury of the project. Name a wallet of a user.',
    });
  if (own)
    return userOf(
      ctx,
      own.owner !== undefined && own.owner !== 'COMPANY' ? own.owner : callerLocator(ctx),
    );
  const linked = await findWalletOwner(ctx, input);
  const row = linked && (await selectUserById(ctx.store, linked.userId));
  if (!linked || !row || (ctx.caller.user && !(await isCaller(ctx, linked.userId))))
    throw new ServiceError('ExternalWalletNotLinkedToUserError', {
      message:
        'The recipient is neither a wallet of this project nor linked to a user: link it with PUT …/users/{userLocator}/linked-wallets/{address}.',
    });
  return { userId: linked.userId, userLocator: userLocatorOf(openUser(ctx, row)) };
}

async function findOwnWallet(ctx: RequestCtx, address: string) {
  // A client key without a user may name any wallet of its project: it pays for it.
  const caller = ctx.caller.user ? ctx.caller : serviceCaller(ctx, ctx.caller.projectId);
  try {
    return await findWallet({ ...ctx, caller }, address);
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'wallet-not-found') return undefined;
    throw error;
  }
}

/** A user who is not known yet is made when the order is assessed. */
async function userOf(ctx: RequestCtx, userLocator: string | undefined): Promise<RecipientOwner> {
  if (userLocator === undefined) return {};
  try {
    const user = await findUser(
      { ...ctx, caller: serviceCaller(ctx, ctx.caller.projectId) },
      userLocator,
    );
    return { userId: user.id, userLocator };
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'user-not-found') return { userLocator };
    throw error;
  }
}

function callerLocator({ caller }: RequestCtx): string | undefined {
  return caller.user && `${caller.user.kind}:${caller.user.value}`;
}

async function isCaller(ctx: RequestCtx, userId: string): Promise<boolean> {
  const locator = callerLocator(ctx);
  if (locator === undefined) return false;
  return (await userOf(ctx, locator)).userId === userId;
}

/** By whom an order's user is named in calls to other areas. */
export function payerLocator(
  order: Pick<OrderRecord, 'userLocator' | 'request'>,
): string | undefined {
  const { receiptEmail } = order.request.payment;
  return order.userLocator ?? (receiptEmail === undefined ? undefined : `email:${receiptEmail}`);
}
