import type { ShopMoney } from '../../../types.ts';
import { captionOf } from '../../buttons.ts';
import { findCurrency } from '../../money/currency-evidence.ts';
import { requireWithinMaxCost } from '../../money/max-cost.ts';
import { type PageData, readPageData } from '../../money/page-data.ts';
import { partKindOf } from '../../money/parts.ts';
import { formatMoney, sameMoney } from '../../money/prices.ts';
import { readTotals, type Totals } from '../../money/totals.ts';
import { openAmount } from '../../money/unfinished.ts';
import type { ButtonInfo, Snapshot } from '../../page/snapshot.ts';
import { takeSnapshot } from '../../page/snapshot.ts';
import {
  type ApprovedOffer,
  ask,
  askOnce,
  fail,
  originOf,
  type Run,
  reach,
  readLater,
  readPage,
} from '../../run.ts';
import { plain } from '../../words/words.ts';
import { settleCount } from '../buyer/count.ts';
import {
  refuseUnasked,
  settleUnasked,
  settleVariant,
  unaskedLines,
  withoutRepeats,
} from '../buyer/extras.ts';
import { chosenDelivery } from '../choices.ts';
import { settleGuest } from '../login/login.ts';
import { shownAddress, wayIn } from '../paying/paying.ts';
import { readQuantity, refuseUnseenQuantity } from '../product/quantity.ts';
import { hasOther, listsOther, type ShownOrder, shownOrder } from './shown-order.ts';

/**
 * A total with the places that it was read from: two that agree, or the only one there is, which
 * the user is told.
 */
export interface Quote {
  readonly total: ShopMoney;
  readonly sources: readonly { readonly source: string; readonly text: string }[];
  readonly lines: Totals['lines'];
  /** What the user should know of where it was read. */
  readonly note?: string;
}

const readsMax = 6;
const restMs = 500;
const equalReadsMin = 3;

/**
 * Reads the total until it rests, nothing is still to be added and two sources agree.
 * @throws RunStop when it is unknown, not final, contradictory, recurring or too high
 */
export async function readQuote(run: Run, button: ButtonInfo): Promise<Quote> {
  let totals: Totals | undefined;
  let previous: ShopMoney | undefined;
  let equal = 0;
  let open: string | undefined;
  for (let read = 0; read < readsMax; read += 1) {
    // Amounts that come late: the page has rested, and a second look has seen it rest again.
    const snapshot =
      read === 0
        ? await readPage(run, { quietMs: restMs })
        : await readLater(run, restMs, { quietMs: restMs });
    totals = await totalsOf(run, snapshot, currentButton(snapshot, button));
    open = openAmount(snapshot);
    const money = totals.contradiction === undefined ? totals.summary?.money : undefined;
    equal =
      money === undefined
        ? 0
        : previous !== undefined && sameMoney(previous, money)
          ? equal + 1
          : 1;
    previous = money;
    const isAgreed =
      totals.second !== undefined &&
      (equal > 1 || (equal === 1 && read === 0 && run.watch.busy === 0));
    if (money === undefined || open !== undefined || !(isAgreed || equal >= equalReadsMin))
      continue;
    readQuantity(run, snapshot);
    refuseUnseenQuantity(run);
    refuseUnasked(run, snapshot, button);
    requireWithinMaxCost(run, money);
    const sources = [totals.summary!, ...(totals.second === undefined ? [] : [totals.second])];
    return {
      total: money,
      sources: sources.map(({ source, text }) => ({ source, text })),
      lines: totals.lines,
    };
  }
  if (totals?.summary !== undefined) requireWithinMaxCost(run, totals.summary.money);
  if (totals?.contradiction !== undefined)
    fail(
      run,
      `The shop shows two totals: “${totals.summary?.text}” and “${totals.contradiction.text}”.`,
    );
  if (open !== undefined)
    fail(run, `The total is not final, the shop says: “${open.slice(0, 120)}”.`);
  if (totals?.summary !== undefined) fail(run, 'The total does not rest.');
  return fail(run, await whyNoTotal(run));
}

