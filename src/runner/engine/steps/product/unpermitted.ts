import type { JsonObject } from '../../../../lib/json/json.ts';
import type { RunEnd, ShopMoney } from '../../../types.ts';
import { runSteps } from '../../../types.ts';
import { bounded } from '../../page/bounded.ts';
import { type Snapshot, takeSnapshot } from '../../page/snapshot.ts';
import { bareUrl, isShopUrl, originOf, type Run, RunStop } from '../../run.ts';
import { type Confirmation, readCharged, readConfirmation } from '../outcome/confirmation.ts';
import { outcomeWords } from '../outcome/outcome-words.ts';
import { askWhether } from '../outcome/reconcile.ts';

/** An order that the shop confirms although this run was never permitted to place one. */
export interface UnpermittedOrder extends Confirmation {
  /** What the page says was charged; absent where it does not. */
  readonly total?: ShopMoney;
}

const lookMsMax = 2_000;
const ofAnOrder = /order|purchase|bestell|commande|pedido|compra|ordine|acquisto|bestelling|注文/i;

/**
 * Stops a run without a permit on a page that confirms an order: a page, or a button that no rule
 * has taken for an order button, has placed one. From here on the run only asks.
 * @throws RunStop
 */
export function refuseUnpermitted(run: Run, snapshot: Snapshot): void {
  const order = findUnpermitted(run, snapshot);
  if (order !== undefined) stopFor(run, order);
}

/** @throws RunStop always: the shop has an order that this run was not permitted to place */
export function stopFor(run: Run, order: UnpermittedOrder): never {
  run.state.unpermitted = order;
  throw new RunStop({
    outcome: 'failed',
    reason: 'automation_failed',
    message: sentence,
    placed: 'unknown',
  });
}

const sentence =
  'The shop confirms an order that this run was not permitted to place: it is given up.';

/**
 * Stricter than behind the click, where a confirmation is expected: thanks that are not in the name
 * of the product, with an order number or in a heading that speaks of an order.
 */
function findUnpermitted(run: Run, snapshot: Snapshot): UnpermittedOrder | undefined {
  const { armed, reached, productTitle, shopOrigin } = run.state;
  if (
    armed ||
    reached < runSteps.indexOf('select') ||
    shopOrigin === '' ||
    !isShopUrl(run, snapshot.url)
  )
    return undefined;
  // Most pages say no thanks at all: those cost nothing more.
  const isThanked = (text: string) =>
    outcomeWords.thanks.test(
      (productTitle === '' ? text : text.replaceAll(productTitle, ' ')).replace(
        outcomeWords.otherThanks,
        ' ',
      ),
    );
  if (!isThanked(snapshot.text)) return undefined;
  const confirmation = readConfirmation(snapshot, run.task.url);
  if (confirmation === undefined) return undefined;
  const isNamed = isThanked(snapshot.heading) && ofAnOrder.test(snapshot.heading);
  return isNamed || confirmation.merchantOrderId !== undefined
    ? withTotal(run, snapshot, confirmation)
    : undefined;
}

/** The same order with what its page says was charged. */
export function withTotal(
  run: Run,
  snapshot: Snapshot,
  confirmation: Confirmation,
): UnpermittedOrder {
  const total = readCharged(snapshot, {
    pageCurrency: run.state.pageCurrency,
    expected: run.task.maxCost.currency,
  });
  return { ...confirmation, ...(total !== undefined && { total }) };
}

/** A last look before a run without a permit ends as one that has bought nothing. */
export async function lookForUnpermitted(run: Run): Promise<UnpermittedOrder | undefined> {
  const known = run.state.unpermitted ?? recordedOrder(run);
  if (known !== undefined) return known;
  if (run.page.isClosed() || run.state.reached < runSteps.indexOf('select')) return undefined;
  const snapshot = await bounded(takeSnapshot(run.page.mainFrame()), lookMsMax).catch(
    () => undefined,
  );
  return snapshot && findUnpermitted(run, snapshot);
}

const mark = 'unpermitted';

/** The order that an earlier browser of this run has met and recorded. */
export function recordedOrder(run: Run): UnpermittedOrder | undefined {
  const detail = run.task.resume?.evidence.findLast(
    (one) => one.step === 'placed' && one.detail?.[mark] === true,
  )?.detail;
  if (detail === undefined) return undefined;
  const { url, text, merchantOrderId, amountMinor, currency } = detail;
  return {
    url: String(url),
    text: String(text),
    ...(typeof merchantOrderId === 'string' && { merchantOrderId }),
    ...(typeof amountMinor === 'string' && {
      total: { amountMinor: BigInt(amountMinor), currency: String(currency) },
    }),
  };
}

/**
 * Records the order, which locks the item from then on, and asks the user whether it is really
 * there. Without an answer its outcome is unknown. @throws RunLostError
 */
export async function settleUnpermitted(run: Run, order: UnpermittedOrder): Promise<RunEnd> {
  run.log.warn({ url: order.url }, 'The shop confirms an order that was not permitted.');
  // Nothing is clicked any more, and whoever takes the run over only asks.
  run.state.armed = true;
  const { total, merchantOrderId, url, text } = order;
  const detail: JsonObject = {
    [mark]: true,
    url,
    text,
    ...(merchantOrderId !== undefined && { merchantOrderId }),
    ...(total !== undefined && {
      amountMinor: total.amountMinor.toString(),
      currency: total.currency,
    }),
  };
  if (recordedOrder(run) === undefined)
    await run.ports.record({
      step: 'placed',
      at: run.now().toISOString(),
      url: bareUrl(run.page.url()),
      detail,
    });
  const unknown: RunEnd = {
    outcome: 'failed',
    reason: 'automation_failed',
    message: sentence,
    placed: 'unknown',
  };
  // A run that must stop has no time left for a question: somebody else decides.
  if (run.signal.aborted) return unknown;
  const number = merchantOrderId === undefined ? '' : ` (order number ${merchantOrderId})`;
  const answer = await run.ports.ask({
    kind: 'confirm-outcome',
    origin: run.state.shopOrigin || originOf(run.task.url),
    question: `The shop confirms an order that this run was not permitted to place: “${text.slice(0, 160)}”${number}. ${askWhether(run, total)}`,
  });
  if (answer.action !== 'submit') return unknown;
  if (answer.values['outcome'] === 'not-placed')
    return {
      outcome: 'failed',
      reason: 'automation_failed',
      message: `${sentence} The user says that there is no order.`,
      placed: 'no',
    };
  // What it cost is not known to anybody here: an operator settles it with the shop.
  if (answer.values['outcome'] !== 'placed' || total === undefined) return unknown;
  const told = answer.values['merchantOrderId'];
  const known = typeof told === 'string' && told !== '' ? told : merchantOrderId;
  return {
    outcome: 'succeeded',
    total,
    ...(known !== undefined && { merchantOrderId: known }),
    confirmationUrl: url,
    confirmationText: text,
  };
}
