/**
 * What every judge's shop stands on: a plain server, a visitor's session, and a book of the orders
 * that were really placed.
 */
import { randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One line of a shop's order book; money in cents. */
export interface Sale {
  item: string;
  quantity: number;
  total: number;
  /** Things nobody asked for that were bought or signed up to. */
  extras: readonly string[];
  /** Whether the card's number reached the shop where its card fields send it. */
  card: boolean;
  email: string;
  address: string;
}

/** One request as a shop sees it. */
export interface Call {
  method: string;
  path: string;
  query: URLSearchParams;
  /** A form's fields, or an empty map. */
  form: URLSearchParams;
  /** The body as it came. */
  raw: string;
  /** What the shop remembers of this visitor. */
  visitor: Record<string, string>;
}

/** What a shop answers: a page, a redirect, JSON, or nothing at all (the connection closes). */
export type Answer =
  | { html: string; status?: number }
  | { to: string }
  | { json: unknown; status?: number }
  | 'hang up';

/** An open shop: its address, its book and every body that was ever sent to it. */
export interface Stall {
  url: string;
  /** The address of the product's page. */
  start: string;
  sales: Sale[];
  heard: { path: string; body: string }[];
  /** The origin of the frame that takes the card, where that is another one. */
  pay?: string;
  close(): Promise<void>;
}

/** A document with nothing but what is given. */
export const doc = (title: string, body: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title></head><body>${body}</body></html>`;

/** Cents as dollars and cents without a sign. */
export const money = (cents: number): string => (cents / 100).toFixed(2);

/** Opens a shop at a free local port. `start` is the product's path. */
export async function openStall(
  start: string,
  answer: (call: Call, sales: Sale[], url: string) => Answer | Promise<Answer>,
  also: Server[] = [],
): Promise<Stall> {
  const visitors = new Map<string, Record<string, string>>();
  const sales: Sale[] = [];
  const heard: Stall['heard'] = [];
  let url = '';
  const server = createServer(async (req, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk as Buffer);
    const raw = Buffer.concat(chunks).toString();
    const at = new URL(req.url ?? '/', url);
    if (raw) heard.push({ path: at.pathname, body: raw });
    const sid =
      /(?:^|; )v=(\w+)/.exec(req.headers.cookie ?? '')?.[1] ?? randomBytes(6).toString('hex');
    const visitor = visitors.get(sid) ?? {};
    visitors.set(sid, visitor);
    const form = new URLSearchParams(
      req.headers['content-type']?.includes('urlencoded') ? raw : '',
    );
    const said = await answer(
      {
        method: req.method ?? 'GET',
        path: at.pathname,
        query: at.searchParams,
        form,
        raw,
        visitor,
      },
      sales,
      url,
    );
    if (said === 'hang up') {
      req.socket.destroy();
      return;
    }
    // On a kept connection that breaks the browser would send a form again by itself; in a run its
    // proxy keeps none.
    const cookie = { 'set-cookie': `v=${sid}; Path=/; HttpOnly`, connection: 'close' };
    if ('to' in said) res.writeHead(303, { ...cookie, location: said.to }).end();
    else if ('json' in said)
      res
        .writeHead(said.status ?? 200, { ...cookie, 'content-type': 'application/json' })
        .end(JSON.stringify(said.json));
    else
      res
        .writeHead(said.status ?? 200, { ...cookie, 'content-type': 'text/html; charset=utf-8' })
        .end(said.html);
  });
  url = await listen(server);
  return {
    url,
    start: url + start,
    sales,
    heard,
    close: async () => {
      for (const one of [server, ...also]) {
        one.closeAllConnections();
        await new Promise((done) => one.close(done));
      }
    },
  };
}

/** Listens at a free local port; resolves with the address. */
export async function listen(server: Server): Promise<string> {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Nothing here. */
export const missing: Answer = { html: doc('Not found', '<p>Not found</p>'), status: 404 };

/** Whether a card's number looks whole. */
export const whole = (number: string | null | undefined): boolean =>
  /^\d{15,16}$/.test((number ?? '').replace(/\D/g, ''));
