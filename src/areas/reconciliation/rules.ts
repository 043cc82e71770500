import { z } from 'zod';
import { type OperatorRule, operatorRule } from '../operations/index.ts';
import { askTurn } from './turns.ts';

/**
 * Has chain, bank and acquirer compared with the books at the worker's next look, within half a
 * minute, instead of at the project's next turn. What is found stands with the differences. No
 * money moves.
 */
const reconcileAsk: OperatorRule<Record<string, never>> = {
  name: 'reconciliation.ask',
  role: 'support',
  params: z.strictObject({}),
  async run(ctx, { projectId, record }) {
    await ctx.store.transaction(async (tx) => {
      await askTurn(tx, projectId);
      await record(tx, { subject: `project:${projectId}`, changed: { comparison: 'asked for' } });
    });
    return {};
  },
};

export const reconciliationRules: readonly OperatorRule[] = [operatorRule(reconcileAsk)];
