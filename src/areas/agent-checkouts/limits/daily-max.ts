import { ServiceError } from '../../../lib/errors.ts';
import { formatAmount, parseDecimalAmount } from '../../../lib/money/amount.ts';
import type { Tx } from '../../../store/types.ts';
import { withAllDigits } from '../money.ts';
import type { CreateAgentCheckoutBody } from '../schema.ts';

const dayMs = 24 * 60 * 60_000;
const countMax = 2_000;
const retryAfterSeconds = 3_600;
/** Digits behind the point of the finest currency; the interface takes no more. */
const scale = 4;

/**
 * What the user's checkouts of the last 24 hours cost, or may cost, stays with the new one below
 * its `dailyMax`. Checked in the transaction that creates one, in which the user is locked, so that
 * it holds whichever processes create them.
 * @throws rate-limited
 */
export async function requireDailyMax(
  tx: Tx,
  input: {
    readonly personId: string;
    readonly constraints: CreateAgentCheckoutBody['constraints'];
    readonly now: Date;
  },
): Promise<void> {
  const { maxCost, dailyMax } = input.constraints;
  if (!dailyMax) return;
  const { currency } = dailyMax;
  const most = `${withAllDigits(dailyMax.amount, currency)} ${currency}`;
  if (maxCost.currency !== currency)
    throw over(
      `No more than ${most} may be spent in 24 hours, and nothing in ${maxCost.currency}.`,
    );
  const costs = await selectCosts(tx, {
    personId: input.personId,
    since: new Date(input.now.getTime() - dayMs),
  });
  if (costs.length > countMax)
    throw over(
      'There are too many checkouts of the last 24 hours to add up: nothing more is bought today.',
    );
  const spent = costs
    .filter((cost) => cost.currency === currency)
    .reduce((sum, { amount }) => sum + parseDecimalAmount(amount, scale), 0n);
  const max = parseDecimalAmount(dailyMax.amount, scale);
  if (spent + parseDecimalAmount(maxCost.amount, scale) <= max) return;
  const left = withAllDigits(formatAmount(spent >= max ? 0n : max - spent, scale), currency);
  throw over(
    `No more than ${most} may be spent in 24 hours; ${left} ${currency} are left. Nothing was bought. Ask for a lower maxCost, or wait.`,
  );
}

/** What each cost, or the most that it may. One that certainly bought nothing costs nothing. */
async function selectCosts(
  tx: Tx,
  input: { readonly personId: string; readonly since: Date },
): Promise<{ readonly amount: string; readonly currency: string }[]> {
  const { rows } = await tx.query<{ amount: string; currency: string }>({
    name: 'agent-checkouts-costs-of-a-day',
    text: `select cost ->> 'amount' as amount, cost ->> 'currency' as currency
           from (select coalesce(c.receipt -> 'total', c.constraints -> 'maxCost') as cost
                 from agent_checkouts c join users u on u.id = c.user_id
                 where u.person_id = $1 and c.created_at > $2
                   and not (c.status in ('failed', 'cancelled') and c.outcome is distinct from 'unknown')
                 limit ${countMax + 1}) as costs`,
    values: [input.personId, input.since],
  });
  return rows;
}

function over(message: string): ServiceError {
  return new ServiceError('rate-limited', {
    message,
    headers: { 'retry-after': String(retryAfterSeconds) },
  });
}
