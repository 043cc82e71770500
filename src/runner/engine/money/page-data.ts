import type { Json } from '../../../lib/json/json.ts';
import { parseJson } from '../../../lib/json/parse-json.ts';
import { bounded } from '../page/bounded.ts';
import type { Snapshot } from '../page/snapshot.ts';
import { collectCurrencies, collectTotals, type NamedAmount } from './json-totals.ts';

/**
 * What a page tells programs about its total: not written for people, and by another part of the
 * shop than what they see.
 */
export interface PageData {
  readonly totals: readonly { readonly source: string; readonly found: readonly NamedAmount[] }[];
  /** ISO 4217 codes, as often as they are named. */
  readonly currencies: readonly string[];
}

const readTimeoutMs = 2_000;
const charactersMax = 200_000;

// Only reads. What it gives back is text: objects of the page could do something when they are
// looked at from outside.
const script = `(() => {
  const max = ${charactersMax};
  const text = (value) => { try { const out = JSON.stringify(value); return typeof out === 'string' && out.length < max ? out : ''; } catch { return ''; } };
  const layers = [window.dataLayer, window.digitalData, window.utag_data].filter(Boolean).map((layer) => text(Array.isArray(layer) ? layer.slice(-20).reverse() : layer));
  const states = [window.__INITIAL_STATE__, window.__PRELOADED_STATE__, window.Shopify && window.Shopify.checkout, window.Shopify && window.Shopify.currency].filter(Boolean).map(text);
  const scripts = [...document.querySelectorAll('script[type="application/json"],script#__NEXT_DATA__')].slice(0, 20).map((one) => (one.textContent || '').slice(0, max));
  const named = (name) => /(^|[-_.\\[])(grand|order|cart|checkout|payment)?[-_]?(total|amount)([-_]?(price|amount|due|cents))?\\]?$/i.test(name) && !/sub|ship|tax|discount/i.test(name);
  const fields = [...document.querySelectorAll('input[type=hidden]')].filter((one) => named(one.name) && /^[\\d.,]+$/.test(one.value)).slice(0, 10).map((one) => [one.name, one.value]);
  const attributes = [...document.querySelectorAll('[data-total],[data-order-total],[data-cart-total],[data-grand-total],[data-total-price],[data-amount-due],[data-checkout-payment-due-target]')].slice(0, 20)
    .flatMap((one) => one.getAttributeNames().filter((name) => /^data-(order-|cart-|grand-)?total(-price)?$|^data-amount-due$|payment-due-target$/.test(name)).map((name) => [name, one.getAttribute(name)]));
  return { layers, states, scripts, fields, attributes };
})()`;

interface Raw {
  readonly layers: readonly string[];
  readonly states: readonly string[];
  readonly scripts: readonly string[];
  readonly fields: readonly (readonly [string, string])[];
  readonly attributes: readonly (readonly [string, string])[];
}

/**
 * Reads structured data, data layers, states, hidden fields and attributes of a page; nothing when
 * it does not answer.
 */
export async function readPageData(snapshot: Snapshot): Promise<PageData> {
  const raw = await bounded(snapshot.frame.evaluate(script), readTimeoutMs).then(
    (found) => found as Raw,
    () => undefined,
  );
  const structured = snapshot.structured.map(parseJson);
  if (raw === undefined)
    return { totals: [], currencies: structured.flatMap((one) => collectCurrencies(one)) };
  const [layers, states] = [
    raw.layers.map(parseJson),
    [...raw.states, ...raw.scripts].map(parseJson),
  ];
  const named = (rows: readonly (readonly [string, string])[]) =>
    rows.map(([key, text]) => ({ key, value: text, text }));
  const totals = [
    { source: 'structured data', found: structured.flatMap(totalsOfSchema) },
    {
      source: 'data layer',
      found: layers.flatMap((one) => [...collectTotals(one), ...layerValues(one)]),
    },
    { source: 'state of the page', found: states.flatMap((one) => collectTotals(one)) },
    { source: 'form field', found: named(raw.fields) },
    { source: 'attribute', found: named(raw.attributes) },
  ];
  return {
    totals: totals.filter((one) => one.found.length > 0),
    currencies: [...structured, ...layers, ...states].flatMap((one) => collectCurrencies(one)),
  };
}

const isObject = (json: Json | undefined): json is { readonly [key: string]: Json } =>
  typeof json === 'object' && json !== null && !Array.isArray(json);

/** schema.org: what is due of an order or invoice, not the price of a product. */
function totalsOfSchema(json: Json | undefined): NamedAmount[] {
  if (Array.isArray(json)) return json.flatMap((one) => totalsOfSchema(one as Json));
  if (!isObject(json)) return [];
  const graph = totalsOfSchema(json['@graph']);
  if (!/order|invoice/i.test(String(json['@type']))) return graph;
  const due = isObject(json['totalPaymentDue'])
    ? json['totalPaymentDue']['price']
    : json['totalPaymentDue'];
  return [...graph, ...[due, json['price']].flatMap((value) => amountOf('totalPaymentDue', value))];
}

/**
 * The value of an event of Google's measurement of shops, which is that of the whole order from the
 * payment on.
 */
function layerValues(json: Json | undefined): NamedAmount[] {
  const events = Array.isArray(json) ? json : [json];
  return events.flatMap((event) => {
    if (!isObject(event as Json)) return [];
    const ecommerce = (event as { readonly [key: string]: Json })['ecommerce'];
    return isObject(ecommerce) ? amountOf('ecommerce.value', ecommerce['value']) : [];
  });
}

const amountOf = (key: string, value: Json | undefined): NamedAmount[] =>
  typeof value === 'number' || (typeof value === 'string' && /\d/.test(value))
    ? [{ key, value, text: String(value) }]
    : [];
