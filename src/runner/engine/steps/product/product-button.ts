import { bestButton } from '../../act.ts';
import { captionOf, isHandle } from '../../buttons.ts';
import { pageOf, pathOf } from '../../page/route.ts';
import type { ButtonInfo, Snapshot } from '../../page/snapshot.ts';
import type { Run } from '../../run.ts';
import { plain, words } from '../../words/words.ts';

/** The button of a product's page that puts it into the cart, or buys it at once, by its words. */
export function namedProductButton(run: Run, snapshot: Snapshot): ButtonInfo | undefined {
  const own = {
    ...snapshot,
    buttons: snapshot.buttons.filter((button) => !isOfAnother(run, snapshot, button)),
  };
  return bestButton(run, own, 'addToCart') ?? bestButton(run, own, 'buyNow');
}

/**
 * A card of another product: its row has a price and leads to a page of its own, and does not name
 * the product of this page. Related products have the same buttons, often as drawings alone.
 */
function isOfAnother(run: Run, snapshot: Snapshot, button: ButtonInfo): boolean {
  const { rowText } = button;
  const title = plain(snapshot.heading || run.state.productTitle);
  if (rowText === '' || !/\d/.test(rowText)) return false;
  const isNamed = title !== '' && plain(rowText).includes(title);
  const here = pathOf(snapshot.url);
  return snapshot.buttons.some(
    (other) =>
      other.rowText === rowText &&
      other.tag === 'a' &&
      /^https?:/.test(other.href) &&
      !isHandle(other) &&
      pageOf(other.href) !== pageOf(snapshot.url) &&
      (pathOf(other.href) !== here || new URL(other.href).search !== '') &&
      !aside.test(captionOf(other)) &&
      // “Blue Mug XL” is named by “Blue Mug”, and has a page of its own.
      (!isNamed || plain(captionOf(other)).startsWith(`${title} `)) &&
      (/\p{L}{3}/u.test(captionOf(other)) || other.hint !== '') &&
      snapshot.prices.some(
        (price) => price.row === rowText || Math.abs(price.y - button.y) < cardPixels,
      ),
  );
}
const cardPixels = 400;
/** Links beside a product's own button. */
const aside =
  /size|guide|chart|deliver|shipp|return|wish|compare|review|terms|condition|versand|liefer|grosse|größe|livraison|taille|envío|talla|more info|details? of/i;

const quiet = ['header', 'footer', 'nav', 'dialog', 'aside'];
const otherForm =
  /search|suche|newsletter|subscribe|review|coupon|promo|voucher|login|sign-?in|comment|contact|filter|sort/i;
const typed = ['text', 'email', 'tel', 'password', 'search', 'textarea', 'url'];

/**
 * The same where its words are others: “Order” or “Checkout” beside a price, else what sends the
 * only form of the page that asks for nothing to be typed but a number.
 */
export function productButton(run: Run, snapshot: Snapshot): ButtonInfo | undefined {
  const named = namedProductButton(run, snapshot);
  if (named !== undefined || snapshot.prices.length === 0) return named;
  const asksBuyer = snapshot.fields.some(
    (field) => ['email', 'password', 'tel'].includes(field.type) && !quiet.includes(field.region),
  );
  if (asksBuyer) return undefined;
  const inside = snapshot.buttons.filter(
    (button) =>
      button.href === '' && !quiet.includes(button.region) && !isOfAnother(run, snapshot, button),
  );
  const ordering = { ...snapshot, buttons: inside };
  return (
    bestButton(run, ordering, 'place') ??
    bestButton(run, ordering, 'checkout') ??
    onlyForm(snapshot, inside)
  );
}

function onlyForm(snapshot: Snapshot, inside: readonly ButtonInfo[]): ButtonInfo | undefined {
  const sends = inside.filter((button) => {
    const form = snapshot.forms[button.container];
    const own = snapshot.fields.filter((field) => field.container === button.container);
    return (
      button.type === 'submit' &&
      form?.tag === 'form' &&
      !otherForm.test(`${form.hint} ${form.action} ${form.role}`) &&
      !words.wishlist.test(captionOf(button)) &&
      !words.remove.test(captionOf(button)) &&
      !words.cookie.test(captionOf(button)) &&
      !own.some((field) => typed.includes(field.type) && !/^\d{1,3}$/.test(field.value))
    );
  });
  return sends.length === 1 ? sends[0] : undefined;
}
