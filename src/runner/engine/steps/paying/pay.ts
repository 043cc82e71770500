import type { RunEnd, ShopMoney } from '../../../types.ts';
import { bestButton, click, clickAndRead, fingerprint, uncover } from '../../act.ts';
import { captionOf, isHandle } from '../../buttons.ts';
import { readForm } from '../../fields/forms.ts';
import { cardMeanings } from '../../fields/meanings.ts';
import { sameMoney } from '../../money/prices.ts';
import { pageOf } from '../../page/route.ts';
import type { ButtonInfo, Snapshot } from '../../page/snapshot.ts';
import { fail, originOf, type Run, RunStop, reach, readLater, readPage } from '../../run.ts';
import { plain, words } from '../../words/words.ts';
import { tickBoxes } from '../choices.ts';
import { targetOf } from '../known-steps.ts';
import { coverScreen, uncoverScreen } from '../login/secrets.ts';
import { type Click, watchOutcome } from '../outcome/confirm.ts';
import { readConfirmation } from '../outcome/confirmation.ts';
import {
  approve,
  type Offered,
  offerOn,
  offerRightNow,
  quoteAgain,
  quoteBefore,
  readQuote,
  recordQuote,
} from '../outcome/quote.ts';
import { chargedTotal, confirmed, notPlaced, reconcile } from '../outcome/reconcile.ts';
import { countsOther, listsOther, type ShownOrder } from '../outcome/shown-order.ts';
import { watchTraffic } from '../traffic.ts';
import { checkCardForm, fillCard, findCardForm, strayTarget } from './card-fields.ts';
import type { PayPage } from './pay-page.ts';
import { refuseCard } from './paying.ts';
import { frameAddresses } from './three-ds.ts';

/**
 * Quote, approval, card, permit and the one click, behind a review where there is one; then only
 * reading.
 */
export async function pay(run: Run, page: PayPage): Promise<RunEnd> {
  if (page.card !== undefined) {
    checkCardForm(run, page.card);
    await refuseCard(run);
  }
  const before = page.card === undefined ? undefined : await quoteBefore(run, page);
  const quote = before ?? (await readQuote(run, page.button));
  await recordQuote(run, quote);
  await approve(run, quote, { byCard: page.card !== undefined });
  await reach(run, 'approve', {});
  let { button } = page;
  if (page.card !== undefined) {
    const card = await run.ports.card({ total: quote.total, origin: originOf(run.page.url()) });
    await reach(run, 'authorise', {});
    if (before === undefined) await quoteAgain(run, button);
    const fresh = await readPage(run);
    const form = await findCardForm(run, fresh);
    if (form === undefined) fail(run, 'The card fields went away.');
    checkCardForm(run, form);
    await coverScreen(run);
    await fillCard(run, form, card);
    await reach(run, 'fill-card', {});
  }
  if (page.isReviewNext === 'perhaps') return placeOrder(run, button, { mayReview: true });
  if (page.isReviewNext === 'below') return placeBehindReview(run, button, { keepsCard: true });
  if (page.isReviewNext && (await isKeptBack(run, button))) return placeBehindReview(run, button);
  if (page.isReviewNext) button = await goToReview(run, button);
  return placeOrder(run, button);
}

/**
 * The way to the review sends the card to an address that looks like an order's, or a script sends
 * it nobody knows where: the gate lets it pass behind the permit only.
 */
async function isKeptBack(run: Run, given: ButtonInfo): Promise<boolean> {
  const snapshot = await readPage(run);
  const button = sameButton(snapshot, given) ?? given;
  const url = targetOf(snapshot, button);
  if (url === undefined || pageOf(url) === pageOf(snapshot.url))
    return run.gate !== undefined && isHandle(button);
  return run.gate?.covers?.({ method: 'POST', url, holdsCard: true }) === true;
}

/**
 * Where nobody can tell the way to the review from an order, both are pressed behind one permit,
 * the review first. While it shows a way left to order, nothing is placed yet. `keepsCard`: the
 * part with the card stays on the page.
 */
async function placeBehindReview(
  run: Run,
  given: ButtonInfo,
  { keepsCard = false } = {},
): Promise<RunEnd> {
  const armed = await armOnce(run, given);
  if ('outcome' in armed) return armed;
  run.gate?.arm();
  run.state.clicked = true;
  const { snapshot } = await clickAndRead(run, armed.snapshot, armed.button);
  await uncoverScreen(run);
  const confirmation = readConfirmation(snapshot, armed.snapshot.url);
  if (confirmation !== undefined)
    return confirmed(run, confirmation, await chargedTotal(run, snapshot));
  await tickBoxes(run, snapshot, new Set());
  const review = await readPage(run);
  const order = bestButton(run, review, 'place');
  if (order === undefined || order.disabled || (!keepsCard && wantsCard(review)))
    return reconcile(run, 'The review of the order has no order button.');
  const ready = await readReview(run, order).catch((error: unknown): RunEnd => {
    if (error instanceof RunStop && error.end.outcome === 'failed')
      return { ...error.end, placed: 'no' };
    throw error;
  });
  return 'outcome' in ready ? ready : clickOnce(run, ready);
}

