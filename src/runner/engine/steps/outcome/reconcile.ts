import { setTimeout as delay } from 'node:timers/promises';
import type { CardUse, RunEnd, ShopMoney } from '../../../types.ts';
import { RunLostError } from '../../../types.ts';
import { captionOf } from '../../buttons.ts';
import { decimals } from '../../money/currencies.ts';
import { formatMoney } from '../../money/prices.ts';
import { bounded } from '../../page/bounded.ts';
import { linkTo } from '../../page/route.ts';
import { settle } from '../../page/settle.ts';
import { type Snapshot, type SnapshotInfo, takeSnapshot } from '../../page/snapshot.ts';
import {
  bareUrl,
  checkAlive,
  isShopUrl,
  leaveUnanswered,
  originOf,
  type Run,
  reach,
  reachAll,
} from '../../run.ts';
import { plain, words } from '../../words/words.ts';
import { uncoverScreen } from '../login/secrets.ts';
import { leftToDo } from '../paying/paying.ts';
import {
  type Confirmation,
  findOrderNumber,
  readCharged,
  readConfirmation,
} from './confirmation.ts';
import { type Evidence, judge } from './evidence.ts';

/** What the waiting after the click has found; absent where an earlier try has clicked. */
export interface Findings {
  readonly page: Evidence['page'];
  readonly isRefusalProven: boolean;
  readonly request: Evidence['request'];
}

const issuerPatienceMs = 5_000;
const issuerPauseMs = 1_000;
const openTimeoutMs = 10_000;
const snapshotMsMax = 5_000;

/** What the issuer has seen: asked until it has seen something, or for a moment. */
export async function askIssuer(run: Run, patienceMs = issuerPatienceMs): Promise<CardUse> {
  const end = Date.now() + patienceMs;
  for (;;) {
    const use = await run.ports.cardUse().catch((error: unknown): CardUse => {
      if (error instanceof RunLostError) throw error;
      return { state: 'unknown' };
    });
    if (use.state !== 'not-used' || Date.now() >= end || run.signal.aborted) return use;
    await delay(issuerPauseMs);
  }
}

/** What was approved: by this try, or by the one that its evidence tells of. */
function approvedTotal(run: Run): ShopMoney {
  const quoted = run.task.resume?.evidence.findLast(
    (one) =>
      typeof one.detail?.['total'] === 'string' && typeof one.detail['currency'] === 'string',
  )?.detail;
  return (
    run.state.approved ??
    (quoted === undefined
      ? run.task.maxCost
      : { amountMinor: BigInt(String(quoted['total'])), currency: String(quoted['currency']) })
  );
}

/**
 * Ends a run whose order the shop has. What was really charged is its total, whatever was approved.
 */
export async function confirmed(
  run: Run,
  confirmation: Confirmation,
  charged?: ShopMoney,
): Promise<RunEnd> {
  const { merchantOrderId, url, text } = confirmation;
  await uncoverScreen(run);
  const shown = await bounded(takeSnapshot(run.page.mainFrame()), snapshotMsMax).then(
    (snapshot) => snapshot.text,
    () => '',
  );
  await reachAll(run, [
    ['placed', {}],
    ['confirm', { merchantOrderId, url }],
    ['settled', {}],
  ]);
  return {
    outcome: 'succeeded',
    total: charged ?? approvedTotal(run),
    merchantOrderId,
    confirmationUrl: url,
    confirmationText: [text, leftToDo(run.state.paying, shown)]
      .filter((part) => part !== '')
      .join(' '),
  };
}

/** What the issuer, else a page that names more than was approved, says was charged. */
export async function chargedTotal(
  run: Run,
  snapshot: SnapshotInfo | undefined,
): Promise<ShopMoney | undefined> {
  const approved = approvedTotal(run);
  const use = await askIssuer(run, 0);
  if (use.state === 'authorised') return use.total;
  const read =
    snapshot === undefined ? undefined : readCharged(snapshot, { pageCurrency: approved.currency });
  return read !== undefined &&
    read.currency === approved.currency &&
    read.amountMinor > approved.amountMinor
    ? read
    : undefined;
}

/**
 * Finds out by reading whether the shop has the order: this page, the issuer of the card, the list
 * of orders, the cart, and at last the user. Nothing is clicked, only addresses are opened.
 */
export async function reconcile(run: Run, why: string, findings?: Findings): Promise<RunEnd> {
  run.log.warn({ why }, 'The outcome is read from the shop.');
  // A page whose next document is still awaited answers nothing: then its shop is opened anew.
  const here = await bounded(takeSnapshot(run.page.mainFrame()), snapshotMsMax).catch(
    () => undefined,
  );
  const confirmation =
    here === undefined || !isShopUrl(run, here.url) ? undefined : readConfirmation(here);
  if (confirmation !== undefined)
    return confirmed(run, confirmation, await chargedTotal(run, here));
  const card = await askIssuer(run);
  const { history, cart, found } = await readShop(run);
  const approved = approvedTotal(run);
  const evidence: Evidence = {
    page: 'silent',
    isRefusalProven: false,
    request: 'unknown',
    ...findings,
    card,
    history,
    cart,
    approved,
  };
  const verdict = judge(evidence);
  run.log.info(
    { page: evidence.page, card: card.state, request: evidence.request, history, cart, verdict },
    'The witnesses were asked.',
  );
  const charged = card.state === 'authorised' ? card.total : undefined;
  if (verdict === 'placed') return confirmed(run, found ?? byCard(run), charged);
  if (verdict === 'not-placed') return notPlaced(`${why} The order was not placed.`);
  return askUser(run, why, evidence);
}

