import type { Json } from '../../../lib/json/json.ts';
import type { ShopMoney } from '../../types.ts';
import type { NetworkAnswer } from '../page/settle.ts';
import type { PriceInfo, SnapshotInfo } from '../page/snapshot.ts';
import { withLanguages } from '../words/languages.ts';
import { plain } from '../words/words.ts';
import { currenciesIn } from './currencies.ts';
import { agreeing, collectTotals, readings } from './json-totals.ts';
import { summaryLines, titleOf } from './lines.ts';
import type { PageData } from './page-data.ts';
import { sumOfParts } from './parts.ts';
import { amountText, type CurrencyContext, currencyOf, parsePrice, sameMoney } from './prices.ts';

/** A total and where it was read. */
export interface TotalReading {
  readonly money: ShopMoney;
  readonly source: string;
  readonly text: string;
}

export interface Totals {
  /** What the summary of the page says. */
  readonly summary?: TotalReading;
  /** What another source says, which agrees. */
  readonly second?: TotalReading;
  /** A source that says something else. */
  readonly contradiction?: TotalReading;
  readonly lines: readonly { readonly title: string; readonly amount?: string }[];
}

const total = withLanguages(
  /\btotal\b|order total|grand total|gesamt(?:summe|betrag|preis)?\b|endbetrag|endsumme|rechnungsbetrag|summe\b|zu zahlen|zahlbetrag|amount (?:due|to pay|payable)|to pay\b|you pay|balance due|a payer|montant|importe|a pagar|suma|\btotale?\b|totaal|te betalen|da pagare|totalt\b|att betala|at betale|a betale|razem|do zaplaty|合計|お支払い|총/,
  'totals',
);
const strong =
  /grand|order total|total (?:due|to pay|payable|ttc|a payer|a pagar|inc|with|for)|gesamtsumme|gesamtbetrag|gesamtpreis|endbetrag|endsumme|zahlbetrag|rechnungsbetrag|zu zahlen|amount (?:due|to pay)|importe total|you pay|today/;
const part = withLanguages(
  /sub-? ?tota|zwischensumme|warenwert|sous-? ?total|items?\b|artikel|articles?\b|productos|shipping|delivery|versand|liefer|livraison|envio|tax\b|vat\b|mwst|ust\b|tva\b|iva\b|impuesto|excl|without|net\b|netto|\bht\b|hors taxe|sin iva|discount|rabatt|savings?|saved|you save|remise|descuento|ahorr|points|before|each|pro stuck|unit|of which|darin|davon|enthalten|dont|per \w+/,
  'totalParts',
);
const included = /incl|inkl|including|ttc|con iva|iva inclu|tvac|dont tva|enthalt/;

/** How surely the words beside an amount call it the amount to pay. */
export function totalScore(price: PriceInfo): number {
  const label = plain(price.label);
  if (price.struck || price.inButton || !total.test(label)) return 0;
  const head = label
    .replace(/\((?:[^)]*)\)/g, ' ')
    .replace(new RegExp(`${included.source}.*`), ' ');
  let score = 3 + (strong.test(label) ? 3 : 0);
  if (part.test(head))
    score -= strong.test(head) && !/sub|zwischen|excl|ohne|net\b|netto|hors/.test(head) ? 1 : 5;
  if (label.length > 60) score -= 2;
  if (/total/i.test(price.hint) && !/sub-?total/i.test(price.hint)) score += 1;
  return Math.max(0, score);
}

const said = (price: PriceInfo) => `${titleOf(price)}: ${amountText(price.text)}`;

