import { z } from 'zod';
import { ServiceError } from '../../lib/errors.ts';
import { type OperatorRule, operatorRule } from '../operations/index.ts';
import { readPayoutSwitch, stopPayouts } from './payout-client.ts';

/**
 * Stops every payout that was not handed to a bank yet, of all projects. Starting again is for the vault's host: whoever has broken into
 * this side can keep money from leaving, and never have it leave.
 */
export const payoutStop: OperatorRule<Record<string, never>> = {
  name: 'payouts.stop',
  role: 'finance',
  everyProject: true,
  params: z.strictObject({}),
  async run(ctx, { reason, actor, record }) {
    if (!ctx.config.vault) throw new ServiceError('conflict', { message: 'No vault is configured here: nothing is paid out.' });
    const { stop } = (await readPayoutSwitch(ctx)) ?? {};
    if (stop) throw new ServiceError('conflict', { message: `Payouts are stopped already, since ${stop.stoppedAt}: ${stop.reason}` });
    await stopPayouts(ctx, { reason: reason.slice(0, 200), actor: actor.kind === 'operator' ? `operator:${actor.id}` : 'operator' });
    await ctx.store.transaction((tx) => record(tx, { subject: 'payouts', changed: { stopped: [false, true] } }));
    return { stopped: true };
  },
};

export const payoutRules: readonly OperatorRule[] = [operatorRule(payoutStop)];
