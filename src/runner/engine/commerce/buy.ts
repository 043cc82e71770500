import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { CommerceCheckout, CommerceShop } from '../../commerce/types.ts';
import { CommerceAwayError, CommerceRefusedError } from '../../commerce/types.ts';
import type { RunEnd } from '../../types.ts';
import { requireWithinMaxCost } from '../money/max-cost.ts';
import { formatMoney } from '../money/prices.ts';
import type { Snapshot } from '../page/snapshot.ts';
import { ask, checkAlive, fail, isShopUrl, type Run, reach } from '../run.ts';
import { wantsAccount } from '../steps/login/login.ts';
import { whyAgain } from '../steps/outcome/quote.ts';
import { notPlaced } from '../steps/outcome/reconcile.ts';
import { wayWanted } from '../steps/paying/paying.ts';
import { addressOf, disagreement, offerOf, totalDisagreement, totalOf } from './agree.ts';
import { drop, type NextKey, type Prepared, prepare, whyUnfit } from './prepare.ts';
import { markOf, placed, settleCheckout } from './settle.ts';

const progressPauseMs = 1_000;
const notesMax = 5;

/**
 * Buys what was chosen on the product's page through the shop's own interface for agents, under the
 * rules of the page: exactly what was asked for, within the limit, approved in the shop's words,
 * permitted once.
 * @returns undefined when the shop has none, or none that fits: the purchase goes on in its pages,
 * and a line says why
 */
export async function buyByProtocol(run: Run, snapshot: Snapshot): Promise<RunEnd | undefined> {
  const shop = await findShop(run);
  if (shop === undefined) return undefined;
  const nextKey = keysOf(run);
  let prepared: Prepared;
  try {
    prepared = await prepare(run, shop, snapshot, nextKey);
  } catch (error) {
    const why = whyUnfit(error);
    if (why === undefined) throw error;
    await run.ports.progress({
      title: 'Going on in the shop’s pages',
      message: `The shop speaks ${shop.place.protocol}. ${why}`,
    });
    return undefined;
  }
  await run.ports.progress({
    title: 'Prepared the order',
    message: `Through the shop’s own interface (${shop.place.protocol}).`,
  });
  return payFor(run, prepared, nextKey);
}

/**
 * An account, another way of paying than a card, and texts that a product needs are things of the
 * pages.
 */
async function findShop(run: Run): Promise<CommerceShop | undefined> {
  const { request = '' } = run.task;
  const isForPages = wantsAccount(run) || run.state.signedIn || wayWanted(request) !== undefined;
  const hasTexts = [...run.state.asked.keys()].some((key) => key.startsWith('text/'));
  if (run.commerce === undefined || isForPages || hasTexts) return undefined;
  return run.commerce.discover(run.state.shopOrigin).catch(() => undefined);
}

function keysOf({ task }: Run): NextKey {
  const nonce = randomUUID();
  let calls = 0;
  return () => {
    calls += 1;
    return `${task.checkoutId}-${nonce}-${calls}`;
  };
}

/**
 * Quote, approval, card, permit, and one call that places the order.
 * @throws RunStop with the checkout cancelled
 */
async function payFor(run: Run, prepared: Prepared, nextKey: NextKey): Promise<RunEnd> {
  const { shop, wanted, handler } = prepared;
  const { id } = prepared.checkout;
  try {
    requireWithinMaxCost(run, totalOf(prepared.checkout));
    await recordQuote(run, shop, prepared.checkout);
    let approved = await approve(run, prepared.checkout);
    await reach(run, 'approve', {});
    const total = totalOf(approved);
    const card = await run.ports.card({ total, origin: run.state.shopOrigin });
    await reach(run, 'authorise', {});
    const token = await run.commerce!.tokenize(
      handler,
      { checkoutId: id, total, at: run.now() },
      card,
    );
    await reach(run, 'fill-card', {});
    approved = await approveAgain(run, prepared, approved);
    checkAlive(run);
    const mayComplete = await run.ports.arm({
      total: totalOf(approved),
      origin: run.state.shopOrigin,
      sources: sourcesOf(shop, approved),
    });
    run.state.armed = true;
    run.state.armedCheckout = { shop, id };
    if (!mayComplete)
      return await settleCheckout(run, { shop, id }, 'An earlier try may have placed the order.');
    await reach(run, 'armed', {
      total: approved.totalMinor.toString(),
      currency: approved.currency,
    });
    const last = await shop.read(id).catch(() => undefined);
    if (
      last === undefined ||
      offerOf(last) !== offerOf(approved) ||
      disagreement(run, last, wanted) !== undefined
    ) {
      await drop(shop, id, nextKey());
      return notPlaced('The shop changed its checkout right before the order: nothing was placed.');
    }
    run.state.clicked = true;
    return await complete(run, prepared, () =>
      shop.complete(id, token, `${run.task.checkoutId}-complete`),
    );
  } catch (error) {
    if (!run.state.armed) await drop(shop, id, nextKey());
    const why = run.state.armed ? undefined : whyUnfit(error);
    if (why !== undefined) fail(run, `The shop’s interface: ${why}`);
    throw error;
  }
}

