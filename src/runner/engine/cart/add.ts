import { clearLayers, clickAndRead, fingerprint } from '../act.ts';
import { captionOf, findButtons } from '../buttons.ts';
import { notLoaded } from '../page/quiet.ts';
import type { Snapshot } from '../page/snapshot.ts';
import { fail, isShopUrl, type Run, reach, readLater } from '../run.ts';
import { announceStep } from '../steps/known-steps.ts';
import { productButton } from '../steps/product/product-button.ts';
import { select } from '../steps/product/select.ts';
import { askTexts } from '../steps/texts.ts';
import { unstick } from '../stuck.ts';
import { words } from '../words/words.ts';
import { noteSaid, saidOnAdding } from './refusal.ts';

const refused =
  /choose|select|required|enter|fill|missing|wähl|auswähl|pflicht|angeben|choisi|obligatoire|saisi|selecc|elij|obligatori|選択|入力/i;

/** How long a cart may take to send what was pressed: some let the product fly there first. */
const lateMs = 1_600;

/** Puts the product into the cart, proven by what the network answered or the page shows. */
export async function addToCart(run: Run, given: Snapshot): Promise<Snapshot> {
  let snapshot = given;
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const button = productButton(run, snapshot);
    if (button === undefined) {
      if (words.soldOut.test(snapshot.text)) fail(run, 'The product is sold out.');
      return helpToAdd(run, snapshot, 'No way to put the product into the cart was found.');
    }
    if (button.disabled) {
      if (words.soldOut.test(captionOf(button))) fail(run, 'The product is sold out.');
      snapshot = await readLater(run, 600);
      continue;
    }
    announceStep(run, snapshot, button);
    const changes = run.watch.changes;
    const after = await clickAndRead(run, snapshot, button);
    snapshot = await clearLayers(run, after.snapshot);
    // A layer that came meanwhile may have caught the press: without it the page is as it was, and
    // nothing was sent.
    const isAsBefore = after.changed && fingerprint(snapshot) === fingerprint(after.before);
    if (isAsBefore && run.watch.changes === changes) snapshot = await readLater(run, lateMs);
    if (
      isAsBefore &&
      run.watch.changes === changes &&
      fingerprint(snapshot) === fingerprint(after.before)
    )
      continue;
    const refusal = snapshot.alerts.find(
      (alert) => refused.test(alert) && !after.before.alerts.includes(alert),
    );
    if (refusal !== undefined) {
      noteSaid(run, after.before, snapshot);
      snapshot = await askTexts(run, await select(run, snapshot), refusal);
      continue;
    }
    if (
      snapshot.alerts.some(
        (alert) => words.soldOut.test(alert) && !after.before.alerts.includes(alert),
      )
    )
      fail(run, 'The product is sold out.');
    if (after.changed || after.sent) {
      noteRefusal(run, after.before, snapshot);
      noteSaid(run, after.before, snapshot);
      return isInCart(run, snapshot);
    }
  }
  return helpToAdd(
    run,
    snapshot,
    saidSoldOut(run, snapshot) ??
      `The shop did not take the product into the cart${saidOnAdding(run)}.`,
  );
}

const badgeMax = 40;

/**
 * What a page says beside a button that cannot be pressed; undefined where it can, or nothing is
 * said.
 */
function saidSoldOut(run: Run, snapshot: Snapshot): string | undefined {
  const line = snapshot.text
    .split('\n')
    .find((one) => one.trim().length < badgeMax && words.soldOut.test(one));
  if (line === undefined || productButton(run, snapshot)?.disabled !== true) return undefined;
  return `The shop’s button for the product cannot be pressed, and its page says “${line.trim()}”.`;
}

/** The shop takes no second one, or has one already. */
const noMore =
  /\balready\b|\bonly (?:have|buy|order|add|one|\d)|\bmax(?:imum|imal|imaal|\.)|\blimit|no more than|bereits|höchstens|déjà|\bya (?:está|tiene|hay)|máximo|\bgià\b|massimo|hoogstens|já (?:está|tem)/i;

/**
 * A cart that held something and has as many as before may have refused another piece without a
 * word, and one that says so has: what lies there is the user's.
 */
function noteRefusal(run: Run, before: Snapshot, after: Snapshot): void {
  const held = shownCount(run, before);
  if (
    (held !== undefined && held > 0 && shownCount(run, after) === held) ||
    saysNoMore(before, after)
  )
    run.state.mayBeUsers = true;
}

function saysNoMore(before: Snapshot, after: Snapshot): boolean {
  const known = new Set(before.text.split('\n'));
  return after.text.split('\n').some((line) => !known.has(line) && noMore.test(line));
}

async function isInCart(run: Run, snapshot: Snapshot): Promise<Snapshot> {
  run.state.hasAdded = true;
  await reach(run, 'add-to-cart', {
    product: run.state.productTitle,
    quantity: run.state.quantity,
  });
  return snapshot;
}

/** @throws RunStop with the sentence when nobody can help */
async function helpToAdd(run: Run, snapshot: Snapshot, sentence: string): Promise<Snapshot> {
  const helped =
    (await unstick(run, { kind: 'add-to-cart' }, snapshot)) ??
    fail(run, (await notLoaded(run.page)) ?? sentence);
  return helped.isDone ? isInCart(run, helped.snapshot) : addToCart(run, helped.snapshot);
}

/**
 * How many pieces a page says lie in the cart, beside the way to it; undefined where it does not
 * say.
 */
function shownCount(run: Run, snapshot: Snapshot): number | undefined {
  const ways = findButtons(snapshot, 'cart', { isAllowed: (url) => isShopUrl(run, url) });
  const said = ways.flatMap(
    ({ button }) =>
      /(?<![\d.,])\d{1,3}(?![\d.,])/.exec(`${captionOf(button)} ${button.label}`) ?? [],
  )[0];
  return said === undefined ? undefined : Number(said);
}
