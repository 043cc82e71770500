import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';

/** One line of a shop's order book. Amounts are in the currency's smallest unit. */
export interface Booked {
  readonly number: string;
  readonly item: string;
  readonly quantity: number;
  readonly total: number;
  readonly currency: string;
  readonly email: string;
  readonly address: string;
  /** Paid extras, subscriptions and newsletters that were ticked when the order came. */
  readonly extras: readonly string[];
  /** The last four digits of the card that paid. */
  readonly card: string;
}

/** What a shop is asked. */
export interface Ask {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly form: URLSearchParams;
  readonly json: Record<string, unknown>;
  /** The visitor's session, made on the first request. */
  readonly session: Map<string, string>;
}

/** What a shop answers; `cut` drops the connection without an answer. */
export interface Answer {
  readonly status?: number;
  readonly type?: string;
  readonly body?: string;
  readonly headers?: Record<string, string>;
  readonly cut?: boolean;
}

/**
 * A running shop: its order book is the truth, `leaks` the card numbers that came where no card
 * belongs.
 */
export interface HeldOutShop {
  readonly origin: string;
  readonly book: Booked[];
  readonly leaks: string[];
  readonly seen: string[];
  close(): Promise<void>;
}

/** Does the number satisfy the check digit of card numbers? */
export function luhn(digits: string): boolean {
  let sum = 0;
  for (let at = 0; at < digits.length; at += 1) {
    let digit = Number(digits[digits.length - 1 - at]);
    if (at % 2 === 1) digit = digit > 4 ? digit * 2 - 9 : digit * 2;
    sum += digit;
  }
  return digits.length >= 13 && digits.length <= 19 && sum % 10 === 0;
}

/** Says what is wrong with card data, or nothing. */
export function cardFault(number: string, expiry: string, code: string): string | undefined {
  if (!luhn(number.replaceAll(/[\s-]/g, ''))) return 'number';
  if (!/^(0[1-9]|1[0-2])\s*[/-]?\s*(20)?[2-4]\d$/.test(expiry.trim())) return 'expiry';
  return /^\d{3,4}$/.test(code.trim()) ? undefined : 'code';
}

/** Text for HTML. */
export function esc(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

/** A whole page. */
export function html(lang: string, title: string, body: string, head = ''): Answer {
  return {
    body: `<!doctype html><html lang="${lang}"><head><meta charset="utf-8"><title>${title}</title>${head}</head><body>${body}</body></html>`,
  };
}

/** A redirect after a form. */
export function to(path: string): Answer {
  return { status: 303, headers: { location: path } };
}

/** An answer for a script. */
export function reply(value: unknown, status = 200): Answer {
  return { status, type: 'application/json', body: JSON.stringify(value) };
}

/** Waits as a slow shop does. */
export function pause(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}

/** Options of a select. */
export function options(pairs: Record<string, string>, chosen = ''): string {
  return Object.entries(pairs)
    .map(
      ([value, name]) =>
        `<option value="${value}"${value === chosen ? ' selected' : ''}>${name}</option>`,
    )
    .join('');
}

async function read(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
}

function cards(text: string): string[] {
  return (
    decodeURIComponent(text.replaceAll('+', ' ').replaceAll(/%(?![0-9a-f]{2})/gi, '%25')).match(
      /\d(?:[ -]?\d){12,18}/g,
    ) ?? []
  ).filter((found) => /^[3-6]/.test(found) && luhn(found.replaceAll(/[ -]/g, '')));
}

/**
 * Starts a server on a free port. `pays` says at which paths a card number may come: anywhere else
 * it is written down as a leak.
 */
export async function serve(
  pays: readonly string[],
  answer: (ask: Ask, shop: HeldOutShop) => Answer | undefined | Promise<Answer | undefined>,
): Promise<HeldOutShop> {
  const sessions = new Map<string, Map<string, string>>();
  let port = 0;
  const server: Server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://shop');
    const text = await read(request);
    const id = new RegExp(`(?:^|; )sid${port}=([0-9a-f]+)`).exec(request.headers.cookie ?? '')?.[1];
    const known = id === undefined ? undefined : sessions.get(id);
    const session = known ?? new Map<string, string>();
    const fresh = randomBytes(8).toString('hex');
    if (known === undefined) sessions.set(fresh, session);
    const type = request.headers['content-type'] ?? '';
    if (!pays.includes(url.pathname)) {
      for (const found of [...cards(text), ...cards(url.search)])
        shop.leaks.push(`${url.pathname} ${found}`);
    }
    shop.seen.push(`${request.method} ${url.pathname}${url.search}`);
    const ask: Ask = {
      method: request.method ?? 'GET',
      path: url.pathname,
      query: url.searchParams,
      form: new URLSearchParams(type.includes('json') ? '' : text),
      json: type.includes('json') ? (JSON.parse(text) as Record<string, unknown>) : {},
      session,
    };
    const found = await answer(ask, shop);
    if (found?.cut === true) {
      request.socket.destroy();
      return;
    }
    response.writeHead(found === undefined ? 404 : (found.status ?? 200), {
      'content-type': found?.type ?? 'text/html; charset=utf-8',
      // On a kept connection that breaks the browser would send a form again by itself.
      connection: 'close',
      ...(known === undefined
        ? { 'set-cookie': `sid${port}=${fresh}; Path=/; HttpOnly; SameSite=Lax` }
        : {}),
      ...found?.headers,
    });
    response.end(found?.body ?? 'not found');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  port = typeof address === 'object' && address !== null ? address.port : 0;
  const shop: HeldOutShop = {
    origin: `http://127.0.0.1:${port}`,
    book: [],
    leaks: [],
    seen: [],
    close: () =>
      new Promise((done) => {
        server.closeAllConnections();
        server.close(() => done());
      }),
  };
  return shop;
}
