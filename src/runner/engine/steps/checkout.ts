import { bestButton, clearLayers, clickAndRead, fingerprint } from '../act.ts';
import { captionOf } from '../buttons.ts';
import { type PageForm, readForm } from '../fields/forms.ts';
import { cardMeanings, type Meaning } from '../fields/meanings.ts';
import { totalScore } from '../money/totals.ts';
import type { ButtonInfo, Snapshot } from '../page/snapshot.ts';
import { fail, type Run, reach, readPage } from '../run.ts';
import { words } from '../words.ts';
import { type CardForm, findCardForm } from './card-fields.ts';
import { mendCart } from './cart.ts';
import { openCardTab } from './choices.ts';
import { type Filled, fillForm } from './fill-form.ts';
import { passHumanCheck, passLogin, passOneTimeCode } from './login.ts';

const pagesMax = 24;
const stuckMax = 3;
const visitsMax = 4;
const addressMeanings: readonly Meaning[] = ['addressLine1', 'postalCode', 'city', 'country'];
const contactMeanings: readonly Meaning[] = ['email', 'firstName', 'lastName', 'fullName', 'phone'];

/** The page on which one pays: where the card goes and which button orders. */
export interface PayPage {
  readonly snapshot: Snapshot;
  readonly card?: CardForm;
  readonly button: ButtonInfo;
  /** True when another page follows before the order is placed. */
  readonly isReviewNext: boolean;
}

/** From the cart to the page on which one pays, whatever lies between. */
export async function goToPayment(run: Run, given: Snapshot): Promise<PayPage> {
  let snapshot = given;
  let stuck = 0;
  const visits = new Map<string, number>();
  for (let page = 0; page < pagesMax; page += 1) {
    snapshot = await passHumanCheck(run, await clearLayers(run, snapshot));
    snapshot = await passOneTimeCode(run, snapshot);
    const form = readForm(snapshot);
    noteVisit(run, snapshot, visits);
    const isLoginWall = form.login !== undefined && form.fields.length === 0;
    if (isLoginWall) {
      snapshot = await passLogin(run, snapshot, form);
      continue;
    }
    const isForm = isCheckoutForm(run, snapshot, form);
    if (!isForm) snapshot = await mendCart(run, snapshot);
    const filled: Filled = isForm ? await fillForm(run, snapshot) : { snapshot, form, meanings: new Set() };
    snapshot = filled.snapshot;
    const pay = isForm ? await payPage(run, filled) : undefined;
    if (pay !== undefined) {
      await recordFilled(run, filled.meanings, true);
      return pay;
    }
    const before = fingerprint(snapshot);
    const next = nextButton(run, filled, isForm);
    if (next === undefined) {
      const opened = await openCardTab(run, snapshot);
      if (opened !== undefined) {
        snapshot = opened;
        continue;
      }
      stuck += 1;
      if (stuck >= stuckMax) fail(run, `The checkout could not be continued at “${snapshot.heading || snapshot.title}”.`);
      await new Promise((resolve) => setTimeout(resolve, 400));
      snapshot = await readPage(run, { quietMs: 400 });
      continue;
    }
    const after = await clickAndRead(run, snapshot, next);
    snapshot = after.snapshot;
    if (fingerprint(snapshot) === before || hasErrors(snapshot, filled)) {
      stuck += 1;
      run.log.info({ button: captionOf(next).slice(0, 60), alerts: snapshot.alerts.slice(0, 3) }, 'The checkout did not go on.');
      if (stuck >= stuckMax)
        fail(
          run,
          `The shop does not accept what was entered${snapshot.alerts[0] === undefined ? '' : `: ${snapshot.alerts[0].slice(0, 120)}`}.`,
        );
      continue;
    }
    stuck = 0;
    if (isForm) await recordFilled(run, filled.meanings, false);
  }
  return fail(run, 'The checkout has more pages than expected.');
}

/** A page that comes back again and again does not take what it is given. */
function noteVisit(run: Run, snapshot: Snapshot, visits: Map<string, number>): void {
  const key = `${snapshot.url} ${snapshot.fields.map((field) => `${field.name}${field.id}`).join()}`;
  const count = (visits.get(key) ?? 0) + 1;
  visits.set(key, count);
  if (count > 1 && run.state.deliveryText !== undefined) run.state.refusedDelivery.add(run.state.deliveryText);
  if (count > visitsMax)
    fail(
      run,
      `The shop does not accept what was entered${snapshot.alerts[0] === undefined ? '' : `: ${snapshot.alerts[0].slice(0, 120)}`}.`,
    );
}

const hasErrors = (snapshot: Snapshot, filled: Filled) =>
  snapshot.url === filled.snapshot.url &&
  filled.form.fields.some((one) =>
    snapshot.fields.some((field) => field.name === one.field.name && field.id === one.field.id && field.invalid && field.value === ''),
  );

async function recordFilled(run: Run, meanings: ReadonlySet<Meaning>, isLast: boolean): Promise<void> {
  if (contactMeanings.some((one) => meanings.has(one))) await reach(run, 'contact', {});
  if (isLast || addressMeanings.some((one) => meanings.has(one)))
    await reach(run, 'shipping', run.state.delivery === undefined ? {} : { delivery: run.state.delivery });
  if (isLast) await reach(run, 'payment', {});
}

