import type { ShopMoney } from '../../../types.ts';
import { cartLines, countOf } from '../../cart/lines.ts';
import { titleOf } from '../../money/lines.ts';
import { partKindOf } from '../../money/parts.ts';
import { amountText, formatMoney } from '../../money/prices.ts';
import type { Totals } from '../../money/totals.ts';
import type { Snapshot } from '../../page/snapshot.ts';
import type { Run } from '../../run.ts';
import { plain, words } from '../../words/words.ts';
import { saysTotal } from '../buyer/extras.ts';
import { toldCount } from '../product/quantity.ts';

/** What a page lists as to be bought, beside its total. */
export interface ShownOrder {
  /** Its rows of products with their amounts. */
  readonly items: readonly string[];
  /** What the fields and steppers of the product's rows hold. */
  readonly counts: readonly number[];
  /** How many of the product its words say; undefined where they do not. */
  readonly told: number | undefined;
  /**
   * How many pieces of anything its words say lie in the cart: “2 items in cart”; undefined where
   * they do not, or say several things.
   */
  readonly pieces: number | undefined;
  /** How often the number that was asked for stands alone in the rows of products: “2”, “× 2”. */
  readonly marks: number;
}

/** The rows of products: what is no part that every order has. */
const itemsOf = (lines: Totals['lines'], total: ShopMoney | undefined): readonly string[] =>
  lines
    .filter(
      ({ title, amount }) =>
        amount !== undefined && partKindOf(title) === 'item' && !saysTotal(title),
    )
    .filter(({ amount }) => total === undefined || amount !== formatMoney(total))
    .map(({ title, amount }) => `${plain(title)} ${amount}`);

/** Reads what a page lists as to be bought now. */
export function shownOrder(
  run: Run,
  snapshot: Snapshot,
  lines: Totals['lines'],
  total: ShopMoney | undefined,
): ShownOrder {
  const { quantity } = run.state;
  const items = itemsOf(lines, total);
  const rows = snapshot.prices
    .filter(
      (price) =>
        !price.struck &&
        items.includes(
          `${plain(titleOf(price).slice(0, 120))} ${amountText(price.text).slice(0, 60)}`,
        ),
    )
    .map(({ row }) => row);
  const counts = cartLines(run, snapshot).flatMap((line) =>
    line.isOurs ? (countOf(line) ?? []) : [],
  );
  const marks = [...new Set(rows)].reduce(
    (sum, row) =>
      sum + [...row.matchAll(alone)].filter(([, one]) => Number(one) === quantity).length,
    0,
  );
  return {
    items,
    counts,
    told: toldCount(run, snapshot),
    pieces: piecesIn(snapshot.text),
    marks,
  };
}

const pieceWord =
  /(?<![\d.,])(\d{1,3}) (?:items?|products?|artikeln?|articles?|articulos?|articol[oi]|artikelen|artigos?|itens|productos?|produits?|prodott[oi]|producten|produkte?)(?!\p{L})/u;
const captionMax = 60;

function piecesIn(text: string): number | undefined {
  const lines = text.split('\n').map(plain);
  const said = lines.filter(
    (line) =>
      line.length < captionMax && (words.cart.test(line) || partKindOf(line) === 'subtotal'),
  );
  const found = new Set(said.flatMap((line) => pieceWord.exec(line)?.[1] ?? []));
  return found.size === 1 ? Number([...found][0]) : undefined;
}

/**
 * A number by itself: no part of an amount or a word, and nothing that runs out beside the order.
 */
const alone =
  /(?<![\p{L}\d.,:/-])(\d{1,3})(?![\p{L}\d.,:/%-]|\s?[€$£¥]|\s?(?:s|sec\w*|min\w*|h|hours?|days?|std|stunden?|tage?|jours?|heures?|d[ií]as?|horas?|left|people|others?)\b)/gu;

/** Whether rows have come that were not there; before there were any, none is another. */
export const hasOther = (now: readonly string[], before: readonly string[]) =>
  before.length > 0 && now.some((row) => !before.includes(row));

/**
 * Whether a page lists another product, or another number of it, than one did before. What it does
 * not say again has not changed.
 */
export const listsOther = (now: ShownOrder, before: ShownOrder): boolean =>
  hasOther(now.items, before.items) || countsOther(now, before);

/** Whether a page says another number of the product than one did before. */
export function countsOther(now: ShownOrder, before: ShownOrder): boolean {
  const isCounted =
    now.counts.length > 0 && before.counts.length > 0 && now.counts.join() !== before.counts.join();
  const isTold = now.told !== undefined && before.told !== undefined && now.told !== before.told;
  const isOther =
    now.pieces !== undefined && before.pieces !== undefined && now.pieces !== before.pieces;
  const isMarked =
    now.items.length >= before.items.length && now.items.length > 0 && now.marks < before.marks;
  return isCounted || isTold || isOther || isMarked;
}
