import type { RunEnd, ShopMoney } from '../../types.ts';
import { fingerprint } from '../act.ts';
import { captionOf } from '../buttons.ts';
import { readForm } from '../fields/forms.ts';
import { cardMeanings } from '../fields/meanings.ts';
import { settle } from '../page/settle.ts';
import { type Snapshot, takeSnapshot } from '../page/snapshot.ts';
import { bareUrl, isShopUrl, originOf, type Run, reach } from '../run.ts';
import { plain, words } from '../words.ts';

const outcomeWaitMs = 25_000;
const afterUserWaitMs = 15_000;

/** What proves that the shop has the order. */
export interface Confirmation {
  readonly merchantOrderId?: string;
  readonly url: string;
  readonly text: string;
}

const orderNumber =
  /(?:order|bestell|auftrags?|commande|pedido|confirmation|reference|referenz|vorgangs|receipt)[\s-]*(?:number|nummer|nr\.?|no\.?|id|code|n[°ºo]\.?|n[uú]m[eé]ro(?: de (?:commande|pedido))?|reference|confirmation)?(?: (?:is|lautet|est|es|de|del|der))?\s*[:#№.]*\s*#?\s*((?=[A-Z0-9/_-]*\d)[A-Z0-9][A-Z0-9/_-]{2,30})/giu;

/** The number of an order in the words of a confirmation; undefined when there is none. */
export function findOrderNumber(text: string): string | undefined {
  const found = [...text.matchAll(orderNumber)].map(([whole, number]) => ({
    number: number!,
    isNamed: /number|nummer|nr|no\.|n[°º]|n[uú]m[eé]ro|#|:|id\b/i.test(whole),
  }));
  const isDate = (number: string) => /^\d{4}-\d\d-\d\d$|^\d{1,2}[-/]\d{1,2}[-/]\d{2,4}$/.test(number);
  const usable = found.filter((one) => !isDate(one.number));
  return (usable.find((one) => one.isNamed) ?? usable[0])?.number;
}

/** Reads whether a page confirms the order: thanks or an order number, and no way left to order. */
export function readConfirmation(snapshot: Snapshot, clickedOn?: string): Confirmation | undefined {
  const path = URL.canParse(snapshot.url) ? new URL(snapshot.url).pathname : '';
  const heads = `${snapshot.heading}\n${snapshot.title}`;
  const number = findOrderNumber(snapshot.text);
  const isThanked = words.thanks.test(snapshot.text);
  const isPath =
    /thank|confirm|success|complete|receipt|\bdone\b|danke|bestaetigung|merci|gracias|order-received|orders?\/[\w-]*\d/i.test(path) &&
    snapshot.url !== clickedOn;
  const score =
    (isThanked ? 2 : 0) +
    (words.thanks.test(heads) ? 1 : 0) +
    (number !== undefined && snapshot.url !== clickedOn ? 2 : number === undefined ? 0 : 1) +
    (isPath ? 2 : 0);
  const canOrder =
    snapshot.buttons.some((button) => words.place.test(captionOf(button)) && !button.disabled && button.tag !== 'a') ||
    readForm(snapshot).fields.some((one) => cardMeanings.has(one.meaning));
  if (score < 3 || canOrder || words.declined.test(heads)) return undefined;
  const line = snapshot.text.split('\n').find((one) => words.thanks.test(one)) ?? snapshot.heading;
  return { ...(number === undefined ? {} : { merchantOrderId: number }), url: bareUrl(snapshot.url), text: line.trim().slice(0, 300) };
}

/** Waits for what the click brought about; the user is asked for 3-D Secure. Nothing is clicked. */
export async function watchOutcome(
  run: Run,
  given: { readonly before: Snapshot; readonly requestsBefore: number | undefined },
): Promise<RunEnd> {
  const { before } = given;
  let hasAsked = false;
  for (let end = Date.now() + outcomeWaitMs; Date.now() < end && !run.signal.aborted; ) {
    await settle(run.page, run.watch, { quietMs: 120, timeoutMs: 3_000 });
    const snapshot = await takeSnapshot(run.page.mainFrame()).catch(() => undefined);
    // The browser's own error page: the answer is lost.
    if (snapshot === undefined || !/^https?:/.test(snapshot.url)) break;
    const confirmation = isShopUrl(run, snapshot.url) ? readConfirmation(snapshot, before.url) : undefined;
    if (confirmation !== undefined) return confirmed(run, confirmation);
    if (!hasAsked && (await isThreeDs(run, snapshot))) {
      hasAsked = true;
      await run.ports.ask({ kind: 'three-d-secure', origin: originOf(run.page.url()) });
      end = Date.now() + outcomeWaitMs + afterUserWaitMs;
    }
    const isDeclined = words.declined.test(`${snapshot.alerts.join(' ')} ${snapshot.heading}`) && Date.now() > end - outcomeWaitMs + 1_500;
    if (isDeclined) return declined(run, snapshot);
    if (isSwallowed(run, given, snapshot) && Date.now() > end - outcomeWaitMs + 8_000) {
      return {
        outcome: 'failed',
        reason: 'automation_failed',
        message: 'The shop did not react to the order button: no order request has left.',
        placed: 'no',
      };
    }
    await new Promise((resolve) => setTimeout(resolve, 150));
  }
  return reconcile(run, 'The shop did not confirm the order.');
}

/** Only the gate proves that nothing has left; a page that did not change is no proof. */
function isSwallowed(
  run: Run,
  given: { readonly before: Snapshot; readonly requestsBefore: number | undefined },
  snapshot: Snapshot,
): boolean {
  if (run.gate === undefined || given.requestsBefore === undefined) return false;
  return (
    run.gate.placedRequests() === given.requestsBefore &&
    run.watch.busy === 0 &&
    snapshot.url === given.before.url &&
    fingerprint(snapshot).length > 0
  );
}

async function declined(run: Run, snapshot: Snapshot): Promise<RunEnd> {
  const text = (snapshot.alerts.find((alert) => words.declined.test(alert)) ?? snapshot.heading).slice(0, 160);
  const isRefused = run.watch.answers.some(
    (answer) => answer.method !== 'GET' && answer.status >= 400 && answer.status < 500 && isShopUrl(run, answer.url),
  );
  if (!isRefused) return reconcile(run, `The shop says: “${text}”.`);
  return { outcome: 'failed', reason: 'automation_failed', message: `The shop refused the payment: “${text}”.`, placed: 'no' };
}

async function isThreeDs(run: Run, snapshot: Snapshot): Promise<boolean> {
  for (const frame of run.page.frames()) {
    if (frame === run.page.mainFrame()) continue;
    const element = await frame.frameElement().catch(() => undefined);
    if (!(await element?.isVisible().catch(() => false))) continue;
    const box = await element?.boundingBox().catch(() => null);
    if (!box || box.width < 150 || box.height < 100) continue;
    const about = `${frame.url()} ${frame.name()} ${(await element?.getAttribute('title').catch(() => '')) ?? ''} ${(await element?.getAttribute('id').catch(() => '')) ?? ''}`;
    const text = await takeSnapshot(frame).then(
      (one) => one.text,
      () => '',
    );
    if (/3ds|3-?d-?s|acs\b|challenge|authenticat|secure-?code/i.test(about) || words.threeDs.test(text)) return true;
  }
  return words.threeDs.test(`${snapshot.heading} ${snapshot.title}`) || (/^https?:/.test(snapshot.url) && !isShopUrl(run, snapshot.url));
}

async function confirmed(run: Run, confirmation: Confirmation): Promise<RunEnd> {
  const { merchantOrderId, url, text } = confirmation;
  await reach(run, 'placed', {});
  await reach(run, 'confirm', { ...(merchantOrderId === undefined ? {} : { merchantOrderId }), url });
  await reach(run, 'settled', {});
  return {
    outcome: 'succeeded',
    total: knownTotal(run),
    ...(merchantOrderId === undefined ? {} : { merchantOrderId }),
    confirmationUrl: url,
    confirmationText: text,
  };
}

/** What was approved: by this try, or by the one that its evidence tells of. */
function knownTotal(run: Run): ShopMoney {
  const quoted = run.task.resume?.evidence.findLast(
    (one) => typeof one.detail?.['total'] === 'string' && typeof one.detail['currency'] === 'string',
  )?.detail;
  return (
    run.state.approved ??
    (quoted === undefined ? run.task.maxCost : { amountMinor: BigInt(String(quoted['total'])), currency: String(quoted['currency']) })
  );
}

/**
 * Finds out by reading whether the shop has the order: this page, the list of the user's orders, else the user. Nothing is
 * clicked, only addresses are opened.
 */
export async function reconcile(run: Run, why: string): Promise<RunEnd> {
  run.log.warn({ why }, 'The outcome is read from the shop.');
  const here = await takeSnapshot(run.page.mainFrame()).catch(() => undefined);
  const confirmation = here === undefined || !isShopUrl(run, here.url) ? undefined : readConfirmation(here);
  if (confirmation !== undefined) return confirmed(run, confirmation);
  const listed = await readOrderHistory(run).catch(() => undefined);
  if (listed !== undefined) return confirmed(run, listed);
  const answer = await run.ports.ask({
    kind: 'confirm-outcome',
    origin: run.state.shopOrigin || originOf(run.task.url),
    question: `${why} Does the shop have the order?`,
  });
  const unknown: RunEnd = {
    outcome: 'failed',
    reason: 'automation_failed',
    message: `${why} It is not known whether the order was placed.`,
    placed: 'unknown',
  };
  if (answer.action !== 'submit') return unknown;
  if (answer.values['outcome'] === 'not-placed')
    return { outcome: 'failed', reason: 'automation_failed', message: `${why} The user says that there is no order.`, placed: 'no' };
  if (answer.values['outcome'] !== 'placed') return unknown;
  const merchantOrderId =
    typeof answer.values['merchantOrderId'] === 'string' && answer.values['merchantOrderId'] !== ''
      ? answer.values['merchantOrderId']
      : undefined;
  await reach(run, 'settled', { told: 'by the user' });
  return {
    outcome: 'succeeded',
    total: knownTotal(run),
    ...(merchantOrderId === undefined ? {} : { merchantOrderId }),
    confirmationText: 'The user confirmed the order.',
  };
}

const historyLink =
  /(?:my |your )?orders\b|order history|purchases|bestellungen|meine bestellungen|(?:mes |historique des )?commandes|(?:mis )?pedidos/i;
const accountLink = /\baccount\b|my profile|mein konto|kundenkonto|mon compte|mi cuenta/i;

/** The newest order of the shop's own list, when it is of today and names product and total. */
async function readOrderHistory(run: Run): Promise<Confirmation | undefined> {
  const start = run.page.url().startsWith('http') ? run.page.url() : run.task.url;
  await run.page.goto(new URL('/', start).href, { waitUntil: 'domcontentloaded', timeout: 10_000 });
  for (const link of [accountLink, historyLink]) {
    await settle(run.page, run.watch, { timeoutMs: 4_000 });
    const snapshot = await takeSnapshot(run.page.mainFrame());
    const target = (link === accountLink ? [historyLink, accountLink] : [historyLink])
      .map((one) => snapshot.buttons.find((button) => button.href !== '' && isShopUrl(run, button.href) && one.test(captionOf(button))))
      .find((one) => one !== undefined);
    if (target === undefined) continue;
    await run.page.goto(target.href, { waitUntil: 'domcontentloaded', timeout: 10_000 });
    await settle(run.page, run.watch, { timeoutMs: 4_000 });
    const found = newestOrder(run, await takeSnapshot(run.page.mainFrame()));
    if (found !== undefined) return found;
  }
  return undefined;
}

function newestOrder(run: Run, snapshot: Snapshot): Confirmation | undefined {
  const { amountMinor } = knownTotal(run);
  const product = plain(
    run.state.productTitle ||
      String(run.task.resume?.evidence.findLast((one) => typeof one.detail?.['product'] === 'string')?.detail?.['product'] ?? ''),
  );
  const today = run.now().toISOString().slice(0, 10);
  const amount = new RegExp(`(?<!\\d)${(amountMinor / 100n).toString()}[.,]${(amountMinor % 100n).toString().padStart(2, '0')}(?!\\d)`);
  const row = snapshot.prices
    .map((price) => price.row)
    .find(
      (text) =>
        amount.test(text) &&
        product !== '' &&
        plain(text).includes(product) &&
        (text.includes(today) || /today|heute|aujourd|hoy|just now/i.test(text)),
    );
  const number = row === undefined ? undefined : (findOrderNumber(row) ?? /#?([A-Z]{0,4}-?\d{3,})/.exec(row)?.[1]);
  return row === undefined
    ? undefined
    : { ...(number === undefined ? {} : { merchantOrderId: number }), url: bareUrl(snapshot.url), text: row.slice(0, 300) };
}