const byCard = (run: Run): Confirmation => ({
  url: bareUrl(run.page.url()),
  text: 'The card was charged with the approved total; the shop’s confirmation was not seen.',
});

export const notPlaced = (message: string): RunEnd => ({
  outcome: 'failed',
  reason: 'automation_failed',
  message,
  placed: 'no',
});

async function readShop(
  run: Run,
): Promise<Pick<Evidence, 'history' | 'cart'> & { readonly found?: Confirmation }> {
  const home = await openForReading(
    run,
    new URL('/', run.state.shopOrigin || run.task.url).href,
  ).catch(() => undefined);
  if (home === undefined) return { history: 'unreadable', cart: 'unreadable' };
  const { history, found } = await readOrderHistory(run, home).catch(() => ({
    history: 'unreadable' as const,
    found: undefined,
  }));
  if (found !== undefined) return { history, cart: 'unreadable', found };
  const elsewhere =
    history === 'unreadable' ? await findElsewhere(run).catch(() => undefined) : undefined;
  if (elsewhere !== undefined) return { history: 'listed', cart: 'unreadable', found: elsewhere };
  return { history, cart: await readCart(run, home).catch(() => 'unreadable' as const) };
}

const usualLists = ['/orders', '/account/orders', '/my-orders'];

/**
 * A shop whose first page leads to no list may link it from the product, or have it where most
 * shops do. What is not there says nothing.
 */
async function findElsewhere(run: Run): Promise<Confirmation | undefined> {
  const product = await openForReading(run, run.task.url);
  const { found } = await readOrderHistory(run, product);
  if (found !== undefined) return found;
  for (const path of usualLists) {
    const snapshot = await openForReading(
      run,
      new URL(path, run.state.shopOrigin || run.task.url).href,
    );
    const listed = run.watch.document.answer === 200 ? findOwnOrder(run, snapshot) : undefined;
    if (listed !== undefined) return listed;
  }
  return undefined;
}

async function openForReading(run: Run, address: string): Promise<Snapshot> {
  if (run.signal.aborted) checkAlive(run);
  try {
    await run.page.goto(address, { waitUntil: 'domcontentloaded', timeout: openTimeoutMs });
  } catch (error) {
    await leaveUnanswered(run);
    throw error;
  }
  await settle(run.page, run.watch, { timeoutMs: 4_000 });
  return takeSnapshot(run.page.mainFrame());
}

const historyLink =
  /(?:my |your )?orders\b|order history|purchases|bestellungen|(?:mes |historique des )?commandes|(?:mis )?pedidos|i miei ordini|bestellingen|注文履歴/i;
const accountLink =
  /\baccount\b|my profile|mein konto|kundenkonto|mon compte|mi cuenta|il mio account|mijn account|アカウント/i;
/** Addresses that may do something when they are only opened. */
const acts =
  /log-?out|sign-?out|add|remove|delete|clear|empty|cancel|abmelden|update|checkout|reorder|buy/i;

/** Address of the first link whose words say so and that only shows something. */
function linkOf(run: Run, snapshot: Snapshot, says: RegExp): string | undefined {
  return snapshot.buttons.find(
    (button) =>
      /^https?:/.test(button.href) &&
      isShopUrl(run, button.href) &&
      !acts.test(new URL(button.href).pathname + new URL(button.href).search) &&
      says.test(captionOf(button)),
  )?.href;
}

/** The shop's own list of orders, by its link or behind the one to the account. */
async function readOrderHistory(
  run: Run,
  home: Snapshot,
): Promise<{ readonly history: Evidence['history']; readonly found?: Confirmation }> {
  const seen = new Set<string>();
  let snapshot = home;
  for (let step = 0; step < 2; step += 1) {
    const next = [historyLink, accountLink]
      .map((says) => linkOf(run, snapshot, says))
      .find((one) => one !== undefined && !seen.has(one));
    if (next === undefined) break;
    seen.add(next);
    snapshot = await openForReading(run, next);
    const found = findOwnOrder(run, snapshot);
    if (found !== undefined) return { history: 'listed', found };
    const isList =
      historyLink.test(snapshot.heading) &&
      !snapshot.fields.some((field) => field.type === 'password');
    if (isList && isSameVisitor(run)) return { history: 'not-listed' };
  }
  return { history: 'unreadable' };
}

