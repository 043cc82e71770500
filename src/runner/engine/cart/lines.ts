import { captionOf, cartSegment } from '../buttons.ts';
import { countOfField, isCountField } from '../fields/count.ts';
import { pathOf } from '../page/route.ts';
import type { ButtonInfo, FieldInfo, Snapshot } from '../page/snapshot.ts';
import type { Run } from '../run.ts';
import { findStepper, type Stepper } from '../steps/product/steppers.ts';
import { anyOf, wordLists } from '../words/languages.ts';
import { words } from '../words/words.ts';
import { besideProduct, lineKey, type Sameness, sameKey, samenessOf } from './identity.ts';

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

/** A whole heading of what was put aside, perhaps twice, with how many there are. */
const asideHeading = new RegExp(
  `^(?:\\s*(?:${anyOf(wordLists.savedForLater)})\\s*(?:\\(?\\d+[^)]*\\)?)?:?)+$`,
  'iu',
);

/** Whether something stands in what was put aside for later: nothing of it is in the cart. */
function isPutAside({ boxes, buttons }: Snapshot, { rowText, box }: FieldInfo | ButtonInfo) {
  for (let at = boxes[box]; at !== undefined; at = boxes[at.parent])
    if (asideHeading.test(at.heading)) return true;
  return buttons.some((one) => one.rowText === rowText && words.moveToCart.test(captionOf(one)));
}

const takesOut = (button: ButtonInfo) =>
  words.remove.test(captionOf(button) || button.label || button.hint.replaceAll(/[-_]/g, ' ')) &&
  !words.cookie.test(captionOf(button)) &&
  !/close|schließ|fermer|cerrar|閉じる|dismiss/i.test(`${button.label} ${button.hint}`);

/** Whether a row says anything beside its button: a row of buttons alone is no line of the cart. */
const tellsMore = (button: ButtonInfo) =>
  button.rowText.replace(captionOf(button), '').replace(/[^\p{L}]/gu, '').length > 2 &&
  /\d/.test(button.rowText);

/**
 * The count of a product's page stands beside the button that adds: behind a notice that something
 * was added it is no line. Old shops put their whole page into one form.
 */
function isToAdd({ buttons, forms }: Snapshot, isCart: boolean, { container, rowText }: FieldInfo) {
  const inForm = buttons.filter((button) => button.container === container);
  const isFormOfCart = inForm.some((button) =>
    [words.remove, words.update, words.checkout].some((one) => one.test(captionOf(button))),
  );
  const adding = buttons.filter((button) => words.addToCart.test(captionOf(button)));
  return adding.some(
    (button) =>
      button.rowText === rowText ||
      (inForm.includes(button) && forms[container]?.tag === 'form' && !(isCart && isFormOfCart)),
  );
}

/** Lines of a cart page, as far as it lets them be changed: the product's plainest one first. */
export function cartLines(run: Run, snapshot: Snapshot): readonly CartLine[] {
  const isCart = isCartPage(run, snapshot);
  const isIn = (one: FieldInfo | ButtonInfo) => one.rowText !== '' && !isPutAside(snapshot, one);
  const fields = snapshot.fields.filter(
    (field) => isIn(field) && isCountField(field) && !isToAdd(snapshot, isCart, field),
  );
  const removes = snapshot.buttons.filter((button) => isIn(button) && takesOut(button));
  const inRow = (text: string) => removes.find(({ rowText }) => rowText === text);
  const known = new Set(fields.map(({ rowText }) => rowText));
  const steps = snapshot.buttons.filter(
    (button) => button.count !== '' && !known.has(button.rowText) && isIn(button),
  );
  // Some tables write what can be done with a line in a row of its own below it.
  const below = ({ y, height }: FieldInfo) => {
    const next = Math.min(...fields.filter((one) => one.y > y + height).map((one) => one.y));
    return removes.find(
      (one) => !known.has(one.rowText) && !tellsMore(one) && one.y >= y && one.y < next,
    );
  };
  // Two rows may say the same.
  const stepped = [...new Set(steps.map(({ rowRef }) => rowRef))].flatMap((row) => {
    const stepper = findStepper(snapshot, ({ rowRef }) => rowRef === row);
    const text = steps.find(({ rowRef }) => rowRef === row)!.rowText;
    return stepper === undefined ? [] : [{ text, stepper, remove: inRow(text) }];
  });
  const isKnown = (text: string) => known.has(text) || stepped.some((row) => row.text === text);
  const rows = [
    ...fields.map((quantity) => ({
      text: quantity.rowText,
      quantity,
      remove: inRow(quantity.rowText) ?? below(quantity),
    })),
    ...stepped,
    ...removes
      .filter((one) => tellsMore(one) && !isKnown(one.rowText))
      .map((remove) => ({ text: remove.rowText, remove })),
  ];
  const lines = rows.map((row): CartLine => {
    const sameness = samenessOf(run, snapshot, row.text);
    const isMeant = run.state.asked.get(sameKey(row.text))?.['choice'] === 'same';
    const beside = besideProduct(run, snapshot, row.text);
    return { ...row, sameness, isOurs: sameness === 'same' || isMeant, beside };
  });
  return sortOurs(withoutMirrors(lines, isCart));
}

/**
 * What a page shows of its cart beside the cart itself is no more of it: of the two the one that
 * counts the product is read, else the cart itself.
 */
function withoutMirrors(lines: readonly CartLine[], isCart: boolean): readonly CartLine[] {
  const beside = ['header', 'nav', 'aside', ...(isCart ? ['dialog'] : [])];
  const isBeside = ({ quantity, stepper, remove }: CartLine) =>
    beside.includes((quantity ?? stepper?.minus ?? stepper?.plus ?? remove)?.region ?? '');
  const counts = (some: readonly CartLine[]) =>
    some.some((line) => line.isOurs && countOf(line) !== undefined);
  const aside = lines.filter(isBeside);
  const own = lines.filter((line) => !isBeside(line));
  const main = counts(aside) && !counts(own) ? aside : own;
  const kept = own.some(({ isOurs }) => isOurs) ? main : lines;
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
  const wordsOf = ({ isOurs, beside }: CartLine) => (isOurs ? beside.length : Number.MAX_VALUE);
  return known.toSorted((one, other) => wordsOf(one) - wordsOf(other));
}
