import { bestButton, clearLayers, clickAndRead, fingerprint } from '../act.ts';
import { captionOf } from '../buttons.ts';
import { cartLines, countOf, isCartPage } from '../cart/lines.ts';
import { mendCart } from '../cart/mend.ts';
import { takeOnce } from '../cart/plans.ts';
import { setChecked } from '../fields/fill.ts';
import { type PageForm, readForm } from '../fields/forms.ts';
import { cardMeanings, type Meaning } from '../fields/meanings.ts';
import { partKindOf } from '../money/parts.ts';
import { openAmount } from '../money/unfinished.ts';
import { notLoaded } from '../page/quiet.ts';
import { pathOf } from '../page/route.ts';
import type { Snapshot } from '../page/snapshot.ts';
import { fail, type Run, reachAll, readLater, readPage } from '../run.ts';
import { unstick } from '../stuck.ts';
import { plain, words } from '../words/words.ts';
import { type Filled, fillForm } from './buyer/fill-form.ts';
import { openManualAddress } from './buyer/manual-address.ts';
import { agreeToTerms, hasDeliveryRadios, openCardTab, untickExtras } from './choices.ts';
import { announceStep } from './known-steps.ts';
import { passHumanCheck, passLogin, passOneTimeCode } from './login/login.ts';
import { choosePrivatePerson } from './login/private-person.ts';
import { openCartAgain, signInLate } from './login/sign-in.ts';
import { noteQuote } from './outcome/quote.ts';
import { Parts } from './parts.ts';
import { payAtOnce } from './paying/instalments.ts';
import { type PayPage, payPage } from './paying/pay-page.ts';
import { deadKey, hasLeftCart, leadsToCartPage, nextButton, withoutDead } from './way-on.ts';

const pagesMax = 24;
const amountWaitsMax = 10;
const deliveryWaitsMax = 4;
const stuckMax = 3;
const visitsMax = 4;
const clearingsMax = 2;
const addressMeanings: readonly Meaning[] = ['addressLine1', 'postalCode', 'city', 'country'];
/**
 * What only a buyer's form asks for: an estimate of the delivery wants a country and a postal code
 * alone.
 */
const personMeanings: ReadonlySet<Meaning> = new Set([
  'email',
  'firstName',
  'lastName',
  'fullName',
  'addressLine1',
  'cardNumber',
]);
const contactMeanings: readonly Meaning[] = ['email', 'firstName', 'lastName', 'fullName', 'phone'];

