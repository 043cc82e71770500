import type { Ctx } from '../../context.ts';
import { formatAmount, parseDecimalAmount } from '../../lib/amount.ts';
import { ServiceError } from '../../lib/errors.ts';

/** Money that a rule is about. */
export interface RuleAmount {
  /** A fiat code or the symbol of a token. */
  readonly currency: string;
  readonly decimals: number;
  readonly amountMinor: bigint;
}

/** It moves more than one person may decide. */
export class SecondPersonNeeded extends ServiceError {
  constructor(amount: RuleAmount) {
    const said = `${formatAmount(amount.amountMinor, amount.decimals)} ${amount.currency.toUpperCase()}`;
    super('forbidden', {
      message: `${said} is more than one person decides: one operator signs it in the console, and another one approves it there.`,
    });
  }
}

/** Whether it takes two. A currency of which no limit is named has the limit 0, so that no new one passes by itself. */
export function needsSecondPerson({ config }: Pick<Ctx, 'config'>, amount: RuleAmount): boolean {
  const limits = config.secondPersonAbove;
  if (!limits || amount.amountMinor === 0n) return false;
  const limit = limits.get(amount.currency.toLowerCase()) ?? '0';
  const fraction = (limit.split('.')[1] ?? '').slice(0, amount.decimals);
  const [whole = '0'] = limit.split('.');
  return amount.amountMinor > parseDecimalAmount(fraction === '' ? whole : `${whole}.${fraction}`, amount.decimals);
}