/** The total of an order page from its summary and, independently, from another place. */
export function readTotals(
  snapshot: SnapshotInfo,
  answers: readonly NetworkAnswer[],
  context: CurrencyContext,
  buttonText: string,
  data: PageData = { totals: [], currencies: [] },
): Totals {
  const labelled = {
    ...context,
    pageCurrency: context.pageCurrency ?? (snapshot.priceCurrency || undefined),
  };
  const priceOf = (price: PriceInfo) =>
    parsePrice(
      price.text.replace(/.*\p{L}{4,}[^\d]*?(?=[A-Z]{0,3}\s?[€$£¥]?\s?\d)/u, ''),
      withLabel(labelled, price, snapshot),
    ) ?? parsePrice(price.text, withLabel(labelled, price, snapshot));
  const scored = snapshot.prices
    .map((price) => ({ price, score: totalScore(price), money: priceOf(price) }))
    .filter((one) => one.score > 0 && one.money !== undefined && one.money.amountMinor >= 0n);
  const best = scored.toSorted((a, b) => b.score - a.score || b.price.y - a.price.y)[0];
  const lines = summaryLines(snapshot, best?.price);
  if (best === undefined) return { lines };
  const summary = reading(best.money!, 'order summary', said(best.price));
  const rivals = scored.filter(
    (one) => one.score === best.score && !sameMoney(one.money!, best.money!),
  );
  if (rivals.length > 0)
    return {
      summary,
      contradiction: reading(rivals[0]!.money!, 'order summary', said(rivals[0]!.price)),
      lines,
    };
  const onButton = parsePrice(buttonText, withText(labelled, summary.money));
  if (onButton !== undefined) {
    const button = reading(onButton, 'order button', buttonText);
    return sameMoney(onButton, summary.money)
      ? { summary, second: button, lines }
      : { summary, contradiction: button, lines };
  }
  const json = fromAnswers(answers, summary.money);
  if (json !== undefined)
    return sameMoney(json.money, summary.money)
      ? { summary, second: json, lines }
      : { summary, contradiction: json, lines };
  const second =
    fromData(data, summary.money) ??
    fromParts(snapshot.prices, priceOf, summary.money) ??
    fromElsewhere(
      scored.filter((one) => sameMoney(one.money!, summary.money)).map(({ price }) => price),
      summary.money,
    );
  return { summary, second, lines };
}

/**
 * What the page tells programs: only what agrees counts, much of it is older than the last change.
 */
function fromData(data: PageData, summary: ShopMoney): TotalReading | undefined {
  for (const { source, found } of data.totals) {
    const equal = agreeing(found, summary);
    if (equal !== undefined) return reading(summary, source, `${equal.key}: ${equal.text}`);
  }
  return undefined;
}

function fromParts(
  prices: readonly PriceInfo[],
  priceOf: (price: PriceInfo) => ShopMoney | undefined,
  summary: ShopMoney,
): TotalReading | undefined {
  const sum = sumOfParts(prices, priceOf, (price) => totalScore(price) > 0, summary);
  return sum === undefined ? undefined : reading(summary, 'sum of the parts', sum);
}

const apartPixels = 60;

/**
 * The total once more, in another part of the page: a bar that stays on the screen, a second
 * summary.
 */
function fromElsewhere(same: readonly PriceInfo[], summary: ShopMoney): TotalReading | undefined {
  const [first] = same;
  const other = same.find(
    (one) =>
      Math.abs(one.y - first!.y) > apartPixels || Math.abs(one.x - first!.x) > apartPixels * 3,
  );
  return other === undefined
    ? undefined
    : reading(summary, 'another place of the page', said(other));
}

const reading = (money: ShopMoney, source: string, text: string): TotalReading => ({
  money,
  source,
  text: text.slice(0, 160),
});

/** The currency of a label (`Total (EUR)`) or of the amounts around it counts for a bare number. */
function withLabel(
  context: CurrencyContext,
  price: PriceInfo,
  snapshot: SnapshotInfo,
): CurrencyContext {
  if (currenciesIn(price.text).length === 1) return context;
  const named = currenciesIn(price.label);
  if (named.length === 1) return { ...context, pageCurrency: named[0] };
  if (context.pageCurrency !== undefined || currenciesIn(price.text).length > 1) return context;
  const others = new Set(snapshot.prices.flatMap((other) => currencyOf(other.text, context) ?? []));
  return others.size === 1 ? { ...context, pageCurrency: [...others][0]! } : context;
}

const withText = (context: CurrencyContext, money: ShopMoney): CurrencyContext => ({
  ...context,
  pageCurrency: money.currency,
});

const isAboutMoney = /"(?:sub_?total|currency|shipping|tax|grand_?total)[\w]*"\s*:/i;

/** Totals in the latest JSON answer that has one: in smallest or in whole units. */
function fromAnswers(
  answers: readonly NetworkAnswer[],
  summary: ShopMoney,
): TotalReading | undefined {
  for (const answer of answers.toReversed()) {
    if (answer.json === undefined || answer.status >= 400) continue;
    const found = collectTotals(answer.json as Json).filter((one) => one.text !== '');
    if (found.length === 0) continue;
    const equal = agreeing(found, summary);
    if (equal !== undefined)
      return reading(summary, 'network answer', `${equal.key}: ${equal.text}`);
    // A list of search results has a `total` too.
    const isOrderLike =
      found.some((one) => /grand|order|due|pay|^total$/i.test(one.key)) &&
      isAboutMoney.test(JSON.stringify(answer.json));
    const latest = found.at(-1)!;
    const money = readings(latest.value, summary.currency)[0];
    if (isOrderLike && money !== undefined && !answer.url.includes('cart'))
      return reading(
        { ...summary, amountMinor: money },
        'network answer',
        `${latest.key}: ${latest.text}`,
      );
    return undefined;
  }
  return undefined;
}
