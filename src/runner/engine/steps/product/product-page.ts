import type { Json } from '../../../../lib/json/json.ts';
import { parseJson } from '../../../../lib/json/parse-json.ts';
import type { ShopMoney } from '../../../types.ts';
import { captionOf } from '../../buttons.ts';
import { currenciesIn, decimals, isCurrency } from '../../money/currencies.ts';
import { requireWithinMaxCost } from '../../money/max-cost.ts';
import { isByMeasure, parseAmount, parsePrice } from '../../money/prices.ts';
import type { Snapshot } from '../../page/snapshot.ts';
import { bareUrl, fail, type Run } from '../../run.ts';
import { words } from '../../words/words.ts';
import { productButton } from './product-button.ts';
import { noteUnitPrices } from './quantity.ts';

const cardsMin = 3;

/**
 * A list of products: buttons of the same kind, each beside a link to a product of its own, and
 * none that is the page's.
 * @throws RunStop
 */
export function refuseListing(run: Run, snapshot: Snapshot): void {
  const types = structuredTypes(snapshot);
  if (types.has('Product') || types.has('ProductGroup')) return;
  const rows = snapshot.buttons.filter(
    (button) => button.rowText !== '' && !['header', 'footer', 'nav'].includes(button.region),
  );
  const links = rows.filter(
    (button) =>
      button.tag === 'a' &&
      /^https?:/.test(button.href) &&
      bareUrl(button.href) !== bareUrl(snapshot.url),
  );
  const linked = new Set(links.map((button) => button.rowText));
  const adding = rows.filter(
    (button) => words.addToCart.test(captionOf(button)) || words.buyNow.test(captionOf(button)),
  );
  const isList =
    new Set(adding.map((button) => button.rowText)).size >= cardsMin &&
    adding.every((button) => linked.has(button.rowText));
  const priced = new Set(
    links.filter((button) => /\d[.,]\d\d/.test(button.rowText)).map((button) => button.rowText),
  );
  const isSearch =
    types.has('SearchResultsPage') || types.has('CollectionPage') || types.has('ItemList');
  const hasOwn = productButton(run, snapshot) !== undefined;
  if (
    isList ||
    (!hasOwn && (isSearch || (priced.size >= cardsMin && !words.soldOut.test(snapshot.text))))
  )
    fail(run, 'The address shows several products: the address of one product is needed.');
}

/**
 * Ends the run before anything is filled in when the product costs more than the limit, or is sold
 * in another currency.
 * @throws RunStop
 */
export function refusePrice(run: Run, snapshot: Snapshot): void {
  const { maxCost } = run.task;
  const prices = productPrices(run, snapshot);
  if (prices.length === 0) return;
  const same = prices.filter((price) => price.currency === maxCost.currency);
  const [least] = (same.length > 0 ? same : prices).toSorted((a, b) =>
    a.amountMinor < b.amountMinor ? -1 : 1,
  );
  if (same.length === 0) requireWithinMaxCost(run, least!, 'The product costs');
  noteUnitPrices(run, same);
  const cost = { ...least!, amountMinor: least!.amountMinor * BigInt(run.state.quantity) };
  requireWithinMaxCost(run, cost, 'The product costs');
}

/** What an amount beside a product is that is not what it costs. */
const otherAmount =
  /shipping|delivery|versand|liefer|livraison|envío|spedizion|verzend|free|from|save|over\b|ab \d|off\b|month|monat|mois|mes\b|instal|rate/i;
/** What stands behind a price wherever prices are shown: “incl. VAT, plus shipping”. */
const taxNote =
  /(?<!\p{L})(?:incl|inkl|zzgl|zuzüglich|plus|excl|exkl|ex\.?|ohne|hors|ttc|más|iva|tax(?:es)?|mwst|ust|vat|tva|btw|moms|prices? (?:incl|excl))(?!\p{L}).*/isu;

/**
 * What the product may cost: the prices between its heading and its button, else those of its
 * structured data. Empty when nothing is sure.
 */
function productPrices(run: Run, snapshot: Snapshot): readonly ShopMoney[] {
  const add = productButton(run, snapshot);
  if (add === undefined) return [];
  const context = {
    pageCurrency: snapshot.priceCurrency || undefined,
    expected: run.task.maxCost.currency,
  };
  const others = snapshot.buttons.filter(
    (button) =>
      button.ref !== add.ref &&
      button.rowText !== add.rowText &&
      words.addToCart.test(captionOf(button)),
  );
  const shown = snapshot.prices.filter(
    (price) =>
      !price.struck &&
      !price.inButton &&
      !['header', 'footer', 'nav', 'aside', 'dialog'].includes(price.region) &&
      Math.abs(price.y - add.y) < 900 &&
      !otherAmount.test(`${price.label.replace(taxNote, '')} ${price.text.replace(taxNote, '')}`) &&
      !others.some(
        (button) =>
          button.rowText === price.row ||
          (price.row.includes(captionOf(button)) && button.rowText.includes(price.text)),
      ),
  );
  const inOwnForm = shown.filter((price) => price.y <= add.y + 60);
  const own = inOwnForm.length > 0 ? inOwnForm : shown;
  // What is sold by measure alone has no other price.
  const whole = own.filter((price) => !isByMeasure(price));
  const money = (whole.length > 0 ? whole : own).flatMap((price) => {
    const found =
      currenciesIn(price.text).length === 0 && context.pageCurrency === undefined
        ? undefined
        : parsePrice(price.text, context);
    return found === undefined || found.amountMinor <= 0n ? [] : [found];
  });
  return money.length > 0 ? money : structuredPrices(snapshot);
}

function structuredNodes(snapshot: Snapshot): readonly Record<string, Json>[] {
  const nodes: Record<string, Json>[] = [];
  const visit = (json: Json | undefined, depth: number): void => {
    if (json === null || typeof json !== 'object' || depth > 6 || nodes.length > 200) return;
    if (Array.isArray(json)) for (const one of json.slice(0, 50)) visit(one as Json, depth + 1);
    else {
      nodes.push(json as Record<string, Json>);
      for (const value of Object.values(json as Record<string, Json>)) visit(value, depth + 1);
    }
  };
  // What is no JSON tells nothing.
  for (const text of snapshot.structured) visit(parseJson(text), 0);
  return nodes;
}

const structuredTypes = (snapshot: Snapshot): ReadonlySet<string> =>
  new Set(
    structuredNodes(snapshot).flatMap((node) =>
      [node['@type']].flat().filter((type) => typeof type === 'string'),
    ),
  );

function structuredPrices(snapshot: Snapshot): readonly ShopMoney[] {
  return structuredNodes(snapshot).flatMap((node) => {
    const [price, currency] = [node['price'] ?? node['lowPrice'], node['priceCurrency']];
    if (
      typeof currency !== 'string' ||
      !isCurrency(currency) ||
      (typeof price !== 'string' && typeof price !== 'number')
    )
      return [];
    const amountMinor = parseAmount(String(price), decimals(currency));
    return amountMinor === undefined || amountMinor <= 0n ? [] : [{ amountMinor, currency }];
  });
}
