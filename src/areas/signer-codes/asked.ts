import type { ChainFamily } from '../../chains/family.ts';
import type { RequestCtx } from '../../context.ts';
import type { JsonObject } from '../../lib/json.ts';
import { findPendingApproval } from '../signatures/index.ts';
import type { WalletRecord } from '../wallets/index.ts';

/** An approval that a signer is asked for at this moment. */
export interface AskedApproval {
  readonly family: ChainFamily;
  /** The family's own value that is approved. */
  readonly signable: JsonObject;
}

/** The pending approval, of a transaction or a signature of this wallet, that this signer gives by signing this message. */
export async function findAskedApproval(
  ctx: RequestCtx,
  { wallet, signerLocator, message }: { readonly wallet: WalletRecord; readonly signerLocator: string; readonly message: string },
): Promise<AskedApproval | undefined> {
  const place = await findPendingApproval(ctx, { walletId: wallet.id, signerLocator, message });
  return place && { family: ctx.chains.family(wallet.chainType), signable: place.signable };
}
