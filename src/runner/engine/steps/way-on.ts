import { bestButton } from '../act.ts';
import { captionOf, cartSegment, isHandle, leadsBack } from '../buttons.ts';
import { isCartPage } from '../cart/lines.ts';
import { totalScore } from '../money/totals.ts';
import { pathOf } from '../page/route.ts';
import type { ButtonInfo, Snapshot } from '../page/snapshot.ts';
import { isShopUrl, type Run } from '../run.ts';
import { words } from '../words/words.ts';
import type { Filled } from './buyer/fill-form.ts';
import { confirming, placeOf } from './paying/pay-page.ts';

/** Whether the button to the checkout has led from the cart to another page. */
export const hasLeftCart = (run: Run, before: Snapshot, pressed: ButtonInfo, after: Snapshot) =>
  isCartPage(run, before) && words.checkout.test(captionOf(pressed)) && !isCartPage(run, after);

/** Names a button across readings of its page. */
export const deadKey = (snapshot: Snapshot, button: ButtonInfo) =>
  `${snapshot.url} ${button.tag} ${button.hint} ${captionOf(button)}`;
/** The page without the buttons that did nothing. */
export const withoutDead = (snapshot: Snapshot, dead: ReadonlySet<string>): Snapshot => ({
  ...snapshot,
  buttons: snapshot.buttons.filter((button) => !dead.has(deadKey(snapshot, button))),
});

/** A button that opens the page of the cart by a script. */
const viewCart =
  /^(?:view|see|go to|open|edit) (?:my |your |the |full )?(?:shopping )?(?:cart|bag|basket)|^(?:zum )?warenkorb(?: (?:ansehen|anzeigen|öffnen))?$|^voir (?:le |mon )?panier|^ver (?:el |mi )?carrito|^(?:vai al|vedi) carrello|^(?:bekijk|naar) (?:de )?winkel|^ver carrinho/i;

/**
 * A cart that lies open beside the way to its page is read and mended there: what is typed into it
 * may count only once it is sent.
 */
export function leadsToCartPage(run: Run, snapshot: Snapshot): boolean {
  const cart = isCartPage(run, snapshot) ? undefined : bestButton(run, snapshot, 'cart');
  return (
    cart !== undefined &&
    cartSegment.test(pathOf(cart.href)) &&
    pathOf(cart.href) !== pathOf(snapshot.url)
  );
}

/** The way on within a layer over the page: a cart that slid in, a question about the address. */
function dialogButton(run: Run, snapshot: Snapshot, isUnderWay: boolean): ButtonInfo | undefined {
  const inside = {
    ...snapshot,
    buttons: snapshot.buttons.filter((button) => button.region === 'dialog' && !button.disabled),
  };
  if (inside.buttons.length === 0) return undefined;
  const cart = bestButton(run, inside, 'cart');
  // What else lies in the cart is seen on its page alone.
  const leadsToCart =
    cart !== undefined &&
    (cartSegment.test(pathOf(cart.href)) || (isHandle(cart) && viewCart.test(captionOf(cart))));
  if (!isUnderWay && leadsToCart && !isCartPage(run, snapshot)) return cart;
  return bestButton(run, inside, 'checkout') ?? cart ?? bestButton(run, inside, 'continue');
}

/**
 * The way past an offer between product and cart; a link that skips to the content of the page is
 * none.
 */
const declineButton = (run: Run, { buttons }: Snapshot): ButtonInfo | undefined =>
  buttons.find(
    (button) =>
      !['header', 'footer', 'nav'].includes(button.region) &&
      !button.disabled &&
      words.decline.test(captionOf(button)) &&
      !/^skip to|content|inhalt|navigation/i.test(captionOf(button)) &&
      (isHandle(button) || isShopUrl(run, button.href)),
  );

/** The button that leads on: within a form that of the form, before it the way to the checkout. */
export function nextButton(
  run: Run,
  filled: Filled,
  { isForm, isUnderWay }: { readonly isForm: boolean; readonly isUnderWay: boolean },
  dead: ReadonlySet<string>,
): ButtonInfo | undefined {
  const { form } = filled;
  const isCart = isCartPage(run, filled.snapshot);
  const alive = dead.size === 0 ? filled.snapshot : withoutDead(filled.snapshot, dead);
  // Behind the cart no way leads through it again.
  const snapshot =
    isUnderWay && !isCart
      ? { ...alive, buttons: alive.buttons.filter((button) => !leadsBack(alive, button)) }
      : alive;
  const near = placeOf(filled);
  // Where a total and an order button are shown, that button orders: only `pay` may press it.
  const hasTotal = snapshot.prices.some((price) => totalScore(price) > 0);
  const confirms = isForm ? confirming(snapshot) : undefined;
  const mayOrder = (button: ButtonInfo) =>
    button.ref === confirms?.ref ||
    (isForm &&
      hasTotal &&
      words.place.test(captionOf(button)) &&
      !words.continue.test(captionOf(button)) &&
      button.href === '');
  const open = (button: ButtonInfo | undefined) =>
    button === undefined || button.disabled || mayOrder(button) ? undefined : button;
  const over = dialogButton(run, snapshot, isUnderWay);
  if (over !== undefined && open(over) !== undefined) return over;
  if (isForm) {
    const inForm =
      open(bestButton(run, snapshot, 'continue', near)) ??
      open(bestButton(run, snapshot, 'guest', near));
    if (inForm !== undefined) return inForm;
    const submit = snapshot.buttons.find(
      (button) =>
        form.containers.has(button.container) &&
        button.type === 'submit' &&
        button.tag !== 'a' &&
        !button.disabled &&
        !words.place.test(captionOf(button)) &&
        !/coupon|promo|search|apply|gutschein/i.test(`${captionOf(button)} ${button.hint}`),
    );
    return submit ?? open(bestButton(run, snapshot, 'checkout', near));
  }
  const no = isCart ? undefined : declineButton(run, snapshot);
  if (no !== undefined) return no;
  const guest = open(bestButton(run, snapshot, 'guest'));
  if (guest !== undefined) return guest;
  const checkout = open(bestButton(run, snapshot, 'checkout'));
  const cart = open(bestButton(run, snapshot, 'cart'));
  if (isCart) return checkout ?? open(bestButton(run, snapshot, 'continue'));
  const on = isUnderWay ? open(bestButton(run, snapshot, 'continue')) : undefined;
  if (on !== undefined) return on;
  // A cart that lies open is not pressed again: that would close it.
  const isCartOpen = cart?.expanded === 'true' && checkout !== undefined;
  return (isCartOpen ? checkout : cart) ?? checkout ?? open(bestButton(run, snapshot, 'continue'));
}
