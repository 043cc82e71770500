import { divide, scaleDown } from '../../pricing/decimals.ts';
import { combineTerms } from '../../state/items.ts';
import type { OrderAmount, OrderRecord, OrderTerms } from '../../state/types.ts';

/** What deposits of an order are held to, agreed when it was priced: `facts.depositRules`. Amounts as text, since facts are JSON. */
export type DepositRules = {
  /** A deposit that is short by no more than this is taken as it is. */
  readonly shortToleranceMinor: string;
  /** What is over by no more than this is kept as a fee. */
  readonly dustMinor: string;
  /** How long after the quote's end a deposit is still honoured, when the price covers it. */
  readonly lateToleranceMs: number;
};

/** Dust is never a larger share of a payment than this. */
const dustBpsMax = 100n;
const usdDigits = 6;

/** @param settings of the project, in US dollars and basis points */
export function depositRulesOf(
  terms: OrderTerms,
  settings: { readonly shortToleranceBps: number; readonly dustUsd: string; readonly lateToleranceMinutes: number },
  amountUsd: string,
): DepositRules {
  const { amountMinor } = terms.pay;
  const worth = scaleDown(amountUsd, usdDigits);
  const dust = worth > 0n ? (amountMinor * scaleDown(settings.dustUsd, usdDigits)) / worth : 0n;
  const dustMinor = min(dust, (amountMinor * dustBpsMax) / 10_000n);
  const shortMinor = (amountMinor * BigInt(settings.shortToleranceBps)) / 10_000n;
  return {
    shortToleranceMinor: (shortMinor > dustMinor ? shortMinor : dustMinor).toString(),
    dustMinor: dustMinor.toString(),
    lateToleranceMs: settings.lateToleranceMinutes * 60_000,
  };
}

export const strictDepositRules: DepositRules = { shortToleranceMinor: '0', dustMinor: '0', lateToleranceMs: 0 };

export function rulesOf(order: OrderRecord): DepositRules {
  return (order.facts.depositRules as DepositRules | undefined) ?? strictDepositRules;
}

export type DepositCount =
  | { readonly fit: 'short'; readonly missingMinor: bigint }
  /** `terms` are new ones when it was a little short. */
  | { readonly fit: 'exact'; readonly terms: OrderTerms; readonly dustMinor: bigint }
  | { readonly fit: 'over'; readonly excessMinor: bigint };

/** What the sum of an order's final deposits is to what was asked for. */
export function countDeposits(terms: OrderTerms, rules: DepositRules, sumMinor: bigint): DepositCount {
  const overMinor = sumMinor - terms.pay.amountMinor;
  if (overMinor > BigInt(rules.dustMinor)) return { fit: 'over', excessMinor: overMinor };
  if (overMinor >= 0n) return { fit: 'exact', terms, dustMinor: overMinor };
  const lowered = -overMinor <= BigInt(rules.shortToleranceMinor) ? lowerTerms(terms, sumMinor) : undefined;
  return lowered ? { fit: 'exact', terms: lowered, dustMinor: 0n } : { fit: 'short', missingMinor: -overMinor };
}

/**
 * The terms for a payment that is a little smaller: the same rate, the same fees, less to receive. Undefined when the fees
 * leave nothing.
 */
export function lowerTerms(terms: OrderTerms, payMinor: bigint): OrderTerms | undefined {
  // A free item among others: nothing of it can be short.
  if (terms.pay.amountMinor === 0n) return terms;
  if (terms.items) return lowerItems(terms.items, { payMinor, fullMinor: terms.pay.amountMinor });
  const valueMinor = divide(terms.value.amountMinor * payMinor, terms.pay.amountMinor, 'down');
  const unitMinor = valueMinor - feesOf(terms);
  if (unitMinor <= 0n) return undefined;
  const receiveMinor = terms.collectible
    ? terms.receive.amountMinor
    : terms.receive.asset === terms.unit.asset
      ? unitMinor
      : divide(terms.receive.amountMinor * unitMinor, terms.unit.amountMinor, 'down');
  if (receiveMinor <= 0n) return undefined;
  const amount = (one: OrderAmount, amountMinor: bigint): OrderAmount => ({ ...one, amountMinor });
  return {
    ...terms,
    pay: amount(terms.pay, payMinor),
    value: amount(terms.value, valueMinor),
    unit: amount(terms.unit, unitMinor),
    receive: amount(terms.receive, receiveMinor),
  };
}

/** Each line item is lowered by its share; the last one that costs anything takes what rounding leaves. */
function lowerItems(items: readonly OrderTerms[], { payMinor, fullMinor }: { readonly payMinor: bigint; readonly fullMinor: bigint }) {
  let left = payMinor;
  const lowered: OrderTerms[] = [];
  const lastPaid = items.findLastIndex(({ pay }) => pay.amountMinor > 0n);
  for (const [index, item] of items.entries()) {
    const share = index === lastPaid ? left : (item.pay.amountMinor * payMinor) / fullMinor;
    const one = lowerTerms(item, share);
    if (!one) return undefined;
    left -= share;
    lowered.push(one);
  }
  const [first, ...more] = lowered;
  return first && combineTerms([first, ...more]);
}

export function feesOf(terms: OrderTerms): bigint {
  return terms.fees.reduce((sum, fee) => sum + fee.amountMinor, 0n);
}

function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
