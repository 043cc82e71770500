import { z } from 'zod';
import { type OperatorRule, operatorRule } from '../../operations/index.ts';
import { decideCheckout } from './decisions.ts';

const params = z.strictObject({
  checkoutId: z.uuid(),
  outcome: z.enum(['placed', 'not-placed']),
  /** The shop's own name of the order, where it has one. */
  merchantOrderId: z.string().min(1).max(200).optional(),
  /** Who is to stand in the record of the checkout; whoever decides when absent. */
  by: z.string().min(1).max(200).optional(),
});

/** Whether the shop has the order of a checkout of which nobody knew. */
export const checkoutDecide: OperatorRule<z.infer<typeof params>> = {
  name: 'checkouts.decide',
  role: 'finance',
  params,
  async run(ctx, { projectId, params: { by, ...decision }, reason, actor, record }) {
    const decidedBy = by ?? (actor.kind === 'operator' ? actor.name : actor.osUser);
    const { id, status, outcome } = await decideCheckout(ctx, {
      projectId,
      ...decision,
      by: decidedBy,
      note: reason,
      record,
    });
    return { id, status, outcome };
  },
};

export const checkoutRules: readonly OperatorRule[] = [operatorRule(checkoutDecide)];
