import type { ChainFamily, Signer } from '../../chains/family.ts';
import type { Ctx, RequestCtx } from '../../context.ts';

/** The project's api-key signer of a family: its key is in custody, so no approvals are asked for. */
export function apiKeySigner(ctx: RequestCtx, family: ChainFamily): Promise<Signer> {
  return apiKeySignerOf(ctx, family, ctx.caller.projectId);
}

/** The same where nobody calls. */
export async function apiKeySignerOf(ctx: Pick<Ctx, 'store' | 'providers'>, family: ChainFamily, projectId: string): Promise<Signer> {
  const key = await ctx.providers.custody.ensureKey(ctx.store, {
    projectId,
    curve: family.custodyCurve,
    purpose: 'api-key',
  });
  const address = family.addressOfPublicKey(key.publicKey);
  return { type: 'api-key', locator: `api-key:${address}`, address, keyId: key.keyId };
}