/** From the cart to the page on which one pays, whatever lies between. */
export async function goToPayment(run: Run, given: Snapshot): Promise<PayPage> {
  let snapshot = given;
  let stuck = 0;
  // A button that did nothing is not pressed again while there is another one.
  const dead = new Set<string>();
  const visits = new Map<string, number>();
  const manual = new Map<string, number>();
  // Where the way on was pressed last: a page that comes back was refused.
  let leftFrom = '';
  let isUnderWay = false;
  const parts = new Parts();
  let clearings = 0;
  const help = async (sentence: string) => {
    const helped = (await unstick(run, { kind: 'go-on' }, snapshot)) ?? fail(run, sentence);
    stuck = 0;
    dead.clear();
    visits.clear();
    return helped.snapshot;
  };
  for (let page = 0; page < pagesMax; page += 1) {
    snapshot = await passHumanCheck(run, await clearLayers(run, snapshot));
    snapshot = await passOneTimeCode(run, snapshot);
    if (isCartPage(run, snapshot)) run.state.cartUrl = snapshot.url;
    const signedIn = await signInLate(run, snapshot);
    if (signedIn !== undefined) {
      snapshot = signedIn;
      continue;
    }
    const form = readForm(snapshot);
    if (isVisitedInVain(run, snapshot, visits, parts.taken)) {
      snapshot = await help(`The shop does not accept what was entered${said(snapshot)}.`);
      continue;
    }
    const isLoginWall = form.login !== undefined && form.fields.length === 0;
    if (isLoginWall) {
      snapshot = (await takeGuestWay(run, snapshot)) ?? (await passLoginWall(run, snapshot, form));
      continue;
    }
    const isForm = isCheckoutForm(run, snapshot, form);
    if (!isForm) {
      if (isCartPage(run, snapshot)) snapshot = (await takeOnce(run, snapshot)) ?? snapshot;
      if (isUnderWay || !leadsToCartPage(run, withoutDead(snapshot, dead)))
        snapshot = await mendCart(run, snapshot);
      // Carts tick extras too, and some ask for the terms already.
      const isUnticked = await untickExtras(run, snapshot);
      if ((isCartPage(run, snapshot) && (await agreeToTerms(run, snapshot))) || isUnticked)
        snapshot = await readPage(run);
    } else if (await choosePrivatePerson(run, snapshot)) snapshot = await readPage(run);
    let filled: Filled = isForm
      ? await fillForm(run, snapshot, { isRefused: leftFrom === pageKey(snapshot, parts.taken) })
      : { snapshot, form, meanings: new Set() };
    // What came over the page meanwhile may have kept a box from being ticked.
    const cleared =
      isForm && clearings < clearingsMax
        ? await clearLayers(run, filled.snapshot)
        : filled.snapshot;
    if (fingerprint(cleared) !== fingerprint(filled.snapshot)) {
      clearings += 1;
      snapshot = cleared;
      continue;
    }
    const opened = isForm
      ? await openManualAddress(run, filled.snapshot, filled.form, manual)
      : undefined;
    if (opened !== undefined) {
      snapshot = opened;
      continue;
    }
    const part = isForm ? parts.next(filled.snapshot) : undefined;
    const payOn = (page: Filled) =>
      payPage(run, { ...page, snapshot: withoutDead(parts.without(page.snapshot), dead) });
    let pay = isForm && part === undefined ? await payOn(filled) : undefined;
    if (pay !== undefined && (await payAtOnce(run, pay.snapshot)))
      pay = await payOn(await fillForm(run, await readPage(run)));
    // What the shop still works out may bring choices with it: ways of delivery, with the shop's
    // own already chosen.
    const waitsMax = (page: PayPage) =>
      openAmount(page.snapshot) !== undefined
        ? amountWaitsMax
        : isDeliveryOpen(run, filled)
          ? deliveryWaitsMax
          : 0;
    for (let waits = 0; pay !== undefined && waits < waitsMax(pay); waits += 1) {
      const again = await fillForm(run, await readLater(run, 700, { quietMs: 300 }));
      filled = { ...again, meanings: new Set([...filled.meanings, ...again.meanings]) };
      pay = await payOn(filled);
    }
    isUnderWay ||= filled.meanings.size > 0;
    snapshot = filled.snapshot;
    if (pay !== undefined) {
      await recordFilled(run, filled.meanings, true);
      return pay;
    }
    const before = fingerprint(snapshot);
    const stage = { isForm, isUnderWay };
    const rest = { ...filled, snapshot: parts.without(snapshot) };
    const next =
      part?.button ?? nextButton(run, rest, stage, dead) ?? nextButton(run, rest, stage, new Set());
    if (next === undefined) {
      const tab = await openCardTab(run, snapshot);
      if (tab !== undefined) {
        snapshot = tab;
        continue;
      }
      stuck += 1;
      if (stuck >= stuckMax) {
        snapshot = await help(
          (await notLoaded(run.page)) ??
            `The checkout could not be continued at “${snapshot.heading || snapshot.title}”${said(snapshot)}.`,
        );
        continue;
      }
      snapshot = await readLater(run, 900, { quietMs: 400 });
      continue;
    }
    leftFrom = pageKey(snapshot, parts.taken);
    announceStep(run, snapshot, next);
    if (isForm) noteQuote(run, snapshot, next);
    const after = await clickAndRead(run, snapshot, next);
    snapshot = after.snapshot;
    const isTaken = part !== undefined && parts.note(part, after.before, snapshot, after.sent);
    if (!isTaken && (fingerprint(snapshot) === before || hasErrors(snapshot, filled))) {
      stuck += 1;
      if (part === undefined) dead.add(deadKey(snapshot, next));
      run.log.info(
        { button: captionOf(next).slice(0, 60), alerts: snapshot.alerts.slice(0, 3) },
        'The checkout did not go on.',
      );
      if (stuck >= stuckMax)
        snapshot = await help(`The shop does not accept what was entered${said(snapshot)}.`);
      continue;
    }
    // What comes back as it was, and complains of nothing, has been done.
    const isBack = isForm && part === undefined && pageKey(snapshot, parts.taken) === leftFrom;
    if (isBack && snapshot.alerts.every((alert) => after.before.alerts.includes(alert)))
      dead.add(deadKey(after.before, next));
    // What has opened something on the page, a cart below its drawing, would close it again: the
    // way on lies in what it has opened.
    const isOpener =
      !isForm &&
      snapshot.url === after.before.url &&
      snapshot.buttons.some((one) => deadKey(snapshot, one) === deadKey(after.before, next));
    if (isOpener) dead.add(deadKey(after.before, next));
    stuck = 0;
    isUnderWay ||= hasLeftCart(run, after.before, next, snapshot);
    if (isForm) await recordFilled(run, filled.meanings, false);
  }
  return fail(run, 'The checkout has more pages than expected.');
}

/**
 * An address was typed, the page speaks of ways of delivery, and none is chosen or billed: some
 * shops look for them once it rests.
 */
const isDeliveryOpen = (run: Run, { snapshot, meanings }: Filled): boolean =>
  meanings.has('addressLine1') &&
  run.state.delivery === undefined &&
  snapshot.text
    .split('\n')
    .some(
      (line) =>
        line.length < headingMax && words.shippingMethod.test(line) && wayOf.test(plain(line)),
    ) &&
  !snapshot.prices.some(({ label }) => partKindOf(label) === 'shipping');
const headingMax = 40;
/** Beside the word for delivery: the heading of its ways. */
const wayOf =
  /method|option|speed|versandart|lieferart|mode|metodo|opcion|opzion|methode|wijze|optie|方法/;

