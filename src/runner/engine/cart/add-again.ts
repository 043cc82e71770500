import { bestButton, clearLayers, clickAndRead } from '../act.ts';
import { captionOf } from '../buttons.ts';
import type { Snapshot } from '../page/snapshot.ts';
import { fail, type Run, readPage } from '../run.ts';
import {
  isQuantitySeen,
  isQuantityTaken,
  noteQuantity,
  readQuantity,
  toldCount,
} from '../steps/product/quantity.ts';
import { select } from '../steps/product/select.ts';
import { words } from '../words/words.ts';
import { addToCart } from './add.ts';
import { cartLines, isCartPage } from './lines.ts';

/** More than so many are not put into a cart one by one. */
const quantityMax = 6;

/**
 * Where neither the product's page nor the cart lets one say how many, the product is put into the
 * cart once for each, and the cart is read after every time: never more than were asked for. What
 * the cart does not show in the end is refused with the quote.
 * @throws RunStop when the cart does not take as many, or has more
 */
export async function addAgain(run: Run, given: Snapshot): Promise<Snapshot> {
  const { quantity } = run.state;
  if (quantity === 1 || isQuantityTaken(run)) return given;
  let snapshot = await openCart(run, given);
  let before = 0;
  for (let added = 1; snapshot !== undefined; added += 1) {
    const count = countInCart(run, snapshot);
    if (count === 'settable' || count === quantity || isQuantitySeen(run)) return snapshot;
    if (count !== undefined && count > quantity)
      fail(
        run,
        `The cart holds ${count} of it and lets nobody change that: ${quantity} were asked for.`,
      );
    if (count !== undefined && added > 1 && count <= before)
      fail(run, `The shop keeps ${count} of it in the cart: ${quantity} were asked for.`);
    if (quantity > quantityMax)
      fail(
        run,
        `The shop lets nobody say how many, and ${quantity} are too many to put into the cart one by one.`,
      );
    // A cart that does not count has got each of them once.
    if (added >= quantity) return snapshot;
    before = count ?? 0;
    run.log.info({ added, quantity }, 'The product is put into the cart once more.');
    await run.page.goto(run.task.url, {
      waitUntil: 'domcontentloaded',
      timeout: run.patience.openMs,
    });
    snapshot = await openCart(
      run,
      await addToCart(run, await select(run, await clearLayers(run, await readPage(run)))),
    );
  }
  return given;
}

/** The page of the cart, or one that shows it; undefined where no way leads there. */
async function openCart(run: Run, given: Snapshot): Promise<Snapshot | undefined> {
  if (isCartPage(run, given)) return given;
  const button = bestButton(run, given, 'cart');
  if (button === undefined || button.disabled) return undefined;
  const snapshot = await clearLayers(run, (await clickAndRead(run, given, button)).snapshot);
  return isCartPage(run, snapshot) ? snapshot : undefined;
}

const inBrackets = /(?:^|[\s(])(\d{1,3})\)?$/;

/**
 * How many of the product the cart says it has; `settable` where it can be said there; undefined
 * where it does not say.
 */
function countInCart(run: Run, snapshot: Snapshot): number | 'settable' | undefined {
  const ours = cartLines(run, snapshot).filter((line) => line.isOurs);
  if (ours.some((line) => line.quantity !== undefined || line.stepper !== undefined))
    return 'settable';
  const told = toldCount(run, snapshot);
  if (told !== undefined) return noted(run, told);
  if (ours.length > 1) return noted(run, ours.length);
  readQuantity(run, snapshot);
  // The number beside the link to the cart counts everything in it.
  const badge = snapshot.buttons
    .filter((button) => button.region === 'header' && words.cart.test(captionOf(button)))
    .flatMap((button) => inBrackets.exec(captionOf(button))?.[1] ?? [])[0];
  return badge === undefined ? undefined : Number(badge);
}

function noted(run: Run, count: number): number {
  noteQuantity(run, count);
  return count;
}
