import type { RequestCtx } from '../../context.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { Tx } from '../../store/types.ts';
import { changeUser, claimAllowance, findUser, LostRace, type User } from '../users/index.ts';
import { checkWalletAddress, requireLinkableChain } from './chains.ts';
import {
  checkWalletCount,
  claimLinkAllowance,
  hashWallet,
  type LinkedWallet,
  refuseTaken,
  type TakenWallet,
  takenWallet,
  type WalletToLink,
} from './link.ts';
import { ensureChallenge } from './open-challenge.ts';
import { proveWallet } from './prove.ts';
import { openWallet, sealWallet } from './sealed.ts';
import {
  deleteClaim,
  insertLinkedWallet,
  type LinkedWalletRow,
  selectLinkedWallet,
  selectLinkedWallets,
  touchChainProof,
  updateLinkedWallet,
} from './store.ts';

export interface LinkWalletInput {
  readonly locator: string;
  readonly address: string;
  readonly chain: string;
  readonly proof?: string | undefined;
}

/**
 * Links a wallet to a user, who is created when unknown; with a proof the link is verified. A claim
 * without proof gives way to one with proof.
 * @throws invalid-locator, not-authorized, chain-not-supported, validation-error,
 *   wallet-linked-to-other-user (with a challenge in `verificationChallenge` while the other user
 *   has not proved it), invalid-proof, rate-limited, user-not-found (client keys)
 */
export async function linkWallet(ctx: RequestCtx, input: LinkWalletInput): Promise<LinkedWallet> {
  const chain = requireLinkableChain(ctx, input.chain);
  checkWalletAddress(input.address, chain);
  const wallet: WalletToLink = {
    address: input.address,
    chain,
    walletHash: await hashWallet(ctx, ctx.caller.projectId, input.address),
  };
  await claimAllowance(ctx, {
    projectId: ctx.caller.projectId,
    kind: 'wallet-link',
    perDayMax: ctx.config.identity.limits.walletLinksPerDayMax,
  });
  const { proof } = input;
  if (proof !== undefined) return proveWallet(ctx, { locator: input.locator, wallet, proof });

  const { userId } = await changeUser(
    ctx,
    { locator: input.locator, create: true },
    async (_, user) => ({ userId: user.id }),
  );
  await claimLinkAllowance(ctx, userId);
  const claimed = await changeUser(ctx, { locator: input.locator, create: true }, (tx, user) =>
    claimWallet(ctx, tx, { user, wallet }),
  );
  if ('takenBy' in claimed) throw refuseTaken(claimed);
  return claimed;
}

/**
 * A wallet linked to a user.
 * @throws invalid-locator, not-authorized, user-not-found, linked-wallet-not-found
 */
export async function getLinkedWallet(
  ctx: RequestCtx,
  input: { readonly locator: string; readonly address: string },
): Promise<LinkedWallet> {
  const user = await findUser(ctx, input.locator);
  const key = {
    projectId: user.projectId,
    walletHash: await hashWallet(ctx, user.projectId, input.address),
  };
  const row = (await selectLinkedWallets(ctx.store, key)).find(
    ({ personId }) => personId === user.id,
  );
  if (!row) throw new ServiceError('linked-wallet-not-found');
  const secret = openWallet(ctx, row);
  if (row.verifiedAt) return { address: secret.address, chain: secret.chain };
  const chain = requireLinkableChain(ctx, secret.chain);
  return changeUser(ctx, { locator: input.locator, create: false }, async (tx, locked) => ({
    address: secret.address,
    chain: secret.chain,
    verificationChallenge: await ensureChallenge(ctx, tx, {
      user: locked,
      walletHash: key.walletHash,
      address: secret.address,
      chain,
    }),
  }));
}

async function claimWallet(
  ctx: RequestCtx,
  tx: Tx,
  input: { readonly user: User; readonly wallet: WalletToLink },
): Promise<LinkedWallet | TakenWallet> {
  const { user, wallet } = input;
  const key = { projectId: user.projectId, walletHash: wallet.walletHash };
  const row = await selectLinkedWallet(tx, { ...key, chain: wallet.chain.name });
  if (row && row.personId !== user.id) return takenWallet(ctx, tx, { user, wallet, row });
  if (row?.chainScope) return returnToProof(ctx, tx, row);
  if (row) return refreshWallet(ctx, tx, { user, wallet, row });
  await checkWalletCount(tx, user);
  const place = { ...key, userId: user.id, version: 1 };
  const sealedWallet = sealWallet(user, place, {
    address: wallet.address,
    chain: wallet.chain.name,
  });
  if (!(await insertLinkedWallet(tx, { ...place, sealedWallet, now: ctx.clock.now() })))
    throw new LostRace();
  return toUnverified(ctx, tx, user, wallet);
}

/**
 * The same user, back on a chain that the contract was proved on: a claim to it on another chain is
 * over.
 */
async function returnToProof(ctx: RequestCtx, tx: Tx, row: LinkedWalletRow): Promise<LinkedWallet> {
  await touchChainProof(tx, { ...row, now: ctx.clock.now() });
  const general = (await selectLinkedWallets(tx, row)).find(({ chainScope }) => chainScope === '');
  if (
    general &&
    !general.verifiedAt &&
    general.personId === row.personId &&
    !(await deleteClaim(tx, general))
  )
    throw new LostRace();
  const { address, chain } = openWallet(ctx, row);
  return { address, chain };
}

/** The same user again: only the chain may be another one now. */
async function refreshWallet(
  ctx: RequestCtx,
  tx: Tx,
  {
    user,
    wallet,
    row,
  }: { readonly user: User; readonly wallet: WalletToLink; readonly row: LinkedWalletRow },
): Promise<LinkedWallet> {
  const secret = openWallet(ctx, row);
  if (secret.chain !== wallet.chain.name) {
    const place = {
      projectId: row.projectId,
      walletHash: row.walletHash,
      userId: user.id,
      version: row.version + 1,
    };
    const sealedWallet = sealWallet(user, place, { ...secret, chain: wallet.chain.name });
    if (
      !(await updateLinkedWallet(tx, {
        ...place,
        sealedWallet,
        now: ctx.clock.now(),
        versionBefore: row.version,
      }))
    )
      throw new LostRace();
  }
  if (row.verifiedAt) return { address: secret.address, chain: wallet.chain.name };
  return toUnverified(ctx, tx, user, { ...wallet, address: secret.address });
}

async function toUnverified(
  ctx: RequestCtx,
  tx: Tx,
  user: User,
  wallet: WalletToLink,
): Promise<LinkedWallet> {
  return {
    address: wallet.address,
    chain: wallet.chain.name,
    verificationChallenge: await ensureChallenge(ctx, tx, { user, ...wallet }),
  };
}
