import { bestButton } from '../act.ts';
import { captionOf } from '../buttons.ts';
import type { ButtonInfo, Snapshot } from '../page/snapshot.ts';
import type { Run } from '../run.ts';
import { words } from '../words.ts';

/** The button of a product's page that puts it into the cart, or buys it at once, by its words. */
export function namedProductButton(run: Run, snapshot: Snapshot): ButtonInfo | undefined {
  return bestButton(run, snapshot, 'addToCart') ?? bestButton(run, snapshot, 'buyNow');
}

const quiet = ['header', 'footer', 'nav', 'dialog', 'aside'];
const otherForm = /search|suche|newsletter|subscribe|review|coupon|promo|voucher|login|sign-?in|comment|contact|filter|sort/i;
const typed = ['text', 'email', 'tel', 'password', 'search', 'textarea', 'url'];

/**
 * The same where its words are others: “Order” or “Checkout” beside a price, else what sends the only form of the page that
 * asks for nothing to be typed but a number.
 */
export function productButton(run: Run, snapshot: Snapshot): ButtonInfo | undefined {
  const named = namedProductButton(run, snapshot);
  if (named !== undefined || snapshot.prices.length === 0) return named;
  const asksBuyer = snapshot.fields.some((field) => ['email', 'password', 'tel'].includes(field.type) && !quiet.includes(field.region));
  if (asksBuyer) return undefined;
  const inside = snapshot.buttons.filter((button) => button.href === '' && !quiet.includes(button.region));
  const ordering = { ...snapshot, buttons: inside };
  return bestButton(run, ordering, 'place') ?? bestButton(run, ordering, 'checkout') ?? onlyForm(snapshot, inside);
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