/** A cart or a product page may have fields too; a checkout has those of a buyer, choices of delivery, or an order button. */
function isCheckoutForm(run: Run, snapshot: Snapshot, form: PageForm): boolean {
  const buyer = form.fields.filter(
    (one) => [...contactMeanings, ...addressMeanings].includes(one.meaning) || cardMeanings.has(one.meaning),
  );
  if (buyer.length > 0) return true;
  if (
    /checkout|kasse|commande|caisse|pedido|payment|shipping|delivery|review|order|step|pay/i.test(new URL(snapshot.url).pathname) &&
    !/cart|basket|warenkorb|panier|carrito/i.test(new URL(snapshot.url).pathname)
  )
    return true;
  if (snapshot.fields.some((field) => field.type === 'radio' && words.shippingMethod.test(`${field.groupLabel} ${field.name}`)))
    return true;
  const place = bestButton(run, snapshot, 'place');
  return (
    place !== undefined &&
    !words.addToCart.test(captionOf(place)) &&
    bestButton(run, snapshot, 'addToCart') === undefined &&
    !words.cart.test(snapshot.heading) &&
    words.terms.test(snapshot.text) &&
    bestButton(run, snapshot, 'checkout')?.ref === place.ref
  );
}

/** Where the last of the filled fields stands: the button that sends them is in their form and below. */
function placeOf(filled: Filled): { container: number; y: number } | undefined {
  const last = filled.form.fields.filter((one) => !cardMeanings.has(one.meaning)).toSorted((a, b) => b.field.y - a.field.y)[0];
  return last === undefined ? undefined : { container: last.field.container, y: last.field.y };
}

/** The page is for paying when it has card fields, or an order button and no other way on. */
async function payPage(run: Run, filled: Filled): Promise<PayPage | undefined> {
  let { snapshot } = filled;
  let card = await findCardForm(run, snapshot);
  const place = bestButton(run, snapshot, 'place');
  const goOn = bestButton(run, snapshot, 'continue', placeOf(filled));
  if (card === undefined && place !== undefined && !place.disabled) {
    const opened = await openCardTab(run, snapshot);
    if (opened !== undefined) {
      snapshot = opened;
      card = await findCardForm(run, snapshot);
    }
  }
  if (card !== undefined) {
    const near = { container: card.container, y: card.y };
    const order = bestButton(run, snapshot, 'place', near);
    const on = bestButton(run, snapshot, 'continue', near);
    const hasOpenSection = on !== undefined && order === undefined && on.y < card.y && !words.review.test(captionOf(on));
    if (hasOpenSection) return undefined;
    const button = order ?? on ?? bestButton(run, snapshot, 'checkout', near);
    if (button === undefined) return undefined;
    return {
      snapshot,
      card,
      button,
      isReviewNext: order === undefined && (words.review.test(captionOf(button)) || hasLaterReview(snapshot)),
    };
  }
  if (place === undefined || place.disabled) return undefined;
  // Labels lie: whoever orders must be shown a total, so “order and continue” without one leads to the next page.
  const hasTotal = snapshot.prices.some((price) => totalScore(price) > 0);
  if (!hasTotal && words.continue.test(captionOf(place))) return undefined;
  const isNearer = goOn !== undefined && goOn.ref !== place.ref && !goOn.disabled && filled.form.fields.length > 0;
  if (isNearer) return undefined;
  const isCart =
    words.cart.test(snapshot.heading) || (words.checkout.test(captionOf(place)) && !/checkout|kasse|payment|review/i.test(snapshot.url));
  return isCart ? undefined : { snapshot, button: place, isReviewNext: false };
}

const hasLaterReview = (snapshot: Snapshot) =>
  /\b(?:\d[.)]?\s*)?(?:review|überprüfen|übersicht|vérification|récapitulatif|revisión|resumen del pedido)\b/i.test(
    snapshot.text.slice(0, 1_500),
  ) && !words.thanks.test(snapshot.text);

/** The button that leads on: within a form that of the form, before it the way to the checkout. */
function nextButton(run: Run, filled: Filled, isForm: boolean): ButtonInfo | undefined {
  const { snapshot, form } = filled;
  const near = placeOf(filled);
  const open = (button: ButtonInfo | undefined) => (button === undefined || button.disabled ? undefined : button);
  if (isForm) {
    const inForm = open(bestButton(run, snapshot, 'continue', near)) ?? open(bestButton(run, snapshot, 'guest', near));
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
  const guest = open(bestButton(run, snapshot, 'guest'));
  if (guest !== undefined) return guest;
  const isCartPage = words.cart.test(snapshot.heading) || /cart|basket|warenkorb|panier|carrito/i.test(new URL(snapshot.url).pathname);
  const checkout = open(bestButton(run, snapshot, 'checkout'));
  const cart = open(bestButton(run, snapshot, 'cart'));
  if (isCartPage) return checkout ?? open(bestButton(run, snapshot, 'continue'));
  return cart ?? checkout ?? open(bestButton(run, snapshot, 'continue'));
}
