import type { RequestCtx } from '../../../../context.ts';
import { ServiceError } from '../../../../lib/errors.ts';
import { parseUserLocator } from '../../../../lib/locator/locator.ts';
import { locatorKeyOf } from '../../../../lib/locator/locator-key.ts';
import { screenAddresses } from '../../../../providers/screening/index.ts';
import { findWalletOwner } from '../../../linked-wallets/index.ts';
import { findUser } from '../../../users/index.ts';
import { selectWalletsAt } from '../../../wallets/index.ts';
import { serviceCaller } from '../../identity/person.ts';

export interface OfframpPayer {
  /** Canonical. */
  readonly payerKey: string;
  /** Id of the person, where one is known. */
  readonly userId?: string;
}

/**
 * The wallet that an offramp is paid from: of the same person as the payout method, as a wallet of
 * the project or a linked one.
 * @throws ExternalWalletNotLinkedToUserError, payer-wallet-mismatch, sanctioned-address,
 * provider-unavailable
 */
export async function requirePayer(
  ctx: RequestCtx,
  input: {
    readonly orderId: string;
    readonly chain: string;
    readonly payerAddress: string;
    readonly ownerLocator: string;
  },
): Promise<OfframpPayer> {
  const { orderId, chain, payerAddress, ownerLocator } = input;
  const { projectId } = ctx.caller;
  const family = ctx.chains.familyOfChain(chain);
  const payerKey = family.canonicalAddress(payerAddress);
  const userId = await findPerson(ctx, ownerLocator);
  const wallet = (await selectWalletsAt(ctx.store, family.chainType, [payerKey])).find(
    (one) => one.projectId === projectId,
  );
  if (wallet)
    await requireSameOwner(ctx, {
      ownerLocator,
      userId,
      walletOwner: wallet.purpose === undefined ? wallet.owner : undefined,
    });
  else await requireLinked(ctx, { chain, payerAddress, userId });
  const { status } = await screenAddresses(ctx, {
    projectId,
    subject: `order:${orderId}`,
    chain,
    addresses: [payerKey],
  });
  if (status === 'blocked')
    throw new ServiceError('sanctioned-address', { message: 'The payer wallet is blocked.' });
  return { payerKey, ...(userId !== undefined && { userId }) };
}

/** Persons, not locators, are compared: one may be known by an e-mail and by an id. */
async function requireSameOwner(
  ctx: RequestCtx,
  input: {
    readonly ownerLocator: string;
    readonly userId: string | undefined;
    readonly walletOwner: string | undefined;
  },
): Promise<void> {
  const { ownerLocator, userId, walletOwner } = input;
  if (walletOwner === undefined || !walletOwner.includes(':')) throw notLinked();
  if (locatorKeyOf(parseUserLocator(walletOwner)) === locatorKeyOf(parseUserLocator(ownerLocator)))
    return;
  const person = await findPerson(ctx, walletOwner);
  if (person === undefined || person !== userId) throw new ServiceError('payer-wallet-mismatch');
}

async function requireLinked(
  ctx: RequestCtx,
  input: {
    readonly chain: string;
    readonly payerAddress: string;
    readonly userId: string | undefined;
  },
): Promise<void> {
  const { chain, payerAddress: address, userId } = input;
  const linked = await findWalletOwner(ctx, { projectId: ctx.caller.projectId, address, chain });
  if (!linked) throw notLinked();
  if (linked.userId !== userId) throw new ServiceError('payer-wallet-mismatch');
}

function notLinked(): ServiceError {
  return new ServiceError('ExternalWalletNotLinkedToUserError', {
    message:
      'The payer wallet is not linked to the user of the payment method: link it first (PUT …/linked-wallets/<address>).',
  });
}

async function findPerson(ctx: RequestCtx, locator: string): Promise<string | undefined> {
  try {
    return (await findUser({ ...ctx, caller: serviceCaller(ctx, ctx.caller.projectId) }, locator))
      .id;
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'user-not-found') return undefined;
    throw error;
  }
}
