import type { Ctx } from '../../context.ts';
import { ServiceError } from '../../lib/errors.ts';
import { formatAmount, parseDecimalAmount } from '../../lib/money/amount.ts';

/** Money that a rule is about. */
export interface RuleAmount {
  /** A fiat code or the symbol of a token. */
  readonly currency: string;
  readonly decimals: number;
  readonly amountMinor: bigint;
}

/** It moves more than one person may decide. */
export class SecondPersonNeeded extends ServiceError {
  constructor({ amountMinor, decimals, currency }: RuleAmount, decidedAloneMinor: bigint) {
    const said = (minor: bigint) => `${formatAmount(minor, decimals)} ${currency.toUpperCase()}`;
    const besides = decidedAloneMinor === 0n ? '' : `, with ${said(decidedAloneMinor)} of the last 24 hours,`;
    super('forbidden', {
      message: `${said(amountMinor)}${besides} is more than one person decides: one operator signs it in the console, and another one approves it there.`,
    });
  }
}

/** A day of one person: what he decided alone in it counts together, so that many small decisions are no way around the limit. */
export const aloneDayMs = 24 * 3_600_000;

/**
 * Whether it takes two, with what the same person decided alone in the last 24 hours. A currency of which no limit is named has the limit 0,
 * so that no new one passes by itself.
 */
export function needsSecondPerson({ config }: Pick<Ctx, 'config'>, amount: RuleAmount, decidedAloneMinor: bigint): boolean {
  const limits = config.secondPersonAbove;
  if (!limits || amount.amountMinor === 0n) return false;
  const limit = limits.get(amount.currency.toLowerCase()) ?? '0';
  const fraction = (limit.split('.')[1] ?? '').slice(0, amount.decimals);
  const [whole = '0'] = limit.split('.');
  const limitMinor = parseDecimalAmount(fraction === '' ? whole : `${whole}.${fraction}`, amount.decimals);
  return amount.amountMinor + decidedAloneMinor > limitMinor;
}
