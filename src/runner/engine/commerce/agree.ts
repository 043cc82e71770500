import type { CommerceCheckout } from '../../commerce/types.ts';
import type { ShopMoney } from '../../types.ts';
import { formatMoney } from '../money/prices.ts';
import type { Run } from '../run.ts';
import { surchargeOf, unitPricesOf } from '../steps/product/quantity.ts';
import { namesWhole, plain } from '../words/words.ts';

/**
 * What a checkout of a shop's own interface has to be, so that it is what was asked for: the rules
 * of the cart, without a page.
 */

export interface WantedItem {
  readonly id: string;
  /** The shop's catalogue says that it is the product of the page with all that was chosen. */
  readonly exact: boolean;
}

/** Why a checkout is not exactly what was asked for, as a sentence; undefined when it is. */
export function disagreement(
  run: Run,
  checkout: CommerceCheckout,
  wanted: WantedItem,
): string | undefined {
  const { productTitle, quantity, choices } = run.state;
  const [line, ...others] = checkout.lines;
  if (line === undefined || others.length > 0)
    return `Its checkout has ${checkout.lines.length} lines, and one was asked for.`;
  if (line.itemId !== wanted.id)
    return `Its checkout lists “${line.title}” and not the item that was named.`;
  if (line.quantity !== quantity)
    return `Its checkout says ${line.quantity} pieces, and ${quantity} were asked for.`;
  const isNamed = isWholeTitle(line.title, productTitle, choices);
  if (productTitle === '' || !(isNamed || wanted.exact))
    return `Its checkout lists “${line.title}”, and “${productTitle}” was asked for.`;
  const missing = wanted.exact
    ? undefined
    : choices.find(({ chosen }) => !namesWhole(line.title, chosen));
  if (missing !== undefined)
    return `Its checkout does not say whether “${line.title}” is “${missing.chosen}”.`;
  return priceDisagreement(run, { amountMinor: line.unitPriceMinor, currency: checkout.currency });
}

/**
 * The product's title and what was chosen, with nothing but signs between: “Blue Mug – M”, and not
 * “Blue Mug XL, M”.
 */
function isWholeTitle(
  listed: string,
  productTitle: string,
  choices: Run['state']['choices'],
): boolean {
  const [title, asked] = [plain(listed), plain(productTitle)];
  if (!title.startsWith(asked)) return false;
  const chosen = choices
    .map((choice) => plain(choice.chosen))
    .toSorted((one, other) => other.length - one.length);
  return !/[\p{L}\d]/u.test(
    chosen.reduce((rest, value) => rest.replace(value, ' '), title.slice(asked.length)),
  );
}

/** The price is the one that the product's page said: once, or with what the chosen options add. */
function priceDisagreement(run: Run, price: ShopMoney): string | undefined {
  const units = unitPricesOf(run);
  if (units.length === 0)
    return 'The product’s page says no price with which its checkout could be compared.';
  const isSame = units.some(
    ({ amountMinor, currency }) =>
      currency === price.currency &&
      [amountMinor, amountMinor + surchargeOf(run)].includes(price.amountMinor),
  );
  return isSame
    ? undefined
    : `Its checkout asks ${formatMoney(price)} for one, and the product’s page says another price.`;
}

/**
 * Why its total cannot be believed or paid; undefined when it can. The rows have to add up to it:
 * those are its two sources.
 */
export function totalDisagreement(run: Run, checkout: CommerceCheckout): string | undefined {
  const { maxCost } = run.task;
  const sum = checkout.totals
    .filter(({ type }) => type !== 'total')
    .reduce((all, { amountMinor }) => all + amountMinor, 0n);
  if (checkout.currency !== maxCost.currency)
    return `It charges in ${checkout.currency}: another currency than that of the limit.`;
  if (sum !== checkout.totalMinor) return 'The rows of its checkout do not add up to its total.';
  return undefined;
}

export const totalOf = ({ currency, totalMinor }: CommerceCheckout): ShopMoney => ({
  amountMinor: totalMinor,
  currency,
});

/** Where the shop will send it, in its words; undefined when nothing is delivered. */
export function addressOf({ deliveries }: CommerceCheckout): string | undefined {
  const addresses = deliveries.flatMap(
    ({ destinations, selectedDestinationId }) =>
      destinations.find(({ id }) => id === selectedDestinationId)?.address ?? [],
  );
  return addresses.length === 0 ? undefined : [...new Set(addresses)].join('; ');
}

/** Everything that the user has approved, to compare: whatever differs is asked again. */
export function offerOf(checkout: CommerceCheckout): string {
  const lines = checkout.lines.map(({ itemId, title, quantity, totalMinor }) => [
    itemId,
    title,
    quantity,
    totalMinor.toString(),
  ]);
  const totals = checkout.totals.map(({ title, amountMinor }) => [title, amountMinor.toString()]);
  const chosen = checkout.deliveries.map(({ groups }) =>
    groups.map(({ selectedOptionId }) => selectedOptionId ?? ''),
  );
  return JSON.stringify([lines, totals, chosen, addressOf(checkout) ?? '', checkout.currency]);
}
