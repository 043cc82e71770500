import { captionOf, isHandle } from '../buttons.ts';
import { pricesOfRow, withoutAmounts } from '../money/prices.ts';
import type { ButtonInfo, Snapshot } from '../page/snapshot.ts';
import type { Run } from '../run.ts';
import { surchargeOf, unitPricesOf } from '../steps/product/quantity.ts';
import { anyOf, wordLists } from '../words/languages.ts';
import { namesWhole, plain, words } from '../words/words.ts';

/** What a row of the shop is to the product that was asked for. */
export type Sameness = 'same' | 'similar' | 'other';

/**
 * The question whether a similar line is the product, by the words of the line alone: its numbers
 * change with its count.
 */
export const sameKey = (text: string) =>
  `cart/same/${plain(text)
    .replace(/[^\p{L}]/gu, '')
    .slice(0, 80)}`;

/**
 * Which line it is: its words and its numbers, “CR2025” and “CR2032”, without what changes with its
 * count: amounts, and the number that its stepper shows.
 */
export function lineKey(text: string, count: number | string = ''): string {
  const shown = new RegExp(`(?<![\\p{L}\\d.,])${count}(?![\\p{L}\\d.,])`, 'u');
  const bare = withoutAmounts(text);
  return plain(`${count}` === '' ? bare : bare.replace(shown, ' ')).slice(0, 160);
}

/** So many of the title's words make a row similar. */
const similarShare = 0.6;
const quantityMax = 99n;

/**
 * Whether a row of the cart is the product that was asked for. The same is what leads to its page,
 * or has its whole title, and costs what its page said. Fewer words of the title, or another price,
 * make it similar: that is asked, and never taken for granted.
 */
export function samenessOf(run: Run, snapshot: Snapshot, rowText: string): Sameness {
  const title = plain(run.state.productTitle);
  const titles = [title, plain(run.state.titleBefore ?? '')].filter((one) => one !== '');
  const row = plain(rowText);
  const links = snapshot.buttons.filter(
    (button) => button.tag === 'a' && button.href !== '' && button.rowText === rowText,
  );
  const leadsThere = links.some((button) => isProductAddress(button.href, run.state.productUrl));
  const named = links
    .map((button) => ({ name: plain(captionOf(button)), href: button.href }))
    .filter(({ name }) => name.length > 2);
  // “Blue Mug XL” with a page of its own is another product than “Blue Mug”.
  const isLonger = named.some(
    ({ name, href }) =>
      !titles.includes(name) &&
      titles.some((one) => name.startsWith(`${one} `)) &&
      !isProductAddress(href, run.state.productUrl),
  );
  const isNamed =
    titles.some((one) => row.includes(one)) && !isLonger && !goesOn(run, snapshot, rowText, titles);
  if ((leadsThere || isNamed) && (namesOther(run, row) || isAbout(titles, row))) return 'similar';
  if (leadsThere || isNamed)
    return hasPrice(run, snapshot, rowText, leadsThere && namesChoices(run, row))
      ? 'same'
      : 'similar';
  const tokens = title.split(/[^\p{L}\d]+/u).filter((word) => word.length > 2);
  const isSimilar =
    tokens.length > 0 &&
    tokens.filter((word) => row.includes(word)).length / tokens.length >= similarShare;
  return isSimilar || isLonger ? 'similar' : 'other';
}

/**
 * The page of the product: its path, and every part of the query that says which one. A cart may
 * write the variant behind its number.
 */
function isProductAddress(address: string, product: string): boolean {
  if (!URL.canParse(address) || !URL.canParse(product)) return false;
  const [link, wanted] = [new URL(address), new URL(product)];
  const path = (url: URL) =>
    `${url.pathname.replace(/\/$/, '')}${/^#!?\//.test(url.hash) ? url.hash : ''}`;
  if (link.origin !== wanted.origin || path(link) !== path(wanted) || path(link) === '')
    return false;
  const isSame = (found: string | null, value: string) =>
    found === value || (value !== '' && found?.replace(variantBehind, '') === value);
  return [...wanted.searchParams].every(
    ([name, value]) => isAside(name) || isSame(link.searchParams.get(name), value),
  );
}
/** `12:4f2a…` in Zen Cart, `12{4}1` in osCommerce. */
const variantBehind = /(?::[\da-f]{32}|(?:\{\d+\}\d+)+)$/;
/** Where somebody came from, and which picture is shown, name no other product. */
const isAside = (name: string) =>
  /^(?:utm_|ref|src|source|gclid|fbclid|from|sort|order|page|limit|search|q$|lang|currency|variant)/i.test(
    name,
  );