async function readReview(run: Run, order: ButtonInfo): Promise<Armed> {
  const { quote, snapshot, listed } = await quoteAtRest(run, order);
  return { snapshot, button: sameButton(snapshot, order) ?? order, total: quote.total, listed };
}

/** The page with the card, given back: the shop did not take it. */
const wantsCard = (snapshot: Snapshot) =>
  readForm(snapshot).fields.some((one) => cardMeanings.has(one.meaning));

/** From the card to the page that shows everything once more and has the order button. */
async function goToReview(run: Run, button: ButtonInfo): Promise<ButtonInfo> {
  const snapshot = await readPage(run);
  const again = sameButton(snapshot, button);
  if (again === undefined) fail(run, 'The button to the review of the order went away.');
  refuseStray(run, snapshot, again);
  const after = await clickAndRead(run, snapshot, again);
  await uncoverScreen(run);
  await tickBoxes(run, after.snapshot, new Set());
  const order = bestButton(run, await readPage(run), 'place');
  return order ?? fail(run, 'The review of the order has no order button.');
}

/**
 * Parts of a page may have buttons with the same words: the one that stands where it stood is
 * meant.
 */
function sameButton(snapshot: Snapshot, button: ButtonInfo): ButtonInfo | undefined {
  const nearest = (buttons: readonly ButtonInfo[]) =>
    buttons.toSorted((one, other) => Math.abs(one.y - button.y) - Math.abs(other.y - button.y))[0];
  const start = (one: ButtonInfo) => plain(captionOf(one)).slice(0, 5);
  const like = snapshot.buttons.filter((one) => one.tag === button.tag);
  return (
    nearest(
      like.filter((one) => one.hint === button.hint && captionOf(one) === captionOf(button)),
    ) ?? nearest(like.filter((one) => one.type === button.type && start(one) === start(button)))
  );
}

/** Once the permit is asked for, nothing but the order button is ever clicked. */
async function placeOrder(
  run: Run,
  given: ButtonInfo,
  { mayReview = false } = {},
): Promise<RunEnd> {
  const armed = await armOnce(run, given);
  if ('outcome' in armed) return armed;
  const review = (shown: Snapshot) => orderOnReview(run, armed, shown);
  return clickOnce(run, armed, mayReview ? review : undefined);
}

/**
 * The button beside the card said only that it goes on, and the page that came has no card, no
 * thanks and a button that orders for the approved total: that one is pressed behind the same
 * permit. An offer after an order has another total, or a way to decline it.
 */
async function orderOnReview(
  run: Run,
  { snapshot: before, total, listed }: Armed,
  shown: Snapshot,
): Promise<RunEnd | undefined> {
  const isOther = fingerprint(shown) !== fingerprint(before);
  const isOffer = shown.buttons.some((button) => words.decline.test(captionOf(button)));
  const canOrder = shown.buttons.some(
    (button) => words.place.test(captionOf(button)) && isHandle(button),
  );
  if (!isOther || isOffer || wantsCard(shown) || !canOrder) return undefined;
  await uncoverScreen(run);
  await tickBoxes(run, shown, new Set());
  const review = await readPage(run);
  const order = bestButton(run, review, 'place');
  if (order === undefined || order.disabled) return undefined;
  const now = offerOn(run, review, order);
  if (now.total === undefined || !sameMoney(now.total, total) || countsOther(now.order, listed))
    return undefined;
  return clickOnce(run, { snapshot: review, button: order, total, listed: now.order });
}

interface Armed {
  readonly snapshot: Snapshot;
  readonly button: ButtonInfo;
  readonly total: ShopMoney;
  /** What the page listed when it was read for the permit. */
  readonly listed: ShownOrder;
}

const pressableWaitsMax = 15;

/** Some shops keep the order button back while they work the cart out once more. */
async function awaitPressable(run: Run, given: ButtonInfo): Promise<void> {
  let snapshot = await readPage(run);
  for (
    let waits = 0;
    sameButton(snapshot, given)?.disabled === true && waits < pressableWaitsMax;
    waits += 1
  )
    snapshot = await readLater(run, 900);
}

/**
 * Takes the permit for a button whose total is as approved; the end of the run where there is none.
 */
