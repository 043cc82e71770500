import { captionOf, cartSegment, findButtons } from '../buttons.ts';
import { countOfField, isCountField } from '../fields/count.ts';
import { withoutAmounts } from '../money/prices.ts';
import { pathOf } from '../page/route.ts';
import type { ButtonInfo, FieldInfo, Snapshot } from '../page/snapshot.ts';
import { isShopUrl, type Run } from '../run.ts';
import { findStepper, type Stepper } from '../steps/product/steppers.ts';
import { anyOf, wordLists } from '../words/languages.ts';
import { plain, words } from '../words/words.ts';
import { besideProduct, type Sameness, samenessOf } from './identity.ts';

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
  /** What it says beside the product. */
  readonly beside: string;
}

/** {@link lineKey} of a line. */
export const keyOf = ({ text, stepper }: CartLine): string => lineKey(text, stepper?.count);

/** How many a line of the cart says it has; undefined when it does not say. */
export function countOf(line: CartLine): number | undefined {
  if (line.quantity !== undefined) return countOfField(line.quantity);
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

/** Old shops put a whole page into one form. */
const isFormOfCart = (snapshot: Snapshot, container: number) =>
  snapshot.buttons.some(
    (button) =>
      button.container === container &&
      [words.remove, words.update, words.checkout].some((one) => one.test(captionOf(button))),
  );

/** A whole heading of what was put aside, perhaps twice, with how many there are. */
const asideHeading = new RegExp(
  `^(?:\\s*(?:${anyOf(wordLists.savedForLater)})\\s*(?:\\(?\\d+[^)]*\\)?)?:?)+$`,
  'iu',
);

/** Whether something stands in what was put aside for later: nothing of it is in the cart. */
function isPutAside(snapshot: Snapshot, one: FieldInfo | ButtonInfo): boolean {
  const isMoved = snapshot.buttons.some(
    (button) => button.rowText === one.rowText && words.moveToCart.test(captionOf(button)),
  );
  if (isMoved && one.rowText !== '') return true;
  for (let at = snapshot.boxes[one.box]; at !== undefined; at = snapshot.boxes[at.parent])
    if (asideHeading.test(at.heading)) return true;
  return false;
}

/**
 * What a page shows of its cart beside the cart itself is no more of it: of the two the one that
 * counts the product is read, else the cart itself.
 */
function withoutMirrors(lines: readonly CartLine[], isCart: boolean): readonly CartLine[] {
  const beside = ['header', 'nav', 'aside', ...(isCart ? ['dialog'] : [])];
  const isBeside = ({ quantity, stepper, remove }: CartLine) =>
    beside.includes((quantity ?? stepper?.minus ?? stepper?.plus ?? remove)?.region ?? '');
  const [own, aside] = [false, true].map((side) =>
    lines.filter((line) => isBeside(line) === side),
  ) as [CartLine[], CartLine[]];
  const has = (some: readonly CartLine[]) => some.some(({ isOurs }) => isOurs);
  const counts = (some: readonly CartLine[]) =>
    some.some((line) => line.isOurs && countOf(line) !== undefined);
  const kept = has(own) ? (counts(aside) && !counts(own) ? aside : own) : lines;
  // Where one says how many, another that does not is a small cart that nobody calls one.
  return counts(kept) ? kept.filter((line) => !line.isOurs || countOf(line) !== undefined) : kept;
}

/**
 * Of several lines that read like the product those with the fewest words of their own come first.
 * A plan of protection and the like names the product too, and is none where another line is.
 */
function sortOurs(lines: readonly CartLine[]): readonly CartLine[] {
  const isExtra = ({ sameness, beside }: CartLine) =>
    sameness === 'same' && words.extra.test(beside);
  const hasPlain = lines.some((line) => line.sameness === 'same' && !isExtra(line));
  const known = lines.map((line) =>
    hasPlain && isExtra(line) ? { ...line, sameness: 'similar' as const, isOurs: false } : line,
  );
  return [
    ...known
      .filter(({ isOurs }) => isOurs)
      .toSorted((one, other) => one.beside.length - other.beside.length),
    ...known.filter(({ isOurs }) => !isOurs),
  ];
}

/** Lines of a cart page, as far as it lets them be changed: the product's plainest one first. */
export function cartLines(run: Run, snapshot: Snapshot): readonly CartLine[] {
  const known = (text: string) => {
    const sameness = samenessOf(run, snapshot, text);
    return {
      sameness,
      isOurs: sameness === 'same' || run.state.asked.get(sameKey(text))?.['choice'] === 'same',
      beside: besideProduct(run, snapshot, text),
    };
  };
  const adds = snapshot.buttons.filter((button) => words.addToCart.test(captionOf(button)));
  const isCart = isCartPage(run, snapshot);
  // The count of a product's page stands beside the button that adds: behind a notice that
  // something was added it is no line.
  const isToAdd = ({ container, rowText }: FieldInfo) =>
    adds.some(
      (button) =>
        button.rowText === rowText ||
        (button.container === container &&
          snapshot.forms[container]?.tag === 'form' &&
          !(isCart && isFormOfCart(snapshot, container))),
    );
  const isAside = (one: FieldInfo | ButtonInfo) => isPutAside(snapshot, one);
  const fields = snapshot.fields.filter(
    (field) => field.rowText !== '' && !isToAdd(field) && !isAside(field) && isCountField(field),
  );
  const removes = snapshot.buttons.filter(
    (button) =>
      button.rowText !== '' &&
      !isAside(button) &&
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
        .filter((button) => button.count !== '' && isNew(button.rowText) && !isAside(button))
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
  const others = removes
    .filter(
      (button) => isNew(button.rowText) && !stepped.includes(button.rowText) && tellsMore(button),
    )
    .map((button) => ({ text: button.rowText, remove: button, ...known(button.rowText) }));
  return sortOurs(withoutMirrors([...lines, ...steppers, ...others], isCart));
}
