import { ServiceError } from '../../../lib/errors.ts';
import { parseDecimalAmount } from '../../../lib/money/amount.ts';
import type { ShopMoney } from '../../../runner/types.ts';
import { decimalsOf } from '../money.ts';
import type { CheckoutRecord } from '../types.ts';

/** What may be paid at most, everything included: `constraints.maxCost`. */
export function maxCostOf({ constraints }: Pick<CheckoutRecord, 'constraints'>): ShopMoney {
  const { amount, currency } = constraints.maxCost;
  return { amountMinor: parseDecimalAmount(amount, decimalsOf(currency)), currency };
}

/**
 * Holds before a card is handed out, whatever the runner has compared (its own look is
 * src/runner/engine/money/max-cost.ts).
 * @throws conflict
 */
export function requireWithinMaxCost(
  record: Pick<CheckoutRecord, 'constraints'>,
  total: ShopMoney,
): void {
  const most = maxCostOf(record);
  if (total.currency !== most.currency || total.amountMinor > most.amountMinor)
    throw new ServiceError('conflict', { message: 'The total is above the cap of the checkout.' });
}