async function armOnce(run: Run, given: ButtonInfo): Promise<Armed | RunEnd> {
  await awaitPressable(run, given);
  // A banner that came while the card was typed: behind the permit nothing else is pressed any
  // more.
  await uncover(run, given);
  const { quote, snapshot, listed } = await quoteAtRest(run, given);
  const button = sameButton(snapshot, given);
  if (button === undefined || button.disabled) fail(run, 'The order button cannot be pressed.');
  refuseStray(run, snapshot, button);
  const invalid = snapshot.fields.find(
    (field) => field.invalid && !field.disabled && field.required && field.type !== 'radio',
  );
  if (invalid !== undefined)
    fail(
      run,
      `The shop does not accept a field: “${(invalid.label || invalid.name).slice(0, 80)}”.`,
    );
  const mayClick = await run.ports.arm({
    total: quote.total,
    origin: originOf(snapshot.url),
    sources: quote.sources,
  });
  run.state.armed = true;
  if (!mayClick) return reconcile(run, 'An earlier try may have placed the order.');
  await reach(run, 'armed', {
    total: quote.total.amountMinor.toString(),
    currency: quote.total.currency,
  });
  const now = await offerRightNow(run, button).catch(() => undefined);
  const other = otherThan(now, quote.total, listed);
  return other === undefined ? { snapshot, button, total: quote.total, listed } : notPlaced(other);
}

/**
 * The quote of a page that still lists the same when it has rested: what came meanwhile is asked
 * about while it can be.
 */
async function quoteAtRest(run: Run, given: ButtonInfo) {
  for (let read = 1; ; read += 1) {
    const quote = await quoteAgain(run, given);
    const snapshot = await readPage(run, { quietMs: 400 });
    const { total, order } = offerOn(run, snapshot, given);
    const approved = run.state.approvedOffer?.order;
    const isSame =
      total !== undefined &&
      sameMoney(total, quote.total) &&
      (approved === undefined || !listsOther(order, approved));
    if (isSame) return { quote, snapshot, listed: order };
    if (read >= quotesMax) fail(run, 'What the shop lists does not rest.');
  }
}
const quotesMax = 3;

/** @throws RunStop when the card would go where it may not */
function refuseStray(run: Run, snapshot: Snapshot, button: ButtonInfo): void {
  const stray = strayTarget(run, snapshot, button);
  if (stray !== undefined) fail(run, stray);
}

/**
 * What has changed on the page since the permit, so that nothing is pressed; undefined when all is
 * as approved.
 */
const changedSince = (
  run: Run,
  fresh: Snapshot,
  button: ButtonInfo,
  { total, listed }: Armed,
): string | undefined =>
  otherThan(offerOn(run, fresh, button), total, listed) ?? strayTarget(run, fresh, button);

/**
 * What the page offers now beside what it was to be ordered for; undefined where it is the same.
 */
function otherThan(
  now: Offered | undefined,
  total: ShopMoney,
  listed: ShownOrder,
): string | undefined {
  if (now?.total === undefined || !sameMoney(now.total, total))
    return 'The total changed right before the click: nothing was clicked.';
  return listsOther(now.order, listed)
    ? 'What the shop lists changed right before the click: nothing was clicked.'
    : undefined;
}

async function clickOnce(run: Run, armed: Armed, review?: Click['review']): Promise<RunEnd> {
  const { snapshot, button } = armed;
  const requestsBefore = run.gate?.placedRequests();
  const frames = frameAddresses(run);
  run.gate?.arm();
  run.state.clicked = true;
  const fresh = await readNow(run);
  const target = sameButton(fresh, button);
  const changed = changedSince(run, fresh, target ?? button, armed);
  // A page that has ordered by itself as soon as it could is read, not believed.
  if (changed !== undefined && run.gate?.placedRequests() !== requestsBefore)
    return reconcile(run, changed);
  if (changed !== undefined) return notPlaced(changed);
  const traffic = watchTraffic(run.context, run.state.shopOrigin);
  const at = Date.now();
  await click(run, target === undefined ? snapshot : fresh, (target ?? button).ref);
  const again = isGuarded(run, snapshot, button) ? () => press(run, armed) : undefined;
  const moment: Click = {
    before: fresh,
    frames,
    requestsBefore,
    at,
    traffic,
    ...(again && { again }),
    ...(review && { review }),
  };
  return watchOutcome(run, moment).finally(() => traffic.close());
}

/**
 * The button sends a form whose request the gate lets pass only once, or a script of the shop sends
 * it, of which the same is true: then a press that nothing came of may be repeated.
 */
function isGuarded(run: Run, snapshot: Snapshot, button: ButtonInfo): boolean {
  const url = targetOf(snapshot, button) ?? (button.href === '' ? snapshot.url : undefined);
  return url !== undefined && run.gate?.covers?.({ method: 'POST', url }) === true;
}

/** The same button once more, when the page and its total are still as approved. */
async function press(run: Run, { button, total, listed }: Armed): Promise<boolean> {
  const now = await offerRightNow(run, button).catch(() => undefined);
  const fresh = await readNow(run);
  const target = sameButton(fresh, button);
  if (otherThan(now, total, listed) !== undefined || target === undefined || target.disabled)
    return false;
  if (strayTarget(run, fresh, target) !== undefined) return false;
  return click(run, fresh, target.ref);
}

async function readNow(run: Run): Promise<Snapshot> {
  return readPage(run, { quietMs: 30, timeoutMs: 500 });
}
