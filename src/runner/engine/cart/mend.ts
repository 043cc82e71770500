import { countSpellings } from '../fields/count.ts';
import { fillField } from '../fields/fill.ts';
import { formatMoney, hasAmount, parsePrice, pricesOfRow, sameMoney } from '../money/prices.ts';
import type { Snapshot } from '../page/snapshot.ts';
import { askOnce, fail, isUsersOwn, type Run, readLater, readPage } from '../run.ts';
import {
  askedFor,
  countBySum,
  noteQuantity,
  readQuantity,
  toldCount,
  unitPricesOf,
} from '../steps/product/quantity.ts';
import { pressStepper } from '../steps/product/steppers.ts';
import { sameKey } from './identity.ts';
import { type CartLine, cartLines, countOf, isCartPage, keyOf } from './lines.ts';
import { isEmptied, refuseEmpty, saidOnAdding } from './refusal.ts';
import { canTakeOut, pressUpdate, takeOutLine } from './take-out.ts';

const fixesMax = 24;
/** A line that stays though it was to be taken out so often cannot be. */
const tries = 2;
/** A number that is another one again after so often is not taken. */
const typedMax = 4;
/** How long a cart may say that it is empty before that is believed. */
const emptyMs = 2_500;

/**
 * Leaves in the cart what was asked for: one line of the product with its quantity. What an earlier
 * try has left is taken out, what is the user's own when the user says so, and a cart that holds
 * something else is not bought.
 * @throws RunStop with what the shop lists
 */
export async function mendCart(run: Run, given: Snapshot): Promise<Snapshot> {
  let snapshot = given;
  const tried = new Map<string, number>();
  let typed = 0;
  const emptyUntil = Date.now() + emptyMs;
  for (let fix = 0; fix < fixesMax; fix += 1) {
    const lines = cartLines(run, snapshot);
    const ours = lines.filter((line) => line.isOurs);
    readQuantity(run, snapshot);
    if (isEmptied(run, snapshot, lines)) {
      // Some carts say so until their script has fetched what is in them.
      if (Date.now() > emptyUntil) refuseEmpty(run);
      snapshot = await readLater(run, emptyMs);
      continue;
    }
    if (ours.length === 0) {
      if (!(await isWanted(run, snapshot, lines))) return snapshot;
      continue;
    }
    // A line without a count is one of it, where each was put into the cart by itself.
    // A shop may write what a discount is for as a line of its own.
    const sum = ours.reduce((all, line) => all + (countOf(line) ?? Number.NaN), 0);
    const isSplit =
      ours.length > 1 &&
      sum === run.state.quantity &&
      new Set(ours.filter((line) => !isFree(run, snapshot, line)).map(({ beside }) => beside))
        .size < 2;
    const keptLines = isSplit
      ? ours.length
      : ours.some((line) => countOf(line) !== undefined) || toldCount(run, snapshot) !== undefined
        ? 1
        : run.state.quantity;
    // What else has a number may be no line, but on the page of the cart.
    const isCart = isCartPage(run, snapshot);
    const mayGo = (line: CartLine) =>
      (tried.get(keyOf(line)) ?? 0) < tries &&
      (line.remove !== undefined || (isCart && isCounted(line) && canTakeOut(line)));
    const foreign =
      lines.find((line) => !line.isOurs && mayGo(line)) ?? ours.slice(keptLines).find(mayGo);
    if (foreign !== undefined) {
      await askToRemove(run, foreign);
      snapshot = await takeOutLine(run, snapshot, foreign);
      const key = keyOf(foreign);
      if (cartLines(run, snapshot).length >= lines.length)
        tried.set(key, (tried.get(key) ?? 0) + 1);
      continue;
    }
    const stuck = isCart
      ? lines.find((line) => !line.isOurs && isCounted(line) && !isFree(run, snapshot, line))
      : undefined;
    if (stuck !== undefined)
      fail(
        run,
        `The cart of the shop lists “${shortOf(stuck)}” too, which was not asked for and cannot be taken out.`,
      );
    const count = isSplit ? sum : countOf(ours[0]!);
    if (count === undefined) refuseTold(run, snapshot, ours[0]!);
    if (count !== undefined) noteQuantity(run, count);
    else if (ours.length > 1) noteQuantity(run, ours.length);
    if (count === undefined || count === run.state.quantity) return snapshot;
    if (count > run.state.quantity) await askToReduce(run, count);
    const field = ours[0]!.quantity;
    if (typed >= typedMax) return refuseQuantity(run, snapshot);
    typed += 1;
    const { changes } = run.watch;
    const isSet =
      field !== undefined &&
      !field.readOnly &&
      (await fillField(snapshot, field, countSpellings(field, run.state.quantity)));
    if (!isSet) {
      // A shop that loads the page again at once takes the field away while it is read back.
      snapshot = await readPage(run, { quietMs: 300 });
      if (
        field !== undefined &&
        cartLines(run, snapshot).some((line) => line.isOurs && countOf(line) === run.state.quantity)
      )
        continue;
      const line = sameKey(ours[0]!.text);
      const first = ours[0]!.text.split(/[^\p{L}]/u)[0]!;
      // “3M Tape” begins with no word: every line would begin so.
      snapshot = await pressStepper(run, snapshot, ({ rowText }) =>
        first === '' ? sameKey(rowText) === line : rowText.startsWith(first),
      );
      if (
        !cartLines(run, snapshot).some(
          (line) => line.isOurs && countOf(line) === run.state.quantity,
        )
      )
        return refuseQuantity(run, snapshot);
      continue;
    }
    snapshot = await pressUpdate(run, await readPage(run, { quietMs: 300 }), {
      field,
      before: snapshot,
      changes,
    });
  }
  const left = cartLines(run, snapshot).find((line) => line.isOurs);
  if (left !== undefined && (countOf(left) ?? run.state.quantity) !== run.state.quantity)
    refuseQuantity(run, snapshot);
  return snapshot;
}

