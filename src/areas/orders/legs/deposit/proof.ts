import { requireExtra } from '../../../../chains/family.ts';
import type { Ctx } from '../../../../context.ts';
import type { DepositRecord } from '../../../deposits/index.ts';
import { divide, scaleDown } from '../../pricing/decimals.ts';
import type { OrderRecord } from '../../state/types.ts';

const cents = 2;

/**
 * Why no money may leave for these deposits of an order, as the rest of a sentence about them;
 * undefined when it may. An operator who has looked himself has the last word.
 * @throws provider-unavailable, upstream-error when nobody can say at the moment
 */
export async function refuteDeposits(
  ctx: Pick<Ctx, 'chains'>,
  order: OrderRecord | undefined,
  deposits: readonly DepositRecord[],
): Promise<string | undefined> {
  const [first] = deposits;
  if (!first || order?.facts.depositsReleased === true) return undefined;
  return requireExtra(ctx.chains.familyOfChain(first.chain), 'deposits').proveDeposits({
    chain: first.chain,
    deposits,
    worthUsd: worthOf(order, deposits),
  });
}

/**
 * Why one of these deposits does not pay the order, as the rest of a sentence about them: its memo
 * or its payer is another's. What the rows say of both is proven by the chain, what the order
 * expects is sealed. An operator may have given it a deposit all the same.
 */
export function refuteOwner(
  order: OrderRecord,
  deposits: readonly DepositRecord[],
): string | undefined {
  const { depositsReleased, assignedDepositIds } = order.facts;
  const strange = deposits.find(({ id, memo, sender }) => {
    if (assignedDepositIds?.includes(id)) return false;
    const isOfPayer = order.payerKey === undefined ? memo !== undefined : sender === order.payerKey;
    return !isOfPayer || (memo !== undefined && memo !== order.memo);
  });
  if (!strange || depositsReleased === true) return undefined;
  return `are not all its own: the memo or the sender of deposit ${strange.id} is another order's`;
}

/** At the price of the order; what came may be more than it asked for. */
function worthOf(
  order: OrderRecord | undefined,
  deposits: readonly DepositRecord[],
): string | undefined {
  const { amountUsd } = order?.facts ?? {};
  const askedMinor = order?.terms?.pay.amountMinor ?? 0n;
  if (amountUsd === undefined || askedMinor === 0n) return undefined;
  const cameMinor = deposits.reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
  const worth = divide(scaleDown(amountUsd, cents) * cameMinor, askedMinor, 'up')
    .toString()
    .padStart(cents + 1, '0');
  return `${worth.slice(0, -cents)}.${worth.slice(-cents)}`;
}
