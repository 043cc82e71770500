import { bestButton } from '../act.ts';
import { captionOf } from '../buttons.ts';
import type { Snapshot } from '../page/snapshot.ts';
import { fail, type Run } from '../run.ts';
import { words } from '../words/words.ts';
import { type CartLine, isCartPage } from './lines.ts';

const saidMax = 160;
const sentenceWordsMin = 4;

/** Notes what the shop says since the product was to be put into the cart, as far as it does. */
export function noteSaid(run: Run, before: Snapshot, after: Snapshot): void {
  run.state.saidOnAdding = newWords(before, after) ?? run.state.saidOnAdding;
}

/**
 * What a page says that the one before it did not: an alert, else a sentence that is neither a
 * heading nor something to be pressed.
 */
function newWords(before: Snapshot, after: Snapshot): string | undefined {
  const alert = after.alerts.find((one) => !before.alerts.includes(one));
  const known = new Set([
    ...before.text.split('\n'),
    after.heading,
    ...after.buttons.map(captionOf),
  ]);
  const line = after.text
    .split('\n')
    .find(
      (one) =>
        !known.has(one) &&
        one.length <= saidMax &&
        !words.emptyCart.test(one) &&
        !words.cookie.test(one) &&
        one.split(/[^\p{L}]+/u).filter((word) => word !== '').length >= sentenceWordsMin,
    );
  return (alert ?? line)?.replace(/\s+/g, ' ').trim().slice(0, saidMax);
}

/** The words of the shop behind a sentence of ours; empty where it said nothing. */
export const saidOnAdding = ({ state: { saidOnAdding } }: Run): string =>
  saidOnAdding === undefined ? '' : `: the shop says “${saidOnAdding.replace(/[.\s]+$/, '')}”`;

/**
 * A cart that says that it is empty, after the product was put into it: the shop has refused it,
 * in words of its own, or has taken it out.
 */
export function isEmptied(run: Run, snapshot: Snapshot, lines: readonly CartLine[]): boolean {
  if (lines.length > 0 || !isCartPage(run, snapshot)) return false;
  if (!words.emptyCart.test(snapshot.text)) return false;
  // Beside a way to the checkout it may be a word of the small cart at the head of the page.
  const checkout = bestButton(run, snapshot, 'checkout');
  return checkout === undefined || checkout.disabled;
}

/** @throws RunStop */
export function refuseEmpty(run: Run): never {
  return fail(
    run,
    `The cart of the shop is empty, though “${run.state.productTitle}” was put into it${saidOnAdding(run)}.`,
  );
}