/** The page by its address, its fields and how many of its parts were taken. */
const pageKey = (snapshot: Snapshot, taken: number) =>
  `${taken} ${snapshot.url} ${snapshot.fields.map((field) => `${field.name}${field.id}`).join()}`;

/** A page that comes back again and again does not take what it is given. */
function isVisitedInVain(
  run: Run,
  snapshot: Snapshot,
  visits: Map<string, number>,
  taken: number,
): boolean {
  const key = pageKey(snapshot, taken);
  const count = (visits.get(key) ?? 0) + 1;
  visits.set(key, count);
  // The first time something else may be at fault, unless the shop says that it is the delivery.
  const isDelivery =
    count > 2 || (count > 1 && snapshot.alerts.some((alert) => words.shippingMethod.test(alert)));
  if (isDelivery && run.state.deliveryText !== undefined)
    run.state.refusedDelivery.add(run.state.deliveryText);
  return count > visitsMax;
}

/** What the shop itself says is wrong. */
const said = (snapshot: Snapshot) =>
  snapshot.alerts[0] === undefined
    ? ''
    : `: ${snapshot.alerts[0].replace(/[.\s]+$/, '').slice(0, 120)}`;

/** The guest among the ways to sign in, where they are radio buttons with a button of their own. */
async function takeGuestWay(run: Run, snapshot: Snapshot): Promise<Snapshot | undefined> {
  const guest = snapshot.fields.find(
    (field) =>
      field.type === 'radio' &&
      !field.disabled &&
      words.guest.test(`${field.label} ${field.value}`),
  );
  if (guest === undefined || !(await setChecked(snapshot, guest, true))) return undefined;
  const chosen = await readPage(run);
  const near = { container: guest.container, y: guest.y };
  const on =
    bestButton(run, chosen, 'continue', near) ??
    chosen.buttons.find(
      (button) =>
        button.container === guest.container &&
        button.type === 'submit' &&
        !words.login.test(captionOf(button)),
    );
  return on === undefined ? undefined : (await clickAndRead(run, chosen, on)).snapshot;
}

/** Whoever has signed in there may have got the account's own basket into the cart. */
async function passLoginWall(run: Run, wall: Snapshot, form: PageForm): Promise<Snapshot> {
  const wasSignedIn = run.state.signedIn;
  const inside = await passLogin(run, wall, form);
  if (wasSignedIn || !run.state.signedIn) return inside;
  return (await openCartAgain(run, inside)) ?? inside;
}

const hasErrors = (snapshot: Snapshot, filled: Filled) =>
  snapshot.url === filled.snapshot.url &&
  filled.form.fields.some((one) =>
    snapshot.fields.some(
      (field) =>
        field.name === one.field.name &&
        field.id === one.field.id &&
        field.invalid &&
        field.value === '',
    ),
  );

async function recordFilled(
  run: Run,
  meanings: ReadonlySet<Meaning>,
  isLast: boolean,
): Promise<void> {
  const hasContact = contactMeanings.some((one) => meanings.has(one));
  const hasAddress = isLast || addressMeanings.some((one) => meanings.has(one));
  await reachAll(run, [
    ...(hasContact ? [['contact', {}] as const] : []),
    ...(hasAddress
      ? [
          [
            'shipping',
            run.state.delivery === undefined ? {} : { delivery: run.state.delivery },
          ] as const,
        ]
      : []),
    ...(isLast ? [['payment', {}] as const] : []),
  ]);
}

const checkoutPath =
  /checkout|kasse|commande|caisse|pedido|payment|shipping|delivery|review|order|step|pay|bestell|versand|zahlung|livraison|paiement|ordine|spedizione|pagamento|pago\b|envio|betal/i;

/**
 * A cart or a product page may have fields too; a checkout has those of a buyer, choices of
 * delivery, or an order button.
 */
function isCheckoutForm(run: Run, snapshot: Snapshot, form: PageForm): boolean {
  const buyer = form.fields.filter(
    (one) =>
      [...contactMeanings, ...addressMeanings].includes(one.meaning) ||
      cardMeanings.has(one.meaning),
  );
  const isProduct =
    bestButton(run, snapshot, 'addToCart') !== undefined &&
    !buyer.some((one) => one.meaning === 'addressLine1' || cardMeanings.has(one.meaning));
  // The count of a line may have any name: a cart asks for nobody's address, but to work out what
  // the delivery costs.
  const isCart =
    isCartPage(run, snapshot) &&
    cartLines(run, snapshot).some((line) => countOf(line) !== undefined);
  if (isCart && !buyer.some((one) => personMeanings.has(one.meaning))) return false;
  if (buyer.length > 0 && !isProduct) return true;
  if (
    checkoutPath.test(pathOf(snapshot.url)) &&
    !/cart|basket|warenkorb|panier|carrito|carrello|cesta|winkel(?:wagen|mand)/i.test(
      pathOf(snapshot.url),
    )
  )
    return true;
  if (hasDeliveryRadios(snapshot)) return true;
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
