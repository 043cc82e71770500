import type { ChainType } from '../../../chains/family.ts';
import type { Db } from '../../../store/types.ts';
import { selectDelegates } from '../delegates-store.ts';
import { selectWalletById, selectWalletLines } from '../store.ts';
import { delegateView, signerView, walletView } from '../view.ts';

export interface WalletLinesInput {
  readonly projectIds: readonly string[];
  readonly chainType?: ChainType | undefined;
  /** The whole address, or the whole locator of an owner, as it was written. */
  readonly find?: string | undefined;
  readonly before?: { readonly at: Date; readonly id: string } | undefined;
  readonly limit: number;
}

/**
 * Wallets of projects for their operator, the newest first, behind a place. One that was changed
 * behind the service is marked.
 */
export async function listWalletLines(db: Db, input: WalletLinesInput) {
  const found = await selectWalletLines(db, input);
  return found.map(({ wallet, isChanged }) => ({
    id: wallet.id,
    projectId: wallet.projectId,
    chainType: wallet.chainType,
    type: wallet.type,
    address: wallet.address,
    owner: wallet.owner,
    alias: wallet.alias,
    purpose: wallet.purpose,
    createdAt: wallet.createdAt,
    ...(isChanged && { isChanged }),
  }));
}

/**
 * A wallet with those who may sign for it, and what each chain holds them to.
 * @returns undefined when the projects have none of this id @throws internal-error when it was
 * changed behind the service
 */
export async function readWalletOf(
  db: Db,
  key: { readonly id: string; readonly projectIds: readonly string[] },
) {
  const wallet = await selectWalletById(db, key.id);
  if (!wallet || !key.projectIds.includes(wallet.projectId)) return undefined;
  const delegates = await selectDelegates(db, { walletId: wallet.id });
  return {
    wallet,
    shown: {
      ...walletView(wallet),
      id: wallet.id,
      projectId: wallet.projectId,
      purpose: wallet.purpose,
    },
    recovery: (wallet.recoveryMethods ?? [wallet.adminSigner]).map(signerView),
    signers: delegates.map(({ chains, ...delegate }) => ({
      ...delegateView(delegate),
      addedAt: delegate.createdAt,
      withWallet: delegate.withWallet,
      chains: chains.map(({ chain, state, expiresAt, asked, registration }) => ({
        chain,
        state,
        expiresAt,
        asked,
        registration,
      })),
    })),
  };
}
