import { z } from 'zod';
import type { Ctx } from '../../context.ts';
import { type OperatorRule, operatorRule } from '../operations/index.ts';
import { removeTrustedIssuer } from './trusted-issuers.ts';

/** Trusts an issuer no more: none of its users' tokens counts from the next call on. */
export const issuerRemove: OperatorRule<
  { issuerId: string },
  Pick<Ctx, 'config' | 'store' | 'clock' | 'ids'>
> = {
  name: 'issuers.remove',
  role: 'admin',
  params: z.strictObject({ issuerId: z.uuid() }),
  async run(ctx, { projectId, params: { issuerId }, record }) {
    await removeTrustedIssuer(ctx, { id: issuerId, projectId }, (tx, issuer) =>
      record(tx, { subject: `issuer:${issuerId}`, changed: { trusted: [issuer, ''] } }),
    );
    return { id: issuerId };
  },
};

export const issuerRules: readonly OperatorRule[] = [operatorRule(issuerRemove)];