/**
 * The shop takes this browser for the one that ordered: an empty list of a stranger says nothing.
 */
const isSameVisitor = (run: Run) =>
  run.task.resume === undefined || run.task.browserState !== undefined;

/**
 * A row with the approved total that is of this purchase: it names the product or is of today; in a
 * browser that came without any memory of the shop and has not signed in, every order is.
 */
function findOwnOrder(run: Run, snapshot: SnapshotInfo): Confirmation | undefined {
  const isOurs = amountTest(approvedTotal(run));
  const product = plain(
    run.state.productTitle ||
      String(
        run.task.resume?.evidence.findLast((one) => typeof one.detail?.['product'] === 'string')
          ?.detail?.['product'] ?? '',
      ),
  );
  const isFresh =
    run.task.browserState === undefined && run.task.resume === undefined && !run.state.signedIn;
  const today = run.now().toISOString().slice(0, 10);
  const row = snapshot.prices
    .map((price) => price.row || `${price.label} ${price.text}`)
    .find(
      (text) =>
        isOurs(text) &&
        (isFresh ||
          text.includes(today) ||
          /\btoday|heute|aujourd|\bhoy\b|just now|oggi|vandaag/i.test(text) ||
          (product !== '' && plain(text).includes(product) && !/\b(?:19|20)\d\d\b/.test(text))),
    );
  if (row === undefined) return undefined;
  const number = findOrderNumber(row) ?? /#?([A-Z]{0,4}[-/]?\d{3,})/.exec(row)?.[1];
  return {
    merchantOrderId: number,
    url: linkTo(snapshot.url),
    text: row.slice(0, 300),
  };
}

/** Whether a text has the amount, in any spelling of its digits. */
function amountTest({ amountMinor, currency }: ShopMoney): (text: string) => boolean {
  const places = decimals(currency);
  const digits = amountMinor.toString().padStart(places + 1, '0');
  const whole = digits.slice(0, digits.length - places).replace(/\B(?=(\d{3})+$)/g, "[.,'’\\s]?");
  const test = new RegExp(
    `(?<![\\d.,])${whole}${places === 0 ? '' : `[.,]${digits.slice(-places)}`}(?![\\d]|[.,]\\d)`,
  );
  return (text) => test.test(text);
}

async function readCart(run: Run, home: Snapshot): Promise<Evidence['cart']> {
  const link = linkOf(run, home, words.cart);
  if (link === undefined) return 'unreadable';
  const { text } = await openForReading(run, link);
  if (words.emptyCart.test(text)) return 'empty';
  const product = plain(run.state.productTitle);
  return product !== '' && plain(text).includes(product) ? 'full' : 'unreadable';
}

const cardSays: Readonly<Record<CardUse['state'], string>> = {
  unknown: '',
  'not-used': ' The card has not been charged so far.',
  authorised: ' The card was charged.',
};

/** The question about an order by what tells it from others: shop, product, total and time. */
export function askWhether(run: Run, total: ShopMoney | undefined): string {
  const { task, state } = run;
  const evidence = task.resume?.evidence ?? [];
  const quoted = evidence.findLast((one) => typeof one.detail?.['product'] === 'string')?.detail?.[
    'product'
  ];
  const product = state.productTitle || String(quoted ?? '');
  const at =
    state.armedAt ??
    evidence.findLast(({ step }) => step === 'armed' || step === 'placed')?.at ??
    run.now().toISOString();
  const of = product === '' ? '' : ` of “${product.slice(0, 120)}”`;
  const origin = state.shopOrigin || originOf(task.url);
  const cost = total === undefined ? '' : ` for ${formatMoney(total)}`;
  return `Does the shop have the order${of}${cost} at ${origin}, of ${at.slice(0, 16).replace('T', ' ')} UTC?`;
}

async function askUser(run: Run, why: string, evidence: Evidence): Promise<RunEnd> {
  await uncoverScreen(run);
  const answer = await run.ports.ask({
    kind: 'confirm-outcome',
    origin: run.state.shopOrigin || originOf(run.task.url),
    question: `${why}${cardSays[evidence.card.state]}${evidence.cart === 'full' ? ' The cart still holds the product.' : ''} ${askWhether(run, approvedTotal(run))}`,
  });
  const unknown: RunEnd = {
    outcome: 'failed',
    reason: 'automation_failed',
    message: `${why} It is not known whether the order was placed.`,
    placed: 'unknown',
  };
  if (answer.action !== 'submit') return unknown;
  if (answer.values['outcome'] === 'not-placed')
    return notPlaced(`${why} The user says that there is no order.`);
  if (answer.values['outcome'] !== 'placed') return unknown;
  const told = answer.values['merchantOrderId'];
  await reach(run, 'settled', { told: 'by the user' });
  return {
    outcome: 'succeeded',
    total: evidence.card.state === 'authorised' ? evidence.card.total : approvedTotal(run),
    ...(typeof told === 'string' && told !== '' ? { merchantOrderId: told } : {}),
    confirmationText: 'The user confirmed the order.',
  };
}
