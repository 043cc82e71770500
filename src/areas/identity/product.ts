import { z } from 'zod';
import type { Ctx, RequestCtx } from '../../context.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { Db } from '../../store/types.ts';
import { type OperatorRule, operatorRule } from '../operations/index.ts';
import { putProductSetting, selectProductSetting } from './store.ts';

/**
 * Whether a project has identity verification: as its operator said, else everywhere but in
 * production.
 */
export async function isProductEnabled(
  ctx: Pick<Ctx, 'config' | 'store'>,
  projectId: string,
): Promise<boolean> {
  if (ctx.config.identity.kyc.kind === 'off') return false;
  return (
    (await selectProductSetting(ctx.store, projectId)) ?? ctx.config.environment !== 'production'
  );
}

/** @throws project:addon.required */
export async function requireProduct(
  ctx: Pick<RequestCtx, 'config' | 'store' | 'caller'>,
): Promise<void> {
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

/**
 * Gives a project identity verification, or takes it: without it every order that needs a verified
 * person is refused.
 */
export const identitySwitch: OperatorRule<
  { enabled: 'yes' | 'no' },
  Pick<Ctx, 'config' | 'store' | 'clock'>
> = {
  name: 'identity.switch',
  role: 'admin',
  params: z.strictObject({ enabled: z.enum(['yes', 'no']) }),
  async run(ctx, { projectId, params: { enabled }, record }) {
    if (enabled === 'yes' && ctx.config.identity.kyc.kind === 'off')
      throw new ServiceError('conflict', {
        message: 'No identity company is configured on this instance: set KYC first.',
      });
    const before = await isProductEnabled(ctx, projectId);
    await ctx.store.transaction(async (tx) => {
      await setProductEnabled(
        { clock: ctx.clock, store: tx },
        { projectId, enabled: enabled === 'yes' },
      );
      await record(tx, {
        subject: `project:${projectId}`,
        changed: { identity: [before ? 'yes' : 'no', enabled] },
      });
    });
    return { enabled: enabled === 'yes' };
  },
};

export const identityRules: readonly OperatorRule[] = [operatorRule(identitySwitch)];
