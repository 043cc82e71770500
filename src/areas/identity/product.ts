import type { Ctx, RequestCtx } from '../../context.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { Db } from '../../store/types.ts';
import { putProductSetting, selectProductSetting } from './store.ts';

/** Whether a project has identity verification: as its operator said, else everywhere but in production. */
export async function isProductEnabled(ctx: Pick<Ctx, 'config' | 'store'>, projectId: string): Promise<boolean> {
  if (ctx.config.identity.kyc.kind === 'off') return false;
  return (await selectProductSetting(ctx.store, projectId)) ?? ctx.config.environment !== 'production';
}

/** @throws project:addon.required */
export async function requireProduct(ctx: Pick<RequestCtx, 'config' | 'store' | 'caller'>): Promise<void> {
  if (await isProductEnabled(ctx, ctx.caller.projectId)) return;
  throw new ServiceError('project:addon.required', {
    message:
      'The project is not configured for the users KYC endpoints: the operator of this service enables identity verification for it (purser identity enable).',
  });
}

/** Gives or takes a project the product. */
export function setProductEnabled(
  ctx: Pick<Ctx, 'clock'> & { readonly store: Db },
  input: { readonly projectId: string; readonly enabled: boolean },
): Promise<void> {
  return putProductSetting(ctx.store, { ...input, now: ctx.clock.now() });
}
