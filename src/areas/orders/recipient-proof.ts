import type { Ctx } from '../../context.ts';
import { parseTokenLocator } from '../../lib/locator.ts';
import { findWalletOwner, getLinkedWallet, isProofNeeded } from '../linked-wallets/index.ts';
import { openUser, selectUserById, userLocatorOf } from '../users/index.ts';
import { serviceCaller } from './service-caller.ts';
import type { OrderRecord } from './types.ts';
import { selectVolumeUsd } from './volume.ts';

const proofWindowMs = 30 * 24 * 60 * 60_000;

/**
 * The text that the owner of the recipient wallet has to sign before an order goes on; undefined when no proof is needed: a wallet
 * of this service, one that was proved, or an order below the threshold.
 */
export async function readRecipientProof(
  ctx: Ctx,
  { order, userId, amountUsd }: { readonly order: OrderRecord; readonly userId: string; readonly amountUsd: string },
): Promise<{ readonly message: string } | undefined> {
  const address = order.request.recipient.walletAddress;
  if (address === undefined || !(await isUnproved(ctx, order))) return undefined;
  const since = new Date(ctx.clock.now().getTime() - proofWindowMs);
  const volumeUsd = await selectVolumeUsd(ctx.store, { projectId: order.projectId, userId, order, amountUsd, since });
  if (!isProofNeeded(ctx, { amountUsd, volumeUsd })) return undefined;
  const row = await selectUserById(ctx.store, userId);
  if (!row) return undefined;
  const { verificationChallenge } = await getLinkedWallet(
    { ...ctx, caller: serviceCaller(ctx, order.projectId), requestId: order.id },
    { locator: userLocatorOf(openUser(ctx, row)), address },
  );
  return verificationChallenge === undefined ? undefined : { message: verificationChallenge };
}

/** True while the recipient is a linked wallet whose owner has signed nothing. */
export async function isUnproved(ctx: Ctx, order: OrderRecord): Promise<boolean> {
  const { recipient, lineItem } = order.request;
  if (recipient.walletAddress === undefined || lineItem.tokenLocator === undefined) return false;
  const { chain } = parseTokenLocator(lineItem.tokenLocator);
  const owner = await findWalletOwner(ctx, { projectId: order.projectId, address: recipient.walletAddress, chain });
  return owner !== undefined && !owner.verified;
}
