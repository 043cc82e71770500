import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { cardCheckDigit } from '../../../lib/card-number.ts';
import type { StripeObject } from '../../card/testing/stripe-objects.ts';
import { send } from '../../card/testing/stripe-server.ts';

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly form: URLSearchParams;
}

export interface IssuingServer {
  readonly url: string;
  readonly requests: SeenRequest[];
  readonly cards: Map<string, StripeObject>;
  readonly authorizations: StripeObject[];
  /** Answers the next matching requests by hand. */
  intercept?: (request: SeenRequest, response: ServerResponse) => boolean;
  /** The request takes effect, and its answer never comes. */
  loseAnswer?: (request: SeenRequest) => boolean;
  /** A shop asks, as the card networks pass it on: Stripe judges by the card's state and spending controls. */
  authorize(
    number: string,
    payment: { readonly amount: number; readonly currency: string; readonly cvc: string; readonly expiry: string },
  ): 'approved' | 'declined';
  takeDown(): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

type Answer = { readonly status: number; readonly body: unknown };

/** A server that speaks the part of Stripe Issuing that the adapter uses, as its public documentation shows it. Made by hand. */
export async function startIssuingServer(input: { readonly secretKey: string; readonly cardholderId: string }): Promise<IssuingServer> {
  const cards = new Map<string, StripeObject>();
  const authorizations: StripeObject[] = [];
  const kept = new Map<string, Answer & { readonly fingerprint: string }>();
  const requests: SeenRequest[] = [];
  const newId = (prefix: string) => `${prefix}_${randomBytes(12).toString('hex')}`;
  const list = (all: readonly StripeObject[], query: URLSearchParams): Answer => {
    const start = all.findIndex((one) => one.id === query.get('starting_after')) + 1;
    const limit = Number(query.get('limit') ?? 10);
    return { status: 200, body: { object: 'list', data: all.slice(start, start + limit), has_more: all.length > start + limit } };
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const form = new URLSearchParams(Buffer.concat(chunks).toString());
    const seen: SeenRequest = { method: request.method!, path: request.url!, headers: request.headers, form };
    requests.push(seen);
    if (server.intercept?.(seen, response)) return;
    if (request.headers.authorization !== `Bearer ${input.secretKey}`)
      return send(response, 401, { error: { type: 'invalid_request_error', message: 'Invalid API Key provided' } });
    const { status, body } = withKey(seen);
    if (server.loseAnswer?.(seen)) return void response.destroy();
    send(response, status, body);
  }

  function withKey(seen: SeenRequest): Answer {
    const key = seen.headers['idempotency-key'];
    if (seen.method !== 'POST' || typeof key !== 'string') return route(seen);
    const fingerprint = createHash('sha256').update(`${seen.path} ${seen.form}`).digest('hex');
    const known = kept.get(key);
    if (known && known.fingerprint !== fingerprint) return refusal(400, 'idempotency_error', undefined);
    if (known) return known;
    const made = route(seen);
    kept.set(key, { ...made, body: structuredClone(made.body), fingerprint });
    return made;
  }

  function route({ method, path, form }: SeenRequest): Answer {
    const url = new URL(path, 'http://localhost');
    const [, , , kind, id] = url.pathname.split('/');
    if (kind === 'authorizations')
      return list(authorizations.filter((one) => one.card.id === url.searchParams.get('card')).toReversed(), url.searchParams);
    if (id === undefined && method === 'POST') return create(form);
    if (id === undefined) {
      const mine = [...cards.values()].filter((card) => card.cardholder.id === url.searchParams.get('cardholder'));
      return list(mine.map(shown).toReversed(), url.searchParams);
    }
    const card = cards.get(id);
    if (!card) return refusal(404, 'invalid_request_error', 'resource_missing');
    if (method === 'POST' && card.status === 'canceled') return refusal(400, 'invalid_request_error', undefined);
    if (method === 'POST') card.status = form.get('status');
    const isExpanded = url.searchParams.getAll('expand[0]').concat(url.searchParams.getAll('expand[1]')).join() === 'number,cvc';
    return { status: 200, body: isExpanded ? card : shown(card) };
  }

  function create(form: URLSearchParams): Answer {
    if (form.get('cardholder') !== input.cardholderId) return refusal(400, 'invalid_request_error', 'resource_missing');
    if (!['usd', 'eur', 'gbp', 'jpy'].includes(form.get('currency')!)) return refusal(400, 'invalid_request_error', 'parameter_invalid');
    const body = `400000999${String(cards.size).padStart(6, '0')}`;
    const limits = [0, 1].map((nr) => ({
      amount: Number(form.get(`spending_controls[spending_limits][${nr}][amount]`)),
      interval: form.get(`spending_controls[spending_limits][${nr}][interval]`),
      categories: [],
    }));
    const card: StripeObject = {
      id: newId('ic'),
      object: 'issuing.card',
      brand: 'Visa',
      type: form.get('type'),
      status: form.get('status') ?? 'inactive',
      currency: form.get('currency'),
      exp_month: 8,
      exp_year: 2039,
      last4: `${body}${cardCheckDigit(body)}`.slice(-4),
      number: `${body}${cardCheckDigit(body)}`,
      cvc: String(100 + cards.size),
      livemode: false,
      cardholder: {
        id: input.cardholderId,
        object: 'issuing.cardholder',
        name: 'Example Purchasing',
        status: 'active',
        type: 'company',
        billing: { address: { line1: '510 Townsend Street', city: 'San Francisco', state: 'CA', postal_code: '94103', country: 'US' } },
      },
      spending_controls: { allowed_categories: null, blocked_categories: null, spending_limits: limits },
      metadata: { purser_key: form.get('metadata[purser_key]') },
    };
    cards.set(card.id, card);
    return { status: 200, body: shown(card) };
  }

  const http = createServer((request, response) => {
    void answer(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  const listen = (port: number) => new Promise<void>((resolve) => http.listen(port, '127.0.0.1', resolve));
  const stop = () =>
    new Promise<void>((resolve) => {
      http.closeAllConnections();
      http.close(() => resolve());
    });
  await listen(0);
  const { port } = http.address() as AddressInfo;

  const server: IssuingServer = {
    url: `http://127.0.0.1:${port}`,
    requests,
    cards,
    authorizations,
    authorize(number, { amount, currency, cvc, expiry }) {
      const card = [...cards.values()].find((one) => one.number === number)!;
      const spent = authorizations.filter((one) => one.card.id === card.id && one.approved).reduce((sum, one) => sum + one.amount, 0);
      const isWithin = (limit: StripeObject) => amount + (limit.interval === 'all_time' ? spent : 0) <= limit.amount;
      const approved =
        card.status === 'active' &&
        card.currency === currency &&
        card.cvc === cvc &&
        `${card.exp_month}/${card.exp_year}` === expiry &&
        card.spending_controls.spending_limits.every(isWithin);
      authorizations.push({
        id: newId('iauth'),
        object: 'issuing.authorization',
        amount,
        currency,
        approved,
        status: approved ? 'pending' : 'closed',
        card: shown(card),
      });
      return approved ? 'approved' : 'declined';
    },
    async takeDown() {
      await stop();
      return () => listen(port);
    },
    close: stop,
  };
  return server;
}

function shown({ number: _, cvc: __, ...card }: StripeObject): StripeObject {
  return card;
}

function refusal(status: number, type: string, code: string | undefined): Answer {
  return { status, body: { error: { type, ...(code !== undefined && { code }), message: 'Refused.' } } };
}