async function recordQuote(
  run: Run,
  shop: CommerceShop,
  checkout: CommerceCheckout,
): Promise<void> {
  await reach(run, 'quote', {
    total: checkout.totalMinor.toString(),
    currency: checkout.currency,
    sources: sourcesOf(shop, checkout).map(({ source }) => source),
    product: run.state.productTitle,
    ...markOf(shop, checkout.id),
  });
}

function sourcesOf(
  { place }: CommerceShop,
  checkout: CommerceCheckout,
): readonly { readonly source: string; readonly text: string }[] {
  const text = formatMoney(totalOf(checkout));
  return [
    { source: `total of the ${place.protocol} checkout`, text },
    { source: 'sum of its rows', text },
  ];
}

/** The shop's own lines, rows and notices. @throws RunStop when the user declines */
async function approve(run: Run, checkout: CommerceCheckout): Promise<CommerceCheckout> {
  const { productTitle, quantity, delivery } = run.state;
  const money = (amountMinor: bigint) => formatMoney({ amountMinor, currency: checkout.currency });
  const notes = checkout.messages.filter(({ type }) => type === 'warning').slice(0, notesMax);
  const why = whyAgain(run);
  await ask(run, {
    kind: 'approve-purchase',
    origin: run.state.shopOrigin,
    total: totalOf(checkout),
    lines: [
      { title: `You asked for: ${productTitle} × ${quantity}` },
      ...checkout.lines.map((line) => ({
        title: `${line.title} × ${line.quantity}${line.quantity > 1 ? ` (${money(line.unitPriceMinor)} each)` : ''}`,
        amount: money(line.totalMinor),
      })),
      ...checkout.totals
        .filter(({ type }) => type !== 'total')
        .map(({ title, amountMinor }) => ({ title, amount: money(amountMinor) })),
      ...(why === undefined ? [] : [{ title: `Note: ${why}` }]),
      ...notes.map(({ text }) => ({ title: `Note: the shop says: ${text}` })),
    ],
    ...(delivery !== undefined && { delivery }),
    paying: 'card',
    address: addressOf(checkout) ?? 'the shop delivers nothing',
  });
  run.state.approved = totalOf(checkout);
  return checkout;
}

/**
 * The checkout as it is now: what differs is asked again, and a higher total, or another product,
 * ends it.
 */
async function approveAgain(
  run: Run,
  { shop, checkout: { id }, wanted }: Prepared,
  approved: CommerceCheckout,
): Promise<CommerceCheckout> {
  const now = await shop.read(id);
  const problem = disagreement(run, now, wanted) ?? totalDisagreement(run, now);
  if (problem !== undefined) fail(run, `After the approval: ${problem}`);
  if (now.totalMinor > approved.totalMinor)
    fail(run, `The total rose to ${formatMoney(totalOf(now))} after it was approved.`);
  return offerOf(now) === offerOf(approved) ? now : approve(run, now);
}

/**
 * One call. What it says is believed when it is an end; else the checkout is read until it has one.
 */
async function complete(
  run: Run,
  { shop, checkout: { id } }: Prepared,
  call: () => Promise<CommerceCheckout>,
): Promise<RunEnd> {
  let answer: CommerceCheckout;
  try {
    answer = await call();
  } catch (error) {
    if (error instanceof CommerceRefusedError)
      return settleCheckout(run, { shop, id }, `The shop refused the order: “${error.message}”.`);
    if (error instanceof CommerceAwayError)
      return settleCheckout(run, { shop, id }, 'The shop’s answer to the order was lost.');
    throw error;
  }
  if (answer.status === 'completed') return placed(run, answer);
  if (answer.status === 'requires_escalation') return handOver(run, { shop, id }, answer);
  const said = answer.messages.find(({ type }) => type === 'error')?.text;
  const why =
    said === undefined ? 'The shop has not completed the order.' : `The shop says: “${said}”.`;
  await delay(progressPauseMs);
  return settleCheckout(run, { shop, id }, why);
}

/**
 * The bank, or the shop, wants the user: on the page that the shop names, inside of the shop only.
 */
async function handOver(
  run: Run,
  armed: { readonly shop: CommerceShop; readonly id: string },
  { continueUrl }: CommerceCheckout,
): Promise<RunEnd> {
  const why = 'The shop wants its customer to confirm the order.';
  if (continueUrl === undefined || !isShopUrl(run, continueUrl))
    return settleCheckout(run, armed, why);
  await run.page
    .goto(continueUrl, { waitUntil: 'domcontentloaded', timeout: run.patience.openMs })
    .catch(() => undefined);
  await run.ports.ask({ kind: 'three-d-secure', origin: run.state.shopOrigin });
  return settleCheckout(run, armed, why);
}
