import type { ChainFamily, CustodyKeys, Signer } from '../../chains/family.ts';
import type { Ctx, RequestCtx } from '../../context.ts';
import { treasuryPurpose } from '../../providers/custody/by-purpose.ts';
import type { WalletRecord } from './store.ts';

const apiKeyPurpose = 'api-key';

/** The project's api-key signer of a family: its key is in custody, so no approvals are asked for. */
export function apiKeySigner(ctx: RequestCtx, family: ChainFamily): Promise<Signer> {
  return apiKeySignerOf(ctx, family, ctx.caller.projectId);
}

/** What the custody key of a wallet's api-key signer is for. */
export function apiKeyPurposeOf({ purpose }: Pick<WalletRecord, 'purpose'>): string {
  return purpose === 'treasury' ? treasuryPurpose : apiKeyPurpose;
}

/** The same where nobody calls. */
export async function apiKeySignerOf(ctx: Pick<Ctx, 'store' | 'providers'>, family: CustodyKeys, projectId: string): Promise<Signer> {
  const key = await ctx.providers.custody.ensureKey(ctx.store, {
    projectId,
    curve: family.custodyCurve,
    purpose: apiKeyPurpose,
  });
  const address = family.addressOfPublicKey(key.publicKey);
  return { type: 'api-key', locator: `api-key:${address}`, address, keyId: key.keyId };
}
