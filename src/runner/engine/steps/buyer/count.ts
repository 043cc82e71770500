import type { ShopMoney } from '../../../types.ts';
import { partKindOf } from '../../money/parts.ts';
import { formatMoney, parsePrice } from '../../money/prices.ts';
import type { Totals } from '../../money/totals.ts';
import { askOnce, fail, isUsersOwn, type Run } from '../../run.ts';
import type { ShownOrder } from '../outcome/shown-order.ts';
import {
  askedFor,
  countBySum,
  isQuantitySeen,
  noteQuantity,
  refuseUnseen,
  unitPricesOf,
} from '../product/quantity.ts';
import { foreignLines, saysTotal } from './extras.ts';

/** The goods cost less than so much of what as many as were asked for cost, in hundredths. */
const dearEnough = 80n;

/**
 * That a summary bills as many of the product as were asked for. Its sums say so, or cart and
 * summary have: a field, a stepper, words. Where nothing of the kind does, the user decides by
 * what the shop wants in all: another basket may have come to the cart, or less may lie in it. So
 * the user does where far less is billed than the cart has shown: that may be a discount, and a
 * number that the shop never got.
 * @param order what the summary lists
 * @throws RunStop when it bills another number, or the user does not want it
 */
export async function settleCount(
  run: Run,
  lines: Totals['lines'],
  total: ShopMoney,
  order: Pick<ShownOrder, 'counts' | 'told'>,
): Promise<void> {
  const { counts, told } = order;
  const { quantity, productTitle } = run.state;
  if (foreignLines(run, lines, total).length > 0) return;
  if (new Set(counts).size === 1) noteQuantity(run, counts[0]!);
  const subtotal = lines.findLast(
    ({ title, amount }) => amount !== undefined && partKindOf(title) === 'subtotal',
  )?.amount;
  const billed = subtotal === undefined ? undefined : countBySum(run, subtotal);
  const isSeen = isQuantitySeen(run);
  // Fewer than the shop itself counts may be a discount.
  if (billed !== undefined && (billed > quantity || (billed < quantity && !isSeen)))
    fail(run, `The shop bills ${billed} of it (${subtotal}): ${askedFor(run)}.`);
  const isHeldHere = counts.reduce((sum, one) => sum + one, 0) === quantity;
  // “2 pcs” may be what is in one: words alone prove nothing against the bill.
  const isSaidHere = isHeldHere || (told === quantity && billed === undefined);
  if (billed === quantity || (isSeen && isSaidHere)) return;
  const rest = subtotal === undefined ? withoutDelivery(run, lines, total) : undefined;
  const goods = (subtotal === undefined ? rest : priceOf(run, subtotal)) ?? total;
  if (isSeen && billed === undefined && !isFarLess(run, goods)) return;
  if (rest !== undefined && countBySum(run, formatMoney(rest)) === quantity) return;
  if (quantity === 1 && isOne(run, goods)) return;
  const units = unitPricesOf(run).map(formatMoney);
  const values = await askOnce(run, `count/${formatMoney(total)}`, {
    kind: 'option-choice',
    question: `The shop does not show how many of “${productTitle}” it would send: ${askedFor(run)}${units.length === 1 ? ` at ${units[0]}` : ''}, and it wants ${formatMoney(goods)}${goods === total ? ' in all' : ' for the goods'}. Buy that?`,
    options: [
      { value: 'stop', title: 'No, buy nothing' },
      { value: 'buy', title: 'Yes, buy it' },
    ],
  });
  if (values['choice'] !== 'buy') refuseUnseen(run);
}

function isFarLess(run: Run, { amountMinor, currency }: ShopMoney): boolean {
  const units = unitPricesOf(run).filter((unit) => unit.currency === currency);
  return (
    units.length > 0 &&
    units.every(
      (unit) => amountMinor * 100n < unit.amountMinor * BigInt(run.state.quantity) * dearEnough,
    )
  );
}

function priceOf(run: Run, text: string): ShopMoney | undefined {
  const { pageCurrency } = run.state;
  return parsePrice(text, {
    expected: run.task.maxCost.currency,
    ...(pageCurrency && { pageCurrency }),
  });
}

/** What the goods cost where the rows of a summary are its delivery and its total alone. */
function withoutDelivery(
  run: Run,
  lines: Totals['lines'],
  total: ShopMoney,
): ShopMoney | undefined {
  const rows = lines.filter(({ title, amount }) => amount !== undefined && !saysTotal(title));
  const [delivery, ...others] = rows.map(({ title, amount }) =>
    partKindOf(title) === 'shipping' ? priceOf(run, amount!) : undefined,
  );
  if (delivery === undefined || others.length > 0 || delivery.currency !== total.currency)
    return undefined;
  return { ...total, amountMinor: total.amountMinor - delivery.amountMinor };
}

/**
 * Whether a sum is less than two of the product cost. Where the product's page has said no price,
 * nothing can be told, and nobody but the user has put anything into the cart of a user.
 */
function isOne(run: Run, { amountMinor, currency }: ShopMoney): boolean {
  const units = unitPricesOf(run).filter((unit) => unit.currency === currency);
  if (units.length === 0) return !isUsersOwn(run);
  return units.every((unit) => amountMinor < 2n * unit.amountMinor);
}
