import type { Json } from '../../../lib/json.ts';
import type { ShopMoney } from '../../types.ts';
import type { NetworkAnswer } from '../page/settle.ts';
import type { PriceInfo, SnapshotInfo } from '../page/snapshot.ts';
import { plain } from '../words.ts';
import { currenciesIn, decimals } from './currencies.ts';
import { type CurrencyContext, currencyOf, parseAmount, parsePrice, sameMoney } from './prices.ts';

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

const total =
  /\btotal\b|order total|grand total|gesamt(?:summe|betrag|preis)?\b|endbetrag|endsumme|rechnungsbetrag|summe\b|zu zahlen|zahlbetrag|amount (?:due|to pay|payable)|to pay\b|you pay|balance due|a payer|montant|importe|a pagar|suma/;
const strong =
  /grand|order total|total (?:due|to pay|payable|ttc|a payer|a pagar|inc|with|for)|gesamtsumme|gesamtbetrag|gesamtpreis|endbetrag|endsumme|zahlbetrag|rechnungsbetrag|zu zahlen|amount (?:due|to pay)|importe total|you pay|today/;
const part =
  /sub-? ?total|zwischensumme|warenwert|sous-? ?total|items?\b|artikel|articles?\b|productos|shipping|delivery|versand|liefer|livraison|envio|tax\b|vat\b|mwst|ust\b|tva\b|iva\b|impuesto|excl|without|net\b|netto|\bht\b|hors taxe|sin iva|discount|rabatt|savings?|saved|you save|remise|descuento|ahorr|points|before|each|pro stuck|unit|of which|darin|davon|enthalten|dont|per \w+/;
const included = /incl|inkl|including|ttc|con iva|iva inclu|tvac|dont tva|enthalt/;

/** How surely the words beside an amount call it the amount to pay. */
export function totalScore(price: PriceInfo): number {
  const label = plain(price.label);
  if (price.struck || price.inButton || !total.test(label)) return 0;
  const head = label.replace(/\((?:[^)]*)\)/g, ' ').replace(new RegExp(`${included.source}.*`), ' ');
  let score = 3 + (strong.test(label) ? 3 : 0);
  if (part.test(head)) score -= strong.test(head) && !/sub|zwischen|excl|ohne|net\b|netto|hors/.test(head) ? 1 : 5;
  if (label.length > 60) score -= 2;
  if (/total/i.test(price.hint) && !/sub-?total/i.test(price.hint)) score += 1;
  return Math.max(0, score);
}

/** The total of an order page from its summary and, independently, from another place. */
export function readTotals(
  snapshot: SnapshotInfo,
  answers: readonly NetworkAnswer[],
  context: CurrencyContext,
  buttonText: string,
): Totals {
  const labelled = { ...context, pageCurrency: context.pageCurrency ?? (snapshot.priceCurrency || undefined) };
  const priceOf = (price: PriceInfo) =>
    parsePrice(price.text.replace(/.*\p{L}{4,}[^\d]*?(?=[A-Z]{0,3}\s?[€$£¥]?\s?\d)/u, ''), withLabel(labelled, price, snapshot)) ??
    parsePrice(price.text, withLabel(labelled, price, snapshot));
  const scored = snapshot.prices
    .map((price) => ({ price, score: totalScore(price), money: priceOf(price) }))
    .filter((one) => one.score > 0 && one.money !== undefined && one.money.amountMinor >= 0n);
  const best = scored.toSorted((a, b) => b.score - a.score || b.price.y - a.price.y)[0];
  const lines = snapshot.prices
    .filter((price) => !price.struck && !price.inButton && price.label !== '')
    .slice(0, 25)
    .map((price) => ({ title: price.label.slice(0, 120), amount: price.text.slice(0, 60) }));
  if (best === undefined) return { lines };
  const summary = reading(best.money!, 'order summary', `${best.price.label}: ${best.price.text}`);
  const rivals = scored.filter((one) => one.score === best.score && !sameMoney(one.money!, best.money!));
  if (rivals.length > 0)
    return {
      summary,
      contradiction: reading(rivals[0]!.money!, 'order summary', `${rivals[0]!.price.label}: ${rivals[0]!.price.text}`),
      lines,
    };
  const onButton = parsePrice(buttonText, withText(labelled, summary.money));
  if (onButton !== undefined) {
    const button = reading(onButton, 'order button', buttonText);
    return sameMoney(onButton, summary.money) ? { summary, second: button, lines } : { summary, contradiction: button, lines };
  }
  const json = fromAnswers(answers, summary.money);
  if (json !== undefined)
    return sameMoney(json.money, summary.money) ? { summary, second: json, lines } : { summary, contradiction: json, lines };
  const sum = sumOfParts(snapshot.prices, priceOf, summary.money);
  return { summary, ...(sum === undefined ? {} : { second: reading(summary.money, 'sum of the parts', sum) }), lines };
}

const reading = (money: ShopMoney, source: string, text: string): TotalReading => ({ money, source, text: text.slice(0, 160) });

/** The currency of a label (`Total (EUR)`) or of the amounts around it counts for a bare number. */
function withLabel(context: CurrencyContext, price: PriceInfo, snapshot: SnapshotInfo): CurrencyContext {
  if (currenciesIn(price.text).length === 1) return context;
  const named = currenciesIn(price.label);
  if (named.length === 1) return { ...context, pageCurrency: named[0] };
  if (context.pageCurrency !== undefined || currenciesIn(price.text).length > 1) return context;
  const others = new Set(snapshot.prices.flatMap((other) => currencyOf(other.text, context) ?? []));
  return others.size === 1 ? { ...context, pageCurrency: [...others][0]! } : context;
}

