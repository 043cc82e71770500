import type { Ctx } from '../../../context.ts';
import { parseTokenLocator } from '../../../lib/locator/locator.ts';
import { findWalletOwner, getLinkedWallet, isProofNeeded } from '../../linked-wallets/index.ts';
import { openUser, selectUserById, userLocatorOf } from '../../users/index.ts';
import { selectWalletsAt } from '../../wallets/index.ts';
import { orderEffect, waitForPayer } from '../kinds/steps.ts';
import { selectVolumeUsd } from '../limits/volume.ts';
import { changeOrder, noteOrder } from '../state/change-order.ts';
import type { OrderRecord } from '../state/types.ts';
import { serviceCaller } from './person.ts';

const proofWindowMs = 30 * 24 * 60 * 60_000;

/**
 * What is missing: the text that the owner of the recipient wallet has to sign. None when the
 * wallet is linked to somebody else now.
 */
export interface MissingProof {
  readonly message?: string;
}

/**
 * Undefined when an order may go on without (another) proof: its recipient is a wallet of this
 * service or was proved by its user, or the order is below the threshold.
 */
export async function readRecipientProof(
  ctx: Ctx,
  {
    order,
    userId,
    amountUsd,
  }: { readonly order: OrderRecord; readonly userId: string; readonly amountUsd: string },
): Promise<MissingProof | undefined> {
  const owned = { ...order, userId };
  if (await isOwned(ctx, owned)) return undefined;
  const since = new Date(ctx.clock.now().getTime() - proofWindowMs);
  const volumeUsd = await selectVolumeUsd(ctx.store, {
    projectId: order.projectId,
    userId,
    order,
    amountUsd,
    since,
  });
  return isProofNeeded(ctx, { amountUsd, volumeUsd }) ? readMissing(ctx, owned) : undefined;
}

/**
 * True when the recipient is known to be the wallet of the order's user. A proof by somebody else
 * proves the contrary.
 */
async function isOwned(ctx: Ctx, order: OrderRecord): Promise<boolean> {
  const { recipient, lineItem } = order.request;
  if (
    recipient.walletAddress === undefined ||
    lineItem.tokenLocator === undefined ||
    order.recipientKey === undefined
  )
    return true;
  const { chain } = parseTokenLocator(lineItem.tokenLocator);
  const { chainType } = ctx.chains.familyOfChain(chain);
  // Whoever links a wallet of this service changes nothing about whose it is.
  const wallets = await selectWalletsAt(ctx.store, chainType, [order.recipientKey]);
  if (wallets.some(({ projectId }) => projectId === order.projectId)) return true;
  const owner = await findWalletOwner(ctx, {
    projectId: order.projectId,
    address: recipient.walletAddress,
    chain,
  });
  return owner?.verified === true && owner.userId === (await readPersonId(ctx, order));
}

async function readMissing(ctx: Ctx, order: OrderRecord): Promise<MissingProof> {
  const { walletAddress: address } = order.request.recipient;
  const { chain } = parseTokenLocator(order.request.lineItem.tokenLocator!);
  const owner = await findWalletOwner(ctx, {
    projectId: order.projectId,
    address: address!,
    chain,
  });
  const row = await selectUserById(ctx.store, order.userId!);
  if (!row || owner?.userId !== row.personId) return {};
  const { verificationChallenge } = await getLinkedWallet(
    { ...ctx, caller: serviceCaller(ctx, order.projectId), requestId: order.id },
    { locator: userLocatorOf(openUser(ctx, row)), address: address! },
  );
  return verificationChallenge === undefined ? {} : { message: verificationChallenge };
}

async function readPersonId(ctx: Ctx, order: OrderRecord): Promise<string | undefined> {
  return order.userId === undefined
    ? undefined
    : (await selectUserById(ctx.store, order.userId))?.personId;
}

/**
 * Waits for the proof. A text that can hardly be signed in time any more gives way to another one.
 */
export const followProof = orderEffect<MissingProof | undefined>({
  turn: 'proof',
  perform: async (ctx, order) =>
    (await isOwned(ctx, order)) ? undefined : readMissing(ctx, order),
  async record(ctx, tx, order, missing) {
    if (!missing) {
      await changeOrder(ctx, tx, order, {
        event: 'proof-valid',
        facts: { preparation: undefined },
      });
      return { goto: 'assess' };
    }
    const isNews = order.facts.preparation?.message !== missing.message;
    const noted = isNews
      ? await noteOrder(ctx, tx, order, {
          event: 'proof-text',
          facts: { preparation: preparationOf(missing) },
        })
      : order;
    return waitForPayer(ctx, tx, noted);
  },
});

/** `payment.preparation` of an order that waits for a proof. */
export function preparationOf({ message }: MissingProof): { readonly message: string } | undefined {
  return message === undefined ? undefined : { message };
}
