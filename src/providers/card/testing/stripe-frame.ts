import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { StripeObject } from './stripe-objects.ts';

/**
 * What every part of Stripe's API has in common, for servers that stand in for one: keys, forms,
 * errors, lists, faults.
 */

/** What a test sees of a request. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly form: URLSearchParams;
}

export interface StripeAnswer {
  readonly status: number;
  readonly body: unknown;
}

export interface StripeFrame {
  readonly url: string;
  readonly requests: SeenRequest[];
  /** Answers the next matching requests by hand: a fault, or a made-up answer. */
  intercept?: (request: SeenRequest, response: ServerResponse) => boolean | Promise<boolean>;
  /** The request takes effect, and its answer never comes. */
  loseAnswer?: (request: SeenRequest) => boolean;
  /** Until the returned function is called nobody listens. */
  takeDown(): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

/**
 * Serves what `route` answers, once the secret key fits. An idempotency key answers its first
 * answer, faults included.
 */
export async function startStripeFrame(input: {
  readonly secretKey: string;
  readonly route: (request: SeenRequest) => StripeAnswer;
}): Promise<StripeFrame> {
  const kept = new Map<string, StripeAnswer & { readonly fingerprint: string }>();
  const requests: SeenRequest[] = [];

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const form = new URLSearchParams(Buffer.concat(chunks).toString());
    const seen: SeenRequest = {
      method: request.method!,
      path: request.url!,
      headers: request.headers,
      form,
    };
    requests.push(seen);
    if (await frame.intercept?.(seen, response)) return;
    if (request.headers.authorization !== `Bearer ${input.secretKey}`)
      return send(response, 401, {
        error: { type: 'invalid_request_error', message: 'Invalid API Key provided' },
      });
    const { status, body, isReplayed } = withKey(seen);
    if (frame.loseAnswer?.(seen)) return void response.destroy();
    send(response, status, body, isReplayed ? { 'idempotent-replayed': 'true' } : {});
  }

  function withKey(seen: SeenRequest): StripeAnswer & { readonly isReplayed?: true } {
    const key = seen.headers['idempotency-key'];
    if (seen.method !== 'POST' || typeof key !== 'string') return input.route(seen);
    const fingerprint = createHash('sha256').update(`${seen.path} ${seen.form}`).digest('hex');
    const known = kept.get(key);
    if (known && known.fingerprint !== fingerprint)
      return refusal(
        400,
        'idempotency_error',
        undefined,
        'Keys for idempotent requests can only be used with the same parameters they were first used with.',
      );
    if (known) return { ...known, isReplayed: true };
    const { status, body } = input.route(seen);
    kept.set(key, { fingerprint, status, body: structuredClone(body) });
    return { status, body };
  }

  const http = createServer((request, response) => {
    void answer(request, response).catch((error: unknown) => {
      response.writeHead(500).end(String(error));
    });
  });
  const listen = (port: number) =>
    new Promise<void>((resolve) => http.listen(port, '127.0.0.1', resolve));
  const stop = () =>
    new Promise<void>((resolve) => {
      http.closeAllConnections();
      http.close(() => resolve());
    });
  await listen(0);
  const { port } = http.address() as AddressInfo;
  const frame: StripeFrame = {
    url: `http://127.0.0.1:${port}`,
    requests,
    async takeDown() {
      await stop();
      return () => listen(port);
    },
    close: stop,
  };
  return frame;
}

export function newStripeId(prefix: string): string {
  return `${prefix}_${randomBytes(12).toString('hex')}`;
}

/** A page of a list, the newest first, as `starting_after` and `limit` ask. */
export function listPage(oldestFirst: readonly StripeObject[], url: URL): StripeAnswer {
  const all = oldestFirst.toReversed();
  const start = all.findIndex((one) => one.id === url.searchParams.get('starting_after')) + 1;
  const limit = Number(url.searchParams.get('limit') ?? 10);
  const data = all.slice(start, start + limit);
  return {
    status: 200,
    body: { object: 'list', url: url.pathname, data, has_more: all.length > start + limit },
  };
}

export function refusal(
  status: number,
  type: string,
  code: string | undefined,
  message: string,
): StripeAnswer {
  return {
    status,
    body: {
      error: {
        type,
        ...(code !== undefined && { code }),
        message,
        request_log_url: 'https://dashboard.stripe.com/test/logs',
      },
    },
  };
}

export function send(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response
    .writeHead(status, { 'content-type': 'application/json', 'request-id': 'req_test', ...headers })
    .end(JSON.stringify(body));
}