/** A line with a number and a price: pieces of something. */
const isCounted = (line: CartLine) =>
  (countOf(line) ?? 0) > 0 && /\p{L}{3}/u.test(line.text) && hasAmount(line.text);

/** A gift of the shop: nothing but zeros stands in its line. */
function isFree(run: Run, { prices }: Snapshot, { text }: CartLine): boolean {
  const amounts = pricesOfRow(prices, text, { expected: run.task.maxCost.currency });
  return amounts.length > 0 && amounts.every(({ amountMinor }) => amountMinor === 0n);
}

/** @throws RunStop with what the shop says about it */
function refuseQuantity(run: Run, snapshot: Snapshot): never {
  const said = snapshot.alerts.find((alert) => /\d/.test(alert));
  return fail(
    run,
    `The cart does not take the quantity ${run.state.quantity}${said === undefined ? '' : `: ${said.slice(0, 120)}`}.`,
  );
}

/**
 * Where nothing can be set: the cart says in words, or in a sum of so many, that it holds more than
 * were asked for.
 * @throws RunStop
 */
function refuseTold(run: Run, snapshot: Snapshot, line: CartLine): void {
  const { quantity } = run.state;
  const summed = countBySum(run, line.text, snapshot.prices);
  if (summed !== undefined && summed > quantity) refuseCount(run, summed);
  const told = toldCount(run, snapshot);
  if (told === undefined || told <= quantity) return;
  const sums = unitPricesOf(run).map((unit) => ({
    ...unit,
    amountMinor: unit.amountMinor * BigInt(told),
  }));
  const context = {
    expected: run.task.maxCost.currency,
    ...(run.state.pageCurrency && { pageCurrency: run.state.pageCurrency }),
  };
  const isSum = snapshot.prices.some((price) => {
    const money = price.struck ? undefined : parsePrice(price.text, context);
    return money !== undefined && sums.some((sum) => sameMoney(sum, money));
  });
  if (isSum || sums.length === 0) refuseCount(run, told);
}

/** @throws RunStop */
function refuseCount(run: Run, count: number): never {
  return fail(run, `The cart holds ${count} of it and lets nobody change that: ${askedFor(run)}.`);
}

const shortOf = (line: CartLine) => line.text.replace(/\s+/g, ' ').trim().slice(0, 120);

/**
 * A cart without the product: whether the user takes what is there for it. False where the page is
 * no cart, or shows no lines.
 */
async function isWanted(
  run: Run,
  snapshot: Snapshot,
  lines: readonly CartLine[],
): Promise<boolean> {
  if (lines.length === 0 || !isCartPage(run, snapshot)) return false;
  const { productTitle } = run.state;
  const similar = lines.find((line) => line.sameness === 'similar');
  if (similar === undefined) {
    const listed = lines.slice(0, 3).map((line) => `“${shortOf(line)}”`);
    return fail(
      run,
      `The cart of the shop lists ${listed.join(', ')} and not “${productTitle}”, which was asked for${saidOnAdding(run)}.`,
    );
  }
  const prices = unitPricesOf(run).map(formatMoney);
  const values = await askOnce(run, sameKey(similar.text), {
    kind: 'option-choice',
    question: `The cart of the shop lists “${shortOf(similar)}”; you asked for “${productTitle}”${prices.length === 1 ? ` at ${prices[0]}` : ''}. Is it the same?`,
    options: [
      { value: 'same', title: 'Yes, buy it' },
      { value: 'other', title: 'No, stop' },
    ],
  });
  if (values['choice'] === 'same') return true;
  return fail(
    run,
    `The cart of the shop lists “${shortOf(similar)}”, which is not what was asked for.`,
  );
}

async function askToRemove(run: Run, line: CartLine): Promise<void> {
  if (!isUsersOwn(run)) return;
  await askToChange(run, `cart/remove/${keyOf(line)}`, {
    question: `Your cart at the shop holds “${shortOf(line)}” beside what is to be bought. Take it out?`,
    yes: 'Take it out and go on',
    refusal: `The cart holds “${shortOf(line)}”, which is to stay there.`,
  });
}

async function askToReduce(run: Run, count: number): Promise<void> {
  const { quantity, productTitle } = run.state;
  if (!isUsersOwn(run)) return;
  await askToChange(run, `cart/reduce/${count}`, {
    question: `Your cart at the shop holds ${count} of “${productTitle}”; ${quantity} ${quantity === 1 ? 'is' : 'are'} to be bought. Change it to ${quantity}?`,
    yes: `Change it to ${quantity} and go on`,
    refusal: `The cart holds ${count} of the product, which are to stay there.`,
  });
}

/** @throws RunStop when the user says no */
async function askToChange(
  run: Run,
  key: string,
  {
    question,
    yes,
    refusal,
  }: { readonly question: string; readonly yes: string; readonly refusal: string },
): Promise<void> {
  const values = await askOnce(run, key, {
    kind: 'option-choice',
    question,
    options: [
      { value: 'change', title: yes },
      { value: 'stop', title: 'Stop, and buy nothing' },
    ],
  });
  if (values['choice'] !== 'change') fail(run, refusal);
}