/**
 * Keeps the total of a page of the checkout that is left, as far as it is whole: the page with the
 * card may show none.
 */
export function noteQuote(run: Run, snapshot: Snapshot, button: ButtonInfo): void {
  const { summary, second, contradiction, lines } = totalsIn(run, snapshot, button);
  const isWhole =
    summary !== undefined && contradiction === undefined && openAmount(snapshot) === undefined;
  const sources = [summary, second].flatMap((one) =>
    one === undefined ? [] : [{ source: one.source, text: one.text }],
  );
  if (isWhole) run.state.earlierQuote = { total: summary.money, sources, lines };
  else if (summary !== undefined) run.state.earlierQuote = undefined;
}

/**
 * The quote of an earlier page, where the card is asked for on a page without any amount and a
 * review with the total comes behind it: it is approved before anything is typed, and the review's
 * own total has to be the same before the permit. Undefined elsewhere.
 * @throws RunStop when it is too high
 */
export async function quoteBefore(
  run: Run,
  { isReviewNext }: { readonly isReviewNext: boolean | string },
): Promise<Quote | undefined> {
  const { earlierQuote } = run.state;
  if (isReviewNext !== true || earlierQuote === undefined) return undefined;
  const { prices } = await readPage(run, { quietMs: restMs });
  if (prices.some((price) => !price.struck)) return undefined;
  requireWithinMaxCost(run, earlierQuote.total);
  return {
    ...earlierQuote,
    note: 'the page with the card shows no total: this one was read before it, and is read again before the order.',
  };
}

/**
 * A card's page without any amount whose button may order ends the run, whatever an earlier page
 * has said: the total is to be checked once more right before the click, and what is not there
 * cannot be checked. Why, is in docs/decisions/0026-agent-checkouts.md.
 */
async function whyNoTotal(run: Run): Promise<string> {
  const { prices } = await takeSnapshot(run.page.mainFrame());
  return prices.some((price) => !price.struck)
    ? 'No total with a known currency was found.'
    : 'The page on which one pays shows no total: what the shop would charge cannot be checked before the order, so nothing was ordered.';
}

async function totalsOf(run: Run, snapshot: Snapshot, button: ButtonInfo): Promise<Totals> {
  const data = await readPageData(snapshot);
  await settleCurrency(run, snapshot, data);
  return totalsIn(run, snapshot, button, data);
}

function totalsIn(run: Run, snapshot: Snapshot, button: ButtonInfo, data?: PageData): Totals {
  const context = {
    pageCurrency: snapshot.priceCurrency || run.state.pageCurrency,
    expected: run.task.maxCost.currency,
  };
  return readTotals(snapshot, run.watch.answers, context, captionOf(button), data);
}

/**
 * A sign that may mean several currencies is settled by what the shop says elsewhere, else by the
 * user.
 */
async function settleCurrency(run: Run, snapshot: Snapshot, data: PageData): Promise<void> {
  const known = snapshot.priceCurrency || run.state.pageCurrency;
  const { currency: expected } = run.task.maxCost;
  const found = findCurrency(snapshot, run.watch.answers, data, {
    expected,
    known,
  });
  if (found.kind === 'named' && found.currency !== undefined)
    run.state.pageCurrency = found.currency;
  if (found.kind !== 'open') return;
  const origin = originOf(snapshot.url);
  const values = await askOnce(run, `currency/${origin}`, {
    kind: 'option-choice',
    question: `${origin} writes “${found.sign}” and does not say which currency it means. Which one is it?`,
    options: found.candidates.map((code) => ({ value: code, title: code })),
  });
  if (found.candidates.includes(String(values['choice'])))
    run.state.pageCurrency = String(values['choice']);
  else fail(run, 'No total with a known currency was found.');
}

