import type { ChainFamily, CustodyKeys, Signer } from '../../../chains/family.ts';
import type { Ctx, RequestCtx } from '../../../context.ts';
import { treasuryPurpose } from '../../../providers/custody/by-purpose.ts';
import type { WalletRecord } from '../store.ts';

const apiKeyPurpose = 'api-key';
/** Of the keys that are wallets. */
export const mpcPurpose = 'mpc';

type CustodyCtx = Pick<Ctx, 'store' | 'providers'>;

/**
 * The project's api-key signer of a family: its key is in custody, so no approvals are asked for.
 */
export function apiKeySigner(ctx: RequestCtx, family: ChainFamily): Promise<Signer> {
  return apiKeySignerOf(ctx, family, ctx.caller.projectId);
}

/** What the custody key of a wallet is for: that of its api-key signer, or the one that it is. */
export function custodyPurposeOf({
  purpose,
  type,
}: Pick<WalletRecord, 'purpose' | 'type'>): string {
  if (purpose === 'treasury') return treasuryPurpose;
  return type === 'mpc' ? mpcPurpose : apiKeyPurpose;
}

/** The same where nobody calls. */
export async function apiKeySignerOf(
  ctx: CustodyCtx,
  family: CustodyKeys,
  projectId: string,
): Promise<Signer> {
  return (await custodySigner(ctx, family, { projectId, purpose: apiKeyPurpose })).signer;
}

/**
 * A custody key as a signer, made at the first call; with `walletId` it signs for that wallet
 * alone.
 */
export async function custodySigner(
  ctx: CustodyCtx,
  family: CustodyKeys,
  name: { readonly projectId: string; readonly purpose: string; readonly walletId?: string },
): Promise<{ readonly signer: Signer; readonly publicKey: Uint8Array }> {
  const { keyId, publicKey } = await ctx.providers.custody.ensureKey(ctx.store, {
    ...name,
    curve: family.custodyCurve,
  });
  const address = family.addressOfPublicKey(publicKey);
  return { signer: { type: 'api-key', locator: `api-key:${address}`, address, keyId }, publicKey };
}
