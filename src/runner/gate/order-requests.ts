import type { Request } from 'playwright-core';
import { isCardNumber } from '../../lib/money/card-number.ts';

/** A request that could place an order. `body` is for the match alone: it may hold a card. */
export interface OrderCandidate {
  readonly method: string;
  readonly url: URL;
  readonly isNavigation: boolean;
  readonly body: string;
}

export type OrderMatch = (candidate: OrderCandidate) => boolean;

export const writingMethods = ['POST', 'PUT', 'PATCH'];

const orderWords =
  /^(?:orders?|place[-_]?order|submit[-_]?order|create[-_]?order|complete[-_]?order|\w*confirm[-_]?order|purchase|pay|checkout[-_]?(?:complete|confirm|submit)|place|complete)$/i;
/** Names of steps as well as of orders: it is one when it pays. */
const payingWords = /^(?:payments?|buy)$/i;
/**
 * Steps that shops keep below their orders, as in `/order/details` or `/orders/12/shipping`: they
 * place none.
 */
const stepWords =
  /^(?:address(?:es)?|details?|contact|customer|guest|login|sign-?in|information|delivery|shipping|billing|items?|lines?|cart|adresse|daten|versand|lieferung|livraison|coordonnees|direccion|envio|datos|indirizzo|spedizione|adres|verzending)(?:[-_](?:address|data|details|info|method|options?))?$/i;
/** What pages send beside an order, however often. */
const sideWords =
  /^(?:analytics?|collect|events?|track(?:ing)?|metrics?|telemetry|beacons?|rum|logs?|logging|heartbeat|ping|csrf|tokens?|captcha|recaptcha|turnstile|consent|chat|status|poll|validate|validation|estimates?|totals|quotes?|shipping[-_]?(?:methods?|rates?)|address(?:es)?[-_]?(?:lookup|suggest\w*)?|newsletter|session|results?|state|progress|check|verify|verification|otp|challenge|3-?d-?s(?:ecure)?\d?|authenticat(?:e|ion)|acs)$/i;

/**
 * A writing request to the checkout's site whose path ends in words of ordering or paying. An
 * engine that knows the shop says it better.
 */
export function looksLikeOrder(checkoutOrigin: string): OrderMatch {
  const checkout = new URL(checkoutOrigin);
  return ({ method, url, body }) =>
    writingMethods.includes(method) &&
    isSameSite(url, checkout) &&
    ((endsIn(url, orderWords) && !stepWords.test(lastWord(url))) ||
      (endsIn(url, payingWords) && holdsCard(body)));
}

/** A card number, or what a gateway has made of one. */
export function holdsCard(body: string): boolean {
  const numbers = body.match(/(?<!\d)\d(?:(?:[ -]|%20|\+)?\d){12,18}(?!\d)/g) ?? [];
  return (
    numbers.some((number) => isCardNumber(number.replaceAll(/%20|[^\d]/g, ''))) ||
    /\b(?:tok|pm|pi|src|card)_\w{6,}|method_?nonce/i.test(body)
  );
}

/** True for requests that are known to place no order, by the last words of their path. */
export const looksLikeSideWork = (url: URL): boolean =>
  endsIn(url, sideWords) && !endsIn(url, orderWords);

const lastWord = (url: URL) =>
  url.pathname
    .replace(/\/+$/, '')
    .split('/')
    .at(-1)!
    .replace(/\.\w+$/, '');

function endsIn(url: URL, pattern: RegExp): boolean {
  const words = url.pathname.split('/').filter((word) => word !== '');
  return words.slice(-2).some((word) => pattern.test(word.replace(/\.\w+$/, '')));
}

/** Endings under which everybody may have a name, e.g. `co.uk`. */
const sharedEnding = /^(?:com?|net|org|gov|edu|ac|or|ne)$/;

/**
 * One shop may use several hosts of its name (`www.`, `checkout.`); hosts that are numbers are
 * their own, port and all.
 */
export function isSameSite(one: URL, other: URL): boolean {
  if (one.origin === other.origin) return true;
  const [a, b] = [siteOf(one), siteOf(other)];
  return a !== undefined && a === b && one.port === other.port;
}

function siteOf({ hostname }: URL): string | undefined {
  if (!hostname.includes('.') || /^[\d.]+$/.test(hostname) || hostname.startsWith('['))
    return undefined;
  const labels = hostname.replace(/\.$/, '').split('.');
  const isShared = labels.at(-1)!.length === 2 && sharedEnding.test(labels.at(-2) ?? '');
  return labels.slice(isShared ? -3 : -2).join('.');
}

/** Fields and headers by which one address does many things. */
const operationFields = [
  'operationName',
  'action',
  '_action',
  'intent',
  'method',
  'op',
  'wc-ajax',
  'route',
  'controller',
  'module',
  'fc',
];
const operationHeader = 'next-action';
const bodyCharactersMax = 200_000;

/**
 * What a request does, so that another one that does the same is known as its repeat: method,
 * address without ids and without what is no routing, the operation that the body names, and
 * whether another site's page sent it (as banks do).
 */
export function keyOf(request: Request): string {
  const url = new URL(request.url());
  const headers = request.headers();
  const path = url.pathname
    .toLowerCase()
    .replace(/\/+$/, '')
    .split('/')
    .map((word) => (isId(word) ? ':id' : word))
    .join('/');
  const operation = [
    ...operationFields.map((name) => url.searchParams.get(name) ?? ''),
    ...operationsOf(request.postData() ?? ''),
    headers[operationHeader] ?? '',
  ].join('|');
  const sender = headers['origin'];
  const isForeign =
    sender !== undefined && URL.canParse(sender) && !isSameSite(new URL(sender), url);
  return [request.method(), url.origin, path, operation, isForeign ? 'from elsewhere' : ''].join(
    ' ',
  );
}

const isId = (word: string) =>
  word.length >= 4 &&
  /\d/.test(word) &&
  /^(?:[\da-f]{8,}|[\da-f-]{20,}|\d+|[\w-]{16,})$/i.test(word);

function operationsOf(body: string): readonly string[] {
  if (body === '' || body.length > bodyCharactersMax) return [];
  const text = (value: unknown) => (typeof value === 'string' && value.length <= 100 ? value : '');
  try {
    const json = JSON.parse(body) as Record<string, unknown> | null;
    return typeof json === 'object' && json !== null
      ? operationFields.map((name) => text(json[name]))
      : [];
  } catch {
    const form = new URLSearchParams(body);
    return operationFields.map((name) => text(form.get(name)));
  }
}
