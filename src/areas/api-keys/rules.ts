import { z } from 'zod';
import type { Ctx } from '../../context.ts';
import { type OperatorRule, operatorRule } from '../operations/index.ts';
import { revokeKey } from './api-keys.ts';

/** Ends a key of the project now: for one that somebody else may have. */
export const keyRevoke: OperatorRule<{ keyId: string }, Pick<Ctx, 'config' | 'store' | 'clock'>> = {
  name: 'keys.revoke',
  role: 'admin',
  params: z.strictObject({ keyId: z.uuid() }),
  async run(ctx, { projectId, params: { keyId }, record }) {
    const key = await revokeKey(ctx, { id: keyId, projectId }, (tx, before) =>
      record(tx, {
        subject: `api-key:${keyId}`,
        changed: {
          revokedAt: [before.revokedAt?.toISOString() ?? '', ctx.clock.now().toISOString()],
        },
      }),
    );
    return { id: key.id, revokedAt: key.revokedAt!.toISOString() };
  },
};

export const keyRules: readonly OperatorRule[] = [operatorRule(keyRevoke)];
