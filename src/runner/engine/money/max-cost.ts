import type { ShopMoney } from '../../types.ts';
import { fail, type Run } from '../run.ts';
import { formatMoney } from './prices.ts';

/**
 * Ends the run when what it would cost is more than its task allows, or in another currency. The
 * service looks again before it hands out a card (src/areas/agent-checkouts/limits/max-cost.ts).
 * @param asks who asks for it, as the sentence begins
 * @throws RunStop
 */
export function requireWithinMaxCost(run: Run, cost: ShopMoney, asks = 'The shop asks for'): void {
  const { maxCost } = run.task;
  if (cost.currency !== maxCost.currency)
    fail(
      run,
      `${asks} ${formatMoney(cost)}: another currency than that of the limit (${maxCost.currency}).`,
    );
  if (cost.amountMinor > maxCost.amountMinor)
    fail(
      run,
      `${asks} ${formatMoney(cost)}, the limit is ${formatMoney(maxCost)}.`,
      'max_cost_exceeded',
    );
}