const currentButton = (snapshot: Snapshot, button: ButtonInfo) =>
  snapshot.buttons
    .filter(
      (one) =>
        one.hint === button.hint &&
        one.tag === button.tag &&
        plain(captionOf(one)).slice(0, 4) === plain(captionOf(button)).slice(0, 4),
    )
    .toSorted((one, other) => Math.abs(one.y - button.y) - Math.abs(other.y - button.y))[0] ??
  button;

/**
 * Shows the user what is bought, for how much, how it is paid and where it goes, in the shop's
 * words; what they do not say is said.
 * @throws RunStop when the user declines
 */
export async function approve(
  run: Run,
  quote: Quote,
  { byCard }: { readonly byCard: boolean },
): Promise<void> {
  const origin = originOf(run.page.url());
  const offer = await offerNow(run, quote, byCard);
  const { delivery } = offer;
  await settleGuest(run);
  await settleCount(run, quote.lines, quote.total, offer.order);
  await settleVariant(run, quote.lines);
  await settleUnasked(run, quote.lines, quote.total, offer.order.pieces);
  const isSaid =
    delivery !== undefined &&
    quote.lines.some(({ title, amount }) => saysDelivery(delivery, title, amount));
  await ask(run, {
    kind: 'approve-purchase',
    origin,
    total: quote.total,
    lines: [...boughtLine(run), ...withoutRepeats(run, quote.lines), ...doubts(run, quote)],
    ...(delivery === undefined || isSaid ? {} : { delivery }),
    paying: payingOf(run, byCard),
    address: offer.address ?? 'the shop shows none on this page',
  });
  run.state.approved = quote.total;
  run.state.approvedOffer = offer;
}

/** What the page offers now, beside the total. */
async function offerNow(run: Run, quote: Quote, byCard: boolean): Promise<ApprovedOffer> {
  const { delivery, paying } = run.state;
  const snapshot = await takeSnapshot(run.page.mainFrame());
  return {
    order: shownOrder(run, snapshot, quote.lines, quote.total),
    delivery,
    deliveryRows: quote.lines.flatMap(({ title }) =>
      partKindOf(title) === 'shipping' ? [title] : [],
    ),
    deliveryChosen: chosenDelivery(snapshot),
    paying,
    address: shownAddress(run, snapshot),
    byCard,
  };
}

/**
 * Whether the shop offers something else than what was approved. A page that does not say a thing
 * again does not change it.
 */
async function hasChanged(run: Run, quote: Quote, approved: ApprovedOffer): Promise<boolean> {
  const { paying, buyer } = run.state;
  const now = await offerNow(run, quote, approved.byCard);
  const { address } = now;
  noteDelivery(run, now, approved);
  const isOther = run.state.delivery !== approved.delivery || paying !== approved.paying;
  if (
    listsOther(now.order, approved.order) ||
    isOther ||
    !sameMoney(quote.total, run.state.approved!)
  )
    return true;
  const street = plain(buyer.shipping?.addressLines[0] ?? '');
  const isOurs = (text: string | undefined) =>
    street !== '' && text !== undefined && plain(text).includes(street);
  return address !== undefined && isOurs(approved.address) && !isOurs(address);
}

function payingOf({ state: { paying } }: Run, byCard: boolean): string {
  const said = paying ?? (byCard ? 'card' : 'the shop does not say');
  const left = paying === undefined ? undefined : wayIn(paying);
  return left === undefined ? said : `${said} (something is left for you to do: ${left})`;
}

/**
 * A shop that has come to deliver in another way since the approval: the way is what its page has
 * chosen now, else what its rows say.
 */
function noteDelivery(run: Run, now: ApprovedOffer, approved: ApprovedOffer): void {
  const { deliveryChosen: chosen } = now;
  if (
    chosen !== undefined &&
    approved.deliveryChosen !== undefined &&
    plain(chosen) !== plain(approved.deliveryChosen)
  )
    run.state.delivery = chosen;
  else if (hasOther(now.deliveryRows, approved.deliveryRows))
    run.state.delivery = now.deliveryRows.join(', ').slice(0, 120);
}

