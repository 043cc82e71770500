import type { RequestCtx } from '../../context.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { Tx } from '../../store/types.ts';
import { claimAllowance, loadHasher, type User } from '../users/index.ts';
import { canonicalWalletAddress, type LinkableChain } from './chains.ts';
import { ensureChallenge } from './open-challenge.ts';
import { countLinkedWallets, type LinkedWalletRow } from './store.ts';

export const linkedWalletsPerUserMax = 100;
const linksPerUserAndDayMax = 200;

/** A wallet of a user that this service does not hold. */
export interface LinkedWallet {
  readonly address: string;
  readonly chain: string;
  /** Present while nobody has proved that it is theirs. */
  readonly verificationChallenge?: string;
}

/** A link under way: everything about the wallet but the user. */
export interface WalletToLink {
  readonly address: string;
  readonly chain: LinkableChain;
  readonly walletHash: Buffer;
}

/** Counts one more link of a user. @throws rate-limited */
export function claimLinkAllowance(ctx: RequestCtx, userId: string): Promise<void> {
  return claimAllowance(ctx, {
    projectId: ctx.caller.projectId,
    userId,
    kind: 'wallet-link',
    perDayMax: linksPerUserAndDayMax,
  });
}

/** The hash under which a wallet of a project is kept. */
export async function hashWallet(
  ctx: Pick<RequestCtx, 'config' | 'store' | 'clock' | 'ids'>,
  projectId: string,
  address: string,
): Promise<Buffer> {
  return (await loadHasher(ctx, projectId))('wallet', canonicalWalletAddress(address));
}

/** A claim that another user is in the way of. */
export interface TakenWallet {
  readonly takenBy: 'claim' | 'proof';
  /** What the caller may sign to get it, where the other user has not proved it. */
  readonly verificationChallenge?: string;
}

export function refuseTaken(taken: TakenWallet): ServiceError {
  const { verificationChallenge } = taken;
  if (verificationChallenge === undefined) return new ServiceError('wallet-linked-to-other-user');
  return new ServiceError('wallet-linked-to-other-user', {
    message:
      'The wallet is linked to another user, who has not proved that it is theirs. If it is this user’s, have `verificationChallenge` signed by the wallet and send the call again with `proof`.',
    details: { verificationChallenge },
  });
}

/** What the tables say once the wallet is somebody else's. */
export async function takenWallet(
  ctx: RequestCtx,
  tx: Tx,
  input: { readonly user: User; readonly wallet: WalletToLink; readonly row: LinkedWalletRow },
): Promise<TakenWallet> {
  if (input.row.verifiedAt) return { takenBy: 'proof' };
  return {
    takenBy: 'claim',
    verificationChallenge: await ensureChallenge(ctx, tx, { user: input.user, ...input.wallet }),
  };
}

/** @throws validation-error when the user has as many wallets as one may have */
export async function checkWalletCount(tx: Tx, user: User): Promise<void> {
  if ((await countLinkedWallets(tx, user.id)) < linkedWalletsPerUserMax) return;
  throw new ServiceError('validation-error', {
    message: `A user has at most ${linkedWalletsPerUserMax} linked wallets.`,
  });
}
