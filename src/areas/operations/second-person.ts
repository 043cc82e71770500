import type { Ctx } from '../../context.ts';
import { ServiceError } from '../../lib/errors.ts';
import { parseDecimalAmount } from '../../lib/money/amount.ts';
import { formatMoney } from '../../lib/money/fiat.ts';

/** Money that a rule is about. */
export interface RuleAmount {
  /** A fiat code or the symbol of a token. */
  readonly currency: string;
  readonly decimals: number;
  readonly amountMinor: bigint;
}

/** It moves more than one person may decide. */
export class SecondPersonNeeded extends ServiceError {
  constructor(amount: RuleAmount, decidedAlone: readonly RuleAmount[]) {
    const besides =
      decidedAlone.length === 0
        ? ''
        : `, with ${decidedAlone.map(formatMoney).join(' and ')} of the last 24 hours,`;
    super('forbidden', {
      message: `${formatMoney(amount)}${besides} is more than one person decides: one operator signs it in the console, and another one approves it there.`,
    });
  }
}

/**
 * A day of one person: what he decided alone in it counts together, so that many small decisions
 * are no way around the limit.
 */
export const aloneDayMs = 24 * 3_600_000;

/** Decimals that amounts of all currencies are compared with: contracts tell no more. */
const commonDecimals = 77;
/** No limit has more. */
const limitDecimals = 36;
const toCommon = (amountMinor: bigint, decimals: number) =>
  amountMinor * 10n ** BigInt(commonDecimals - decimals);
const whole = 10n ** 18n;

/**
 * Which part of what one person decides in a day is used: of each currency its part of its own
 * limit, all together, in parts of `whole` and rounded up. A currency of which no limit is named
 * has the limit 0, so that no new one passes by itself: undefined.
 */
function usedShare(
  limits: ReadonlyMap<string, string>,
  amounts: readonly RuleAmount[],
): bigint | undefined {
  const sums = new Map<string, bigint>();
  for (const { currency, decimals, amountMinor } of amounts) {
    const code = currency.toLowerCase();
    sums.set(code, (sums.get(code) ?? 0n) + toCommon(amountMinor, decimals));
  }
  let share = 0n;
  for (const [code, sum] of sums) {
    const stated = parseDecimalAmount(limits.get(code) ?? '0', limitDecimals);
    const limit = toCommon(stated, limitDecimals);
    if (limit === 0n && sum > 0n) return undefined;
    if (limit > 0n) share += (sum * whole + limit - 1n) / limit;
  }
  return share;
}

/**
 * Whether it takes two, with what the same person decided alone in the last 24 hours, in whatever
 * currencies.
 */
export function needsSecondPerson(
  { config }: Pick<Ctx, 'config'>,
  amount: RuleAmount,
  decidedAlone: readonly RuleAmount[],
): boolean {
  const limits = config.secondPersonAbove;
  if (!limits || amount.amountMinor === 0n) return false;
  const share = usedShare(limits, [amount, ...decidedAlone]);
  return share === undefined || share > whole;
}
