import type { PriceInfo, SnapshotInfo } from '../page/snapshot.ts';
import { plain, words } from '../words/words.ts';
import { partKindOf } from './parts.ts';

const sums = /total|summe|gesamt|betrag|montant|importe|suma\b|totaal|razem|合計|小計/;
const free =
  /free|gratis|kostenlos|kostenfrei|gratuit|offert|inbegriffen|included|inklusive|inclus|incluid|incluso|inbegrepen|無料/i;
const dash = /^(?:[-–—−‒…]{1,3}|\.{3}|\?+|n\/a)$/i;
const dashAfterLabel = /^(.{3,40}?)[\s:：]+([-–—−‒…]{1,3}|\?+)$/;
const address = /address|adress|anschrift|direccion|indirizzo|endereco|住所/;
/** What one gets for an address: the price or the ways of delivery. */
const forRates =
  /(?:to|for|um|pour|afin|para|per|om) |option|method|rate|versand|liefer|livraison|envio|spedizione|verzend|送料|配送/;
const summaryLinesMax = 10;
const labelMax = 48;
const valueMax = 90;
const sentenceMax = 180;

type AddedKind = 'shipping' | 'tax';

/**
 * What the page itself says is still to be added to its total, as a person reads it:
 * `Shipping: Calculated at next step`. A total that stands beside it is not the one to pay.
 * Undefined when nothing is open.
 */
export function openAmount(snapshot: SnapshotInfo): string | undefined {
  const lines = snapshot.text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  for (const [index, line] of lines.entries()) {
    const row = rowsAt(line, lines[index + 1] ?? '').find((one) =>
      isOpenRow(one, () => isInSummary(lines, index)),
    );
    if (row !== undefined) return `${row.label.replace(/[\s:：*]+$/, '')}: ${row.value}`;
    const kind = line.length > sentenceMax ? undefined : addedKind(line);
    if (kind === undefined || !(words.amountLater.test(line) || isAddressForRates(line))) continue;
    if (!isSettled(snapshot, lines, kind)) return line;
  }
  return undefined;
}

/** Kind of what is added to the goods, where a text is about it. */
function addedKind(text: string): AddedKind | undefined {
  const kind = partKindOf(text);
  return kind === 'shipping' || kind === 'tax' ? kind : undefined;
}

interface Row {
  readonly label: string;
  readonly value: string;
}

/** A label and what stands beside it: on the next line, or on the same one. */
function rowsAt(line: string, next: string): readonly Row[] {
  const [, label = '', value = ''] = dashAfterLabel.exec(line) ?? [];
  const at = words.addressFirst.exec(line)?.index ?? 0;
  return [
    { label: line, value: next },
    { label, value },
    { label: line.slice(0, at), value: line.slice(at) },
  ].filter((row) => isLabel(row.label) && row.value !== '' && row.value.length <= valueMax);
}

const isLabel = (text: string) =>
  text.length <= labelMax &&
  addedKind(text) !== undefined &&
  !address.test(plain(text)) &&
  !/\d/.test(text.replace(/\d+(?:[.,]\d+)?\s?%/g, ''));

/**
 * A label without an amount. What a section of a form says in the same words counts only where sums
 * stand around it.
 */
function isOpenRow({ value }: Row, isSummary: () => boolean): boolean {
  if (isAddressForRates(value)) return true;
  if (words.amountLater.test(value) && addedKind(value) === undefined) return true;
  return (dash.test(value) || words.addressFirst.test(value)) && isSummary();
}

const isInSummary = (lines: readonly string[], index: number) =>
  lines
    .slice(Math.max(0, index - summaryLinesMax), index + summaryLinesMax)
    .some((one) => one.length <= labelMax && sums.test(plain(one)));

function isAddressForRates(text: string): boolean {
  const found = words.addressFirst.exec(text);
  return found !== null && forRates.test(plain(text.slice(found.index + found[0].length)));
}

/**
 * A row of the summary has an amount, or says that it costs nothing: a sentence elsewhere is only a
 * hint then.
 */
function isSettled(snapshot: SnapshotInfo, lines: readonly string[], kind: AddedKind): boolean {
  const isRow = (price: PriceInfo) =>
    !price.struck &&
    !price.inButton &&
    price.label.length <= labelMax &&
    addedKind(price.label) === kind;
  const isFree = (text: string) => text.length <= valueMax && free.test(text) && !/\d/.test(text);
  return (
    snapshot.prices.some(isRow) ||
    lines.some(
      (line, index) =>
        line.length <= labelMax &&
        addedKind(line) === kind &&
        isFree(`${line} ${lines[index + 1] ?? ''}`),
    )
  );
}
