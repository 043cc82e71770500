import { divideDecimals } from '../../../lib/money/amount.ts';
import type { OrderKind } from '../state/machine.ts';
import { scaleDown } from './decimals.ts';
import type { FeeRule } from './settings.ts';
import { type FeeShare, feesBpsMax } from './terms.ts';

/** What decides which fees an order pays. */
export interface FeeCase {
  readonly kind: OrderKind;
  readonly method: string;
  readonly rail?: string | undefined;
  readonly network?: string | undefined;
}

/** Digits of a converted fixed fee before it is rounded down to the smallest unit. */
const scale = 12;

/**
 * The fees of an order: of each type the first rule that fits. Fixed parts are converted to the
 * order's currency and rounded down.
 * @param fiat.priceUsd US dollars per unit of the currency
 */
export function chooseFees(
  rules: readonly FeeRule[],
  feeCase: FeeCase,
  fiat: { readonly decimals: number; readonly priceUsd: string },
): FeeShare[] {
  const chosen = new Map<string, FeeShare>();
  let bpsLeft = feesBpsMax;
  for (const rule of rules) {
    if (chosen.has(rule.type) || !fits(rule, feeCase)) continue;
    const bps = Math.min(rule.bps ?? 0, bpsLeft);
    bpsLeft -= bps;
    const fixedMinor =
      rule.fixedUsd === undefined
        ? 0n
        : scaleDown(divideDecimals(rule.fixedUsd, fiat.priceUsd, scale), fiat.decimals);
    chosen.set(rule.type, { type: rule.type, fixedMinor, bps });
  }
  return [...chosen.values()].filter((fee) => fee.fixedMinor > 0n || fee.bps > 0);
}

function fits(rule: FeeRule, feeCase: FeeCase): boolean {
  return (['kind', 'method', 'rail', 'network'] as const).every(
    (field) => rule[field] === undefined || rule[field] === feeCase[field],
  );
}
