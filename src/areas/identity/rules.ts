import { z } from 'zod';
import type { Ctx } from '../../context.ts';
import { ServiceError } from '../../lib/errors.ts';
import { type OperatorRule, operatorRule } from '../operations/index.ts';
import { isProductEnabled, setProductEnabled } from './product.ts';

/** Gives a project identity verification, or takes it: without it every order that needs a verified person is refused. */
export const identitySwitch: OperatorRule<{ enabled: 'yes' | 'no' }, Pick<Ctx, 'config' | 'store' | 'clock'>> = {
  name: 'identity.switch',
  role: 'admin',
  params: z.strictObject({ enabled: z.enum(['yes', 'no']) }),
  async run(ctx, { projectId, params: { enabled }, record }) {
    if (enabled === 'yes' && ctx.config.identity.kyc.kind === 'off')
      throw new ServiceError('conflict', { message: 'No identity company is configured on this instance: set KYC first.' });
    const before = await isProductEnabled(ctx, projectId);
    await ctx.store.transaction(async (tx) => {
      await setProductEnabled({ clock: ctx.clock, store: tx }, { projectId, enabled: enabled === 'yes' });
      await record(tx, { subject: `project:${projectId}`, changed: { identity: [before ? 'yes' : 'no', enabled] } });
    });
    return { enabled: enabled === 'yes' };
  },
};

export const identityRules: readonly OperatorRule[] = [operatorRule(identitySwitch)];
