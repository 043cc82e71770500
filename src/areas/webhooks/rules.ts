import { z } from 'zod';
import type { Ctx } from '../../context.ts';
import { type OperatorRule, operatorRule } from '../operations/index.ts';
import { resendDelivery } from './deliveries/deliveries.ts';
import { changeEndpoint } from './endpoints/endpoints.ts';

/** What these rules need: the command line has no more. */
export type RuleCtx = Pick<Ctx, 'config' | 'store' | 'clock' | 'ids' | 'log'>;

/** Sends a delivery that has ended once more, with the id that it had. */
export const webhookResend: OperatorRule<{ deliveryId: string }, RuleCtx> = {
  name: 'webhooks.resend',
  role: 'support',
  params: z.strictObject({ deliveryId: z.uuid() }),
  async run(ctx, { projectId, params: { deliveryId }, record }) {
    const { id, status } = await resendDelivery(ctx, { projectId, id: deliveryId }, (tx, before) =>
      record(tx, { subject: `delivery:${deliveryId}`, changed: { status: [before, 'pending'] } }),
    );
    return { id, status };
  },
};

/**
 * Has an endpoint take events again, or stops it: what was pending goes on when it is enabled
 * again.
 */
export const webhookSwitch: OperatorRule<{ endpointId: string; enabled: 'yes' | 'no' }, RuleCtx> = {
  name: 'webhooks.switch',
  role: 'support',
  params: z.strictObject({ endpointId: z.uuid(), enabled: z.enum(['yes', 'no']) }),
  async run(ctx, { projectId, params: { endpointId, enabled }, record }) {
    const { id, status } = await changeEndpoint(
      ctx,
      { projectId, id: endpointId },
      { disabled: enabled === 'no' },
      (tx, before) =>
        record(tx, {
          subject: `webhook-endpoint:${endpointId}`,
          changed: { status: [before, enabled === 'no' ? 'disabled' : 'enabled'] },
        }),
    );
    return { id, status };
  },
};

export const webhookRules: readonly OperatorRule[] = [
  operatorRule(webhookResend),
  operatorRule(webhookSwitch),
];