/**
 * A row of the summary names the way of delivery with everything that was said of it where it was
 * chosen.
 */
function saysDelivery(delivery: string, title: string, amount = ''): boolean {
  const bare = (text: string) =>
    plain(text)
      .replace(/[^\p{L}\d]+/gu, ' ')
      .trim();
  const row = bare(`${title} ${amount}`);
  return (
    bare(delivery) !== '' &&
    bare(delivery)
      .split(' ')
      .every((word) => row.split(' ').includes(word))
  );
}

/**
 * What was asked for, apart from the shop's own lines: where they name something else, the two
 * stand side by side.
 */
function boughtLine({ state: { productTitle, quantity } }: Run): Quote['lines'] {
  return productTitle === '' ? [] : [{ title: `You asked for: ${productTitle} × ${quantity}` }];
}

/** What the user should know before a yes. */
function doubts(run: Run, { sources, lines, note }: Quote): Quote['lines'] {
  const single =
    'Note: the shop shows this total in one place only, nothing else on its pages confirms it.';
  const why = whyAgain(run);
  const again = [why, note].flatMap((text) =>
    text === undefined ? [] : [{ title: `Note: ${text}` }],
  );
  const unasked = unaskedLines(run, lines).map((title) => ({
    title: `Note: nobody asked for this: ${title}`,
  }));
  return [...again, ...unasked, ...(sources.length > 1 ? [] : [{ title: single }])];
}

/** Why what was approved once is asked again; undefined the first time. */
export function whyAgain({ state, task }: Run): string | undefined {
  if (state.approved !== undefined) return 'something of it has changed since you approved it.';
  const wasApproved = task.resume?.evidence.some(({ step }) => step === 'approve') === true;
  return wasApproved
    ? 'you approved it before, then the run lost its browser and began again; nothing was ordered by then.'
    : undefined;
}

/**
 * The total as it is now: a rise after the approval ends the run; a lower one, other products,
 * another way of paying or delivery, or another address are approved anew.
 * @throws RunStop
 */
export async function quoteAgain(run: Run, button: ButtonInfo): Promise<Quote> {
  const quote = await readQuote(run, button);
  const approved = run.state.approved;
  const isHigher =
    approved === undefined ||
    quote.total.currency !== approved.currency ||
    quote.total.amountMinor > approved.amountMinor;
  if (isHigher) fail(run, `The total rose to ${formatMoney(quote.total)} after it was approved.`);
  const offer = run.state.approvedOffer;
  if (offer !== undefined && (await hasChanged(run, quote, offer)))
    await approve(run, quote, { byCard: offer.byCard });
  return quote;
}

/** Records a quote so that a later try, or the end, knows it. */
export async function recordQuote(run: Run, quote: Quote): Promise<void> {
  await reach(run, 'quote', {
    total: quote.total.amountMinor.toString(),
    currency: quote.total.currency,
    sources: quote.sources.map(({ source }) => source),
    product: run.state.productTitle,
  });
}

/** What a page that was read just now would be ordered for, and what it lists. */
export interface Offered {
  readonly total: ShopMoney | undefined;
  readonly order: ShownOrder;
}

/** The same page once more, without waiting: right before the click. */
export async function offerRightNow(run: Run, button: ButtonInfo): Promise<Offered> {
  return offerOn(run, await takeSnapshot(run.page.mainFrame()), button);
}

export function offerOn(run: Run, snapshot: Snapshot, button: ButtonInfo): Offered {
  const { lines, summary } = totalsIn(run, snapshot, currentButton(snapshot, button));
  return { total: summary?.money, order: shownOrder(run, snapshot, lines, summary?.money) };
}
