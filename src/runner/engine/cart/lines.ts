import { captionOf, cartSegment, findButtons } from '../buttons.ts';
import { withoutAmounts } from '../money/prices.ts';
import { pathOf } from '../page/route.ts';
import type { ButtonInfo, FieldInfo, Snapshot } from '../page/snapshot.ts';
import { isShopUrl, type Run } from '../run.ts';
import { findStepper, type Stepper } from '../steps/product/steppers.ts';
import { plain, words } from '../words/words.ts';
import { type Sameness, samenessOf } from './identity.ts';

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

/** Whether it is the page of the cart: a bag may be the product itself. */
export function isCartPage(run: Run, snapshot: Snapshot): boolean {
  const isProduct = snapshot.heading !== '' && snapshot.heading === run.state.productTitle;
  return (
    !isProduct && (words.cart.test(snapshot.heading) || cartSegment.test(pathOf(snapshot.url)))
  );
}

/** A line of the cart, as far as the page lets it be changed. */
export interface CartLine {
  readonly text: string;
  readonly quantity?: FieldInfo;
  readonly stepper?: Stepper;
  readonly remove?: ButtonInfo;
  readonly sameness: Sameness;
  /** The product that was asked for, by the shop's words or the user's. */
  readonly isOurs: boolean;
}

/** {@link lineKey} of a line. */
export const keyOf = ({ text, stepper }: CartLine): string => lineKey(text, stepper?.count);

/** How many a line of the cart says it has; undefined when it does not say. */
export function countOf(line: CartLine): number | undefined {
  if (line.quantity !== undefined) return Number(line.quantity.value);
  return line.stepper?.count;
}

/**
 * How many pieces a page says lie in the cart, beside the way to it; undefined where it does not
 * say.
 */
export function shownCount(run: Run, snapshot: Snapshot): number | undefined {
  const ways = findButtons(snapshot, 'cart', { isAllowed: (url) => isShopUrl(run, url) });
  const said = ways.flatMap(
    ({ button }) =>
      /(?<![\d.,])\d{1,3}(?![\d.,])/.exec(`${captionOf(button)} ${button.label}`) ?? [],
  )[0];
  return said === undefined ? undefined : Number(said);
}

/**
 * Whether the row of a button says anything beside it: a row of buttons alone is no line of the
 * cart.
 */
const tellsMore = (button: ButtonInfo) =>
  button.rowText.replace(captionOf(button), '').replace(/[^\p{L}]/gu, '').length > 2 &&
  /\d/.test(button.rowText);

/** Lines of a cart page, as far as it lets them be changed. */
export function cartLines(run: Run, snapshot: Snapshot): readonly CartLine[] {
  const known = (text: string) => {
    const sameness = samenessOf(run, snapshot, text);
    return {
      sameness,
      isOurs: sameness === 'same' || run.state.asked.get(sameKey(text))?.['choice'] === 'same',
    };
  };
  const adds = snapshot.buttons.filter((button) => words.addToCart.test(captionOf(button)));
  // The count of a product's page stands beside the button that adds: behind a notice that
  // something was added it is no line.
  const isToAdd = ({ container, rowText }: FieldInfo) =>
    adds.some(
      (button) =>
        button.rowText === rowText ||
        (button.container === container && snapshot.forms[container]?.tag === 'form'),
    );
  const fields = snapshot.fields.filter(
    (field) =>
      field.rowText !== '' &&
      !isToAdd(field) &&
      /^\d{1,3}$/.test(field.value) &&
      (['number', 'spinbutton', 'text', 'tel'].includes(field.type) ||
        (field.type === 'select' &&
          field.options.every((option) => /^\d{1,3}\+?$/.test(option.text)))) &&
      !/card|cvc|month|year|zip/i.test(field.name + field.id),
  );
  const removes = snapshot.buttons.filter(
    (button) =>
      button.rowText !== '' &&
      words.remove.test(
        captionOf(button) || button.label || button.hint.replaceAll(/[-_]/g, ' '),
      ) &&
      !words.cookie.test(captionOf(button)) &&
      !/close|schließ|fermer|cerrar|閉じる|dismiss/i.test(`${button.label} ${button.hint}`),
  );
  const counted = new Set(fields.map(({ rowText }) => rowText));
  // Some tables write what can be done with a line in a row of its own below it.
  const below = (field: FieldInfo) => {
    const next = Math.min(
      ...fields.filter(({ y }) => y > field.y + field.height).map(({ y }) => y),
    );
    return removes.find(
      (button) =>
        !counted.has(button.rowText) &&
        !tellsMore(button) &&
        button.y >= field.y &&
        button.y < next,
    );
  };
  const lines = fields.map((field) => ({
    text: field.rowText,
    quantity: field,
    remove: removes.find((button) => button.rowText === field.rowText) ?? below(field),
    ...known(field.rowText),
  }));
  const isNew = (text: string) => text !== '' && !lines.some((line) => line.text === text);
  const stepped = [
    ...new Set(
      snapshot.buttons
        .filter((button) => button.count !== '' && isNew(button.rowText))
        .map(({ rowText }) => rowText),
    ),
  ];
  const steppers = stepped.flatMap((text) => {
    const stepper = findStepper(snapshot, (button) => button.rowText === text);
    return stepper === undefined
      ? []
      : [
          {
            text,
            stepper,
            remove: removes.find((button) => button.rowText === text),
            ...known(text),
          },
        ];
  });
  // What a page shows of its cart beside the cart itself is no more of it.
  const isBeside = ({ region }: { readonly region: string }) =>
    ['header', 'nav', 'aside'].includes(region);
  const hasOwn = lines.some((line) => line.isOurs && !isBeside(line.quantity));
  const others = removes
    .filter(
      (button) =>
        isNew(button.rowText) &&
        !stepped.includes(button.rowText) &&
        tellsMore(button) &&
        !(hasOwn && isBeside(button)),
    )
    .map((button) => ({ text: button.rowText, remove: button, ...known(button.rowText) }));
  return [...lines, ...steppers, ...others];
}
