import type { ShopMoney } from '../../types.ts';
import { captionOf } from '../buttons.ts';
import { formatMoney, sameMoney } from '../money/prices.ts';
import { readTotals, type Totals } from '../money/totals.ts';
import type { ButtonInfo, Snapshot } from '../page/snapshot.ts';
import { takeSnapshot } from '../page/snapshot.ts';
import { ask, fail, originOf, type Run, reach, readPage } from '../run.ts';
import { plain, words } from '../words.ts';

/** A total that two sources agree on, and is within what may be spent. */
export interface Quote {
  readonly total: ShopMoney;
  readonly sources: readonly { readonly source: string; readonly text: string }[];
  readonly lines: Totals['lines'];
}

const readsMax = 6;

/** Reads the total until it rests and two sources agree. @throws RunStop when it is unknown, contradictory, recurring or too high */
export async function readQuote(run: Run, button: ButtonInfo): Promise<Quote> {
  let totals: Totals | undefined;
  let previous: ShopMoney | undefined;
  for (let read = 0; read < readsMax; read += 1) {
    const snapshot = await readPage(run, { quietMs: read === 0 ? 350 : 500 });
    totals = totalsOf(run, snapshot, currentButton(snapshot, button));
    const money = totals.summary?.money;
    const isAgreed = money !== undefined && totals.second !== undefined && totals.contradiction === undefined;
    if (isAgreed && (previous === undefined ? read > 0 || run.watch.busy === 0 : sameMoney(previous, money))) {
      refuseRecurring(run, snapshot, button);
      refuseTooHigh(run, money);
      return {
        total: money,
        sources: [totals.summary!, totals.second!].map(({ source, text }) => ({ source, text })),
        lines: totals.lines,
      };
    }
    previous = money;
  }
  if (totals?.summary !== undefined) refuseTooHigh(run, totals.summary.money);
  if (totals?.contradiction !== undefined)
    fail(run, `The shop shows two totals: “${totals.summary?.text}” and “${totals.contradiction.text}”.`);
  return fail(
    run,
    totals?.summary === undefined ? 'No total with a known currency was found.' : 'The total could not be confirmed by a second source.',
  );
}

function totalsOf(run: Run, snapshot: Snapshot, button: ButtonInfo): Totals {
  const context = { pageCurrency: snapshot.priceCurrency || run.state.pageCurrency, expected: run.task.maxCost.currency };
  return readTotals(snapshot, run.watch.answers, context, captionOf(button));
}

const currentButton = (snapshot: Snapshot, button: ButtonInfo) =>
  snapshot.buttons.find(
    (one) =>
      one.hint === button.hint && one.tag === button.tag && plain(captionOf(one)).slice(0, 4) === plain(captionOf(button)).slice(0, 4),
  ) ?? button;

function refuseTooHigh(run: Run, total: ShopMoney): void {
  const { maxCost } = run.task;
  if (total.currency !== maxCost.currency) fail(run, `The shop asks for ${formatMoney(total)}: another currency than that of the limit.`);
  if (total.amountMinor > maxCost.amountMinor)
    fail(run, `The shop asks for ${formatMoney(total)}, the limit is ${formatMoney(maxCost)}.`, 'max_cost_exceeded');
}

/** Charges that come again are not bought. */
function refuseRecurring(run: Run, snapshot: Snapshot, button: ButtonInfo): void {
  const rows = snapshot.prices
    .filter((price) => !price.struck && !price.inButton)
    .map((price) => `${price.label} ${price.text} ${price.row.length < 160 ? price.row : ''}`);
  const nearButton = snapshot.text
    .split('\n')
    .filter((line) => line.length < 300 && /charge|bill|renew|abgebucht|verlänger|prélev|cobr/i.test(line));
  const found = [...rows, captionOf(button), ...nearButton].find(
    (text) => words.recurring.test(text) && !/newsletter|unsubscribe/i.test(text),
  );
  if (found !== undefined) fail(run, `The shop wants to charge again and again: “${found.trim().slice(0, 100)}”.`);
}

/** Shows the user what is bought, for how much. @throws RunStop when the user declines */
export async function approve(run: Run, quote: Quote): Promise<void> {
  const origin = originOf(run.page.url());
  await ask(run, {
    kind: 'approve-purchase',
    origin,
    total: quote.total,
    lines: quote.lines,
    ...(run.state.delivery === undefined ? {} : { delivery: run.state.delivery }),
  });
  run.state.approved = quote.total;
}

/** The total as it is now: a rise after the approval is asked again. */
export async function quoteAgain(run: Run, button: ButtonInfo): Promise<Quote> {
  const quote = await readQuote(run, button);
  const approved = run.state.approved;
  const isHigher = approved === undefined || quote.total.currency !== approved.currency || quote.total.amountMinor > approved.amountMinor;
  if (isHigher) fail(run, `The total rose to ${formatMoney(quote.total)} after it was approved.`);
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

/** The same page once more, without waiting: right before the click. */
export async function totalRightNow(run: Run, button: ButtonInfo): Promise<ShopMoney | undefined> {
  const snapshot = await takeSnapshot(run.page.mainFrame());
  return totalsOf(run, snapshot, currentButton(snapshot, button)).summary?.money;
}
