import type { ShopMoney } from '../../../types.ts';
import { partKindOf } from '../../money/parts.ts';
import { isByMeasure, parsePrice, pricesOfRow, sameMoney } from '../../money/prices.ts';
import { totalScore } from '../../money/totals.ts';
import type { PriceInfo, SnapshotInfo } from '../../page/snapshot.ts';
import { fail, type Run } from '../../run.ts';
import { anyOf, wordLists } from '../../words/languages.ts';
import { plain } from '../../words/words.ts';

interface Shown {
  /** The product's page has taken the wanted quantity: what the cart makes of it is another thing. */
  isSet: boolean;
  /** A field, a stepper, a text or a sum of cart or summary has said the wanted quantity. */
  isSeen: boolean;
  /** What one of it costs, as far as the product's page says it. */
  unitPrices: readonly ShopMoney[];
  /** What the chosen variant costs more, by the words of its options. */
  surcharge: bigint;
  /** How many pieces its page says one of it has: “2 pcs”. */
  pack?: number;
}

const shownTo = new WeakMap<Run, Shown>();

function shownOf(run: Run): Shown {
  const known = shownTo.get(run) ?? { isSet: false, isSeen: false, unitPrices: [], surcharge: 0n };
  shownTo.set(run, known);
  return known;
}

/** Notes what the field or stepper of the product's page holds. */
export function noteSet(run: Run, quantity: number): void {
  shownOf(run).isSet = quantity === run.state.quantity;
}

/** Whether the product's page has taken the wanted quantity, or the shop has shown it since. */
export const isQuantityTaken = (run: Run): boolean => shownOf(run).isSet || shownOf(run).isSeen;

/** What the cart has shown is no longer so: that of an account may have come to it. */
export function forgetQuantity(run: Run): void {
  shownOf(run).isSeen = false;
}

/** Notes what a field or stepper of the cart holds for this product. */
export function noteQuantity(run: Run, quantity: number): void {
  shownOf(run).isSeen = quantity === run.state.quantity;
}

/** Whether cart or summary have shown the wanted quantity. */
export const isQuantitySeen = (run: Run): boolean => shownOf(run).isSeen;

/** Notes what one of the product may cost. */
export function noteUnitPrices(run: Run, prices: readonly ShopMoney[]): void {
  shownOf(run).unitPrices = prices;
}

/**
 * Notes how many pieces the product's page says one of it has, before anything is in the cart: a
 * cart that says the same says no more.
 */
export function notePack(run: Run, { text }: SnapshotInfo): void {
  const title = plain(run.state.productTitle);
  const said = linesNear(text, title).flatMap((line) => inPieces.exec(line)?.[1] ?? []);
  shownOf(run).pack = said.map(Number).find((one) => one > 1);
}

/**
 * {@link quantityInText} of a page of the cart: how many it says, beside what one of it has. Pieces
 * that nothing costs as many of are those of a pack: the sum of its row says how many, and one that
 * costs what one costs says nothing.
 */
export function toldCount(run: Run, snapshot: SnapshotInfo): number | undefined {
  const { productTitle } = run.state;
  const told = quantityInText(snapshot.text, productTitle, shownOf(run).pack);
  if (told === undefined || told === quantityInText(snapshot.text, productTitle, told)) return told;
  const title = plain(productTitle);
  const rows = [...new Set(snapshot.prices.map(({ row }) => row))];
  const [summed, ...others] = new Set(
    rows
      .filter((row) => title !== '' && plain(row).includes(title))
      .flatMap((row) => countBySum(run, row, snapshot.prices) ?? []),
  );
  if (summed === undefined || others.length > 0 || summed === told) return told;
  if (isSumOf(run, snapshot, told)) return told;
  return summed === 1 ? undefined : summed;
}

/** Whether an amount of the goods is that of so many. */
function isSumOf(run: Run, snapshot: SnapshotInfo, count: number): boolean {
  const sums = shownOf(run).unitPrices.map((one) => ({
    ...one,
    amountMinor: one.amountMinor * BigInt(count),
  }));
  return snapshot.prices.some((price) => {
    const money =
      price.struck || !isOfGoods(price, snapshot, run.state.productTitle)
        ? undefined
        : parsePrice(price.text, {
            pageCurrency: run.state.pageCurrency,
            expected: run.task.maxCost.currency,
          });
    return money !== undefined && sums.some((sum) => sameMoney(sum, money));
  });
}

/** Notes by how much the chosen options raise the price, as they say it. */
export function noteSurcharge(run: Run, surcharge: bigint): void {
  shownOf(run).surcharge = surcharge;
}

/**
 * How much more than its page says one of the product costs with the chosen options, by their own
 * words; in smallest units.
 */
export const surchargeOf = (run: Run): bigint => shownOf(run).surcharge;

/** What one of the product costs, as far as its page says it: several where nothing is sure. */
export const unitPricesOf = (run: Run): readonly ShopMoney[] => shownOf(run).unitPrices;