const withText = (context: CurrencyContext, money: ShopMoney): CurrencyContext => ({ ...context, pageCurrency: money.currency });

const totalKey =
  /^(?:grand|order|cart|checkout)?_?(?:grand_?)?total(?:_?(?:price|amount|cents|minor|due|gross|inc(?:l)?_?(?:tax|vat)|to_?pay))?(?:_?(?:cents|minor))?$|^(?:amount|total)_?(?:due|to_?pay|payable)$|^gesamt(?:summe|betrag)?$|^to_?pay$/i;

/** Totals in the latest JSON answer that has one: in smallest or in whole units. */
function fromAnswers(answers: readonly NetworkAnswer[], summary: ShopMoney): TotalReading | undefined {
  for (const answer of answers.toReversed()) {
    if (answer.json === undefined || answer.status >= 400) continue;
    const found = collectTotals(answer.json as Json, 0).filter((one) => one.text !== '');
    if (found.length === 0) continue;
    const equal = found.find((one) => readings(one.value, summary.currency).includes(summary.amountMinor));
    if (equal !== undefined) return reading(summary, 'network answer', `${equal.key}: ${equal.text}`);
    const isOrderLike = found.some((one) => /grand|order|due|pay|^total$/i.test(one.key));
    const latest = found.at(-1)!;
    const money = readings(latest.value, summary.currency)[0];
    if (isOrderLike && money !== undefined && !answer.url.includes('cart'))
      return reading({ ...summary, amountMinor: money }, 'network answer', `${latest.key}: ${latest.text}`);
    return undefined;
  }
  return undefined;
}

function collectTotals(json: Json | undefined, depth: number): { key: string; value: Json; text: string }[] {
  if (json === null || typeof json !== 'object' || depth > 8) return [];
  if (Array.isArray(json)) return json.slice(0, 50).flatMap((one) => collectTotals(one as Json, depth + 1));
  return Object.entries(json as Record<string, Json>).flatMap(([key, value]) => {
    const isTotal = totalKey.test(key.replace(/([a-z])([A-Z])/g, '$1_$2'));
    if (!isTotal || value === null) return collectTotals(value, depth + 1);
    const inner =
      typeof value === 'object' && !Array.isArray(value)
        ? Object.values(value as Record<string, Json>).filter((one) => typeof one === 'number' || typeof one === 'string')
        : [value];
    return inner.flatMap((one) =>
      typeof one === 'number' || (typeof one === 'string' && /\d/.test(one)) ? [{ key, value: one, text: String(one) }] : [],
    );
  });
}

/** What a number of JSON may mean in smallest units: whole units with decimals first, then smallest units. */
function readings(value: Json, currency: string): readonly bigint[] {
  const places = decimals(currency);
  const text = String(value);
  const whole = parseAmount(/^\d+$/.test(text) ? `${text}` : text.replace(/[^\d.,]/g, ''), places);
  const minor = /^\d+$/.test(text) ? BigInt(text) : undefined;
  return [...(whole === undefined ? [] : [whole]), ...(minor === undefined ? [] : [minor])];
}

/** Subtotal and what is added or taken off, when they make the total; undefined when they do not. */
function sumOfParts(
  prices: readonly PriceInfo[],
  priceOf: (price: PriceInfo) => ShopMoney | undefined,
  sum: ShopMoney,
): string | undefined {
  const parts = prices.flatMap((price) => {
    const money = priceOf(price);
    const isTotal = totalScore(price) > 0;
    return price.struck || price.inButton || isTotal || money === undefined || money.currency !== sum.currency
      ? []
      : [{ label: plain(price.label), amount: money.amountMinor, y: price.y }];
  });
  const kindOf = (label: string) =>
    /sub-? ?total|zwischensumme|sous-? ?total|warenwert/.test(label)
      ? 'subtotal'
      : /shipping|delivery|versand|liefer|livraison|envio|porto/.test(label)
        ? 'shipping'
        : /tax\b|vat\b|mwst|ust\b|tva\b|iva\b|impuesto|steuer/.test(label)
          ? 'tax'
          : /discount|rabatt|remise|descuento|coupon|gutschein/.test(label)
            ? 'discount'
            : 'item';
  const last = (kind: string) =>
    parts
      .filter((one) => kindOf(one.label) === kind)
      .map((one) => one.amount)
      .at(-1);
  const abs = (value: bigint) => (value < 0n ? -value : value);
  const items = parts.filter((one) => kindOf(one.label) === 'item');
  const bases = [last('subtotal'), items.reduce((all, one) => all + one.amount, 0n), ...items.map((one) => one.amount)].filter(
    (base) => base !== undefined && base > 0n,
  ) as bigint[];
  for (const base of bases) {
    for (const shipping of [last('shipping') ?? 0n, 0n])
      for (const tax of [last('tax') ?? 0n, 0n])
        for (const discount of [abs(last('discount') ?? 0n), 0n])
          if (base + shipping + tax - discount === sum.amountMinor) return `${base} + ${shipping} + ${tax} - ${discount}`;
  }
  return undefined;
}
