import type { ChainFamily } from '../../chains/family.ts';
import type { RequestCtx } from '../../context.ts';
import type { JsonObject } from '../../lib/json/json.ts';
import { findPendingApproval } from '../signatures/index.ts';
import type { WalletRecord } from '../wallets/index.ts';

/** An approval that a signer is asked for at this moment. */
export interface AskedApproval {
  readonly family: ChainFamily;
  readonly chain: string;
  /** The family's own value that is approved. */
  readonly signable: JsonObject;
  readonly row: { readonly table: 'transactions' | 'signatures'; readonly id: string };
}

/**
 * The pending approval, of a transaction or a signature of this wallet, that this signer gives by
 * signing this message.
 */
export async function findAskedApproval(
  ctx: RequestCtx,
  {
    wallet,
    signerLocator,
    message,
  }: { readonly wallet: WalletRecord; readonly signerLocator: string; readonly message: string },
): Promise<AskedApproval | undefined> {
  const place = await findPendingApproval(ctx, { walletId: wallet.id, signerLocator, message });
  if (!place) return undefined;
  const { kind, id, chain, signable } = place;
  return {
    family: ctx.chains.family(wallet.chainType),
    chain,
    signable,
    row: { table: kind === 'transaction' ? 'transactions' : 'signatures', id },
  };
}