/**
 * Whether the lines of a row have no whole title, but one that goes on: “Blue Mug Lid”. What was
 * chosen may stand behind it, its number, and anything behind a mark or with a name: “Size: M”.
 */
function goesOn(run: Run, snapshot: Snapshot, rowText: string, titles: readonly string[]): boolean {
  const linked = snapshot.buttons.filter((one) => one.tag === 'a' && one.rowText === rowText);
  const said = [...snapshot.text.split('\n'), ...linked.map(captionOf)].map(plain);
  const named = said.filter((line) => titles.some((one) => line.includes(one)));
  // The same words may stand elsewhere on the page: each stands for its own part of the row.
  let row = plain(rowText);
  const lines = [...new Set(named)]
    .toSorted((one, other) => other.length - one.length)
    .filter((line) => {
      const isOfRow = row.includes(line);
      row = row.replace(line, ' ');
      return isOfRow;
    });
  const isLonger = (line: string) =>
    titles.some((one) => line.startsWith(`${one} `)) &&
    /^\p{L}{3}/u.test(sayingOf(run, snapshot, rowText, line).replace(attribute, ''));
  return lines.length > 0 && lines.every(isLonger);
}
const attribute = new RegExp(`^(?:${anyOf(wordLists.quantity)}|[^:]{1,24}:).*`, 'u');

/** Whether a row names the product as what it is for alone: “Lid for Blue Mug”. */
const isAbout = (titles: readonly string[], row: string) => {
  const before = titles.flatMap((title) => row.split(title).slice(0, -1));
  return before.length > 0 && before.every((text) => isFor.test(text));
};
const isFor = new RegExp(`(?:^|[^\\p{L}])(?:${anyOf(wordLists.madeFor)}) $`, 'u');

/** The letters of {@link sayingOf}. */
export const besideProduct = (run: Run, snapshot: Snapshot, rowText: string): string =>
  sayingOf(run, snapshot, rowText)
    .replace(/[^\p{L}]+/gu, ' ')
    .trim();

/**
 * What a row, or a line of it, says beside the product, in plain text: without its title, amounts,
 * what was chosen, and what stands on its buttons and fields.
 */
export function sayingOf(
  run: Run,
  { buttons, fields }: Snapshot,
  rowText: string,
  said = rowText,
): string {
  const { productTitle, titleBefore = '', choices } = run.state;
  const isAction = (button: ButtonInfo) =>
    isHandle(button) || [words.remove, words.wishlist].some((one) => one.test(captionOf(button)));
  const known = [
    productTitle,
    titleBefore,
    ...choices.map(({ chosen }) => chosen),
    ...buttons.filter((one) => one.rowText === rowText && isAction(one)).map(captionOf),
    ...fields.filter((one) => one.rowText === rowText).map(({ label }) => label),
  ];
  return known
    .map(plain)
    .filter((text) => text.length > 2)
    .toSorted((one, other) => other.length - one.length)
    .reduce((text, one) => text.replaceAll(one, ' '), plain(withoutAmounts(said)))
    .trim();
}

/** Whether a row names everything that was chosen. */
const namesChoices = (run: Run, row: string) =>
  run.state.choices.every(({ chosen }) => namesWhole(row, chosen));

/**
 * Whether a row names another value than the chosen one: “Mug - White” is not the black one, though
 * they share title and price.
 */
const namesOther = ({ state: { choices, productTitle } }: Run, row: string) =>
  choices.some(
    ({ chosen, others }) =>
      !namesWhole(row, chosen) &&
      others.some((other) => namesWhole(row, other) && !namesWhole(plain(productTitle), other)),
  );

/**
 * Whether a row says no price, or one that its product's page said, once or for some of it.
 * `mayCostMore`: the chosen options may have raised it, by what they say.
 */
function hasPrice(run: Run, { prices }: Snapshot, rowText: string, mayCostMore: boolean): boolean {
  const units = unitPricesOf(run);
  const context = {
    expected: run.task.maxCost.currency,
    ...(run.state.pageCurrency && { pageCurrency: run.state.pageCurrency }),
  };
  const shown = pricesOfRow(prices, rowText, context);
  if (units.length === 0 || shown.length === 0) return true;
  return shown.some(({ amountMinor, currency }) =>
    units.some(
      (unit) =>
        unit.currency === currency &&
        unit.amountMinor > 0n &&
        (isSoMany(amountMinor, unit.amountMinor) ||
          (mayCostMore && isSoMany(amountMinor, unit.amountMinor + surchargeOf(run)))),
    ),
  );
}

const isSoMany = (amount: bigint, unit: bigint) =>
  amount % unit === 0n && amount / unit >= 1n && amount / unit <= quantityMax;