const named = new RegExp(`(?:${anyOf(wordLists.quantity)})\\W{0,3}(\\d{1,3})(?![\\d.,])`);
const measure = String.raw`\s?\d+(?:[.,]\d+)?\s?(?:[mcd]?l|lit[er]{2}s?|m?g|kg|gr|oz|[cmk]?m|[gt]b)(?!\p{L})`;
/** “6 × 0.5 l” is what a pack holds. */
const counted = new RegExp(`(?:^|[\\s(])(\\d{1,3})\\s?(?:[x×](?!${measure})|@)(?!\\p{L})`, 'u');
const inPieces = new RegExp(
  `(?:^|[\\s(])(\\d{1,3})\\s?(?:${anyOf(wordLists.pieces)})(?!\\p{L})`,
  'u',
);
const timesAfter = /(?:^|[\s\p{L}])[x×]\s?(\d{1,3})(?![\d.,]|\s?(?:cm|mm|in))/u;
/** What a set is made of: “Includes 2 × plate”. */
const contents = new RegExp(`(?:^|[^\\p{L}])(?:${anyOf(wordLists.contents)})(?!\\p{L})`, 'u');
const linesAround = 3;

/** The lines around a product's name, without it and without what a set is made of. */
function linesNear(text: string, title: string): readonly string[] {
  const words = title.split(/[^\p{L}\d]+/u).filter((word) => word.length > 2);
  const lines = text.split('\n').map(plain).filter(Boolean);
  const isProduct = (line: string) =>
    words.length > 0 && words.filter((word) => line.includes(word)).length / words.length >= 0.6;
  const near = lines.filter((_, index) =>
    lines.slice(Math.max(0, index - linesAround), index + linesAround + 1).some(isProduct),
  );
  // The numbers of its name count nothing: “Cola 6 x 0.5 l”.
  return near
    .map((line) =>
      isProduct(line)
        ? words.reduce((rest, word) => rest.replace(word, ' '), line.replaceAll(title, ' '))
        : line.replaceAll(title, ' '),
    )
    .filter((line) => !contents.test(line));
}

/**
 * How many of the product a page says it has, in the lines around its name; undefined where it does
 * not say, or says several things.
 * @param pack so many pieces are in one of it
 */
export function quantityInText(
  text: string,
  productTitle: string,
  pack?: number,
): number | undefined {
  const found = new Set(
    linesNear(text, plain(productTitle)).flatMap((line) =>
      [named, counted, inPieces, timesAfter]
        .flatMap((pattern) => {
          const count = Number(pattern.exec(line)?.[1] ?? Number.NaN);
          return Number.isNaN(count) || (pattern === inPieces && count === pack) ? [] : count;
        })
        .slice(0, 1),
    ),
  );
  return found.size === 1 ? [...found][0] : undefined;
}

/**
 * How many a row is for, where its only amount is so many times what one costs by the product's
 * page; undefined where that is not sure: the page names several prices, or the row names the one
 * itself beside the sum.
 * @param prices the amounts of the row's page
 */
export function countBySum(
  run: Run,
  text: string,
  prices: readonly PriceInfo[] = [],
): number | undefined {
  const [unit, ...others] = shownOf(run).unitPrices;
  if (unit === undefined || others.length > 0 || unit.amountMinor <= 0n) return undefined;
  const shown = pricesOfRow(prices, text, {
    expected: unit.currency,
    ...(run.state.pageCurrency && { pageCurrency: run.state.pageCurrency }),
  });
  const [sum, ...rest] = new Set(
    shown
      .filter(({ currency }) => currency === unit.currency)
      .map(({ amountMinor }) => amountMinor),
  );
  if (sum === undefined || rest.length > 0) return undefined;
  const each = [unit.amountMinor, unit.amountMinor + surchargeOf(run)].filter(
    (one) => sum % one === 0n && sum / one <= countMax,
  );
  const counts = [...new Set(each.map((one) => Number(sum / one)))];
  return counts.includes(run.state.quantity) ? run.state.quantity : counts[0];
}
const countMax = 99n;

/**
 * Looks for the quantity in the words and sums of a cart or summary, where nothing there can be
 * set.
 */
export function readQuantity(run: Run, snapshot: SnapshotInfo): void {
  const known = shownOf(run);
  const { quantity } = run.state;
  if (known.isSeen) return;
  // What one costs stands in many a place: it says nothing of how many there are.
  const isSum = quantity !== 1 && isSumOf(run, snapshot, quantity);
  if (isSum || toldCount(run, snapshot) === quantity) known.isSeen = true;
}

/**
 * Whether an amount is one of the product, or of the goods: what delivery is free from, what
 * something else costs and what a litre costs may be so many times the price as well, and so may a
 * total with delivery in it.
 */
function isOfGoods(price: PriceInfo, { prices }: SnapshotInfo, productTitle: string): boolean {
  if (partKindOf(price.label) === 'subtotal') return true;
  if (isByMeasure(price)) return false;
  const title = plain(productTitle);
  if (title !== '' && plain(`${price.label} ${price.row}`).includes(title)) return true;
  const isPart = ({ label, text, struck }: PriceInfo) =>
    !struck && ['shipping', 'tax'].includes(partKindOf(label)) && /[1-9]/.test(text);
  return totalScore(price) > 0 && !prices.some(isPart);
}

/**
 * Several were asked for, and nothing in the shop has shown so many: one would be bought under the
 * name of many.
 * @throws RunStop
 */
export function refuseUnseenQuantity(run: Run): void {
  const { quantity } = run.state;
  if (quantity === 1 || isQuantityTaken(run)) return;
  refuseUnseen(run);
}

/** @throws RunStop */
export function refuseUnseen(run: Run): never {
  return fail(run, `The shop does not show how many it would send: ${askedFor(run)}.`);
}

/** `1 was asked for`. */
export const askedFor = ({ state: { quantity } }: Run): string =>
  `${quantity} ${quantity === 1 ? 'was' : 'were'} asked for`;
