import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a test sees of a request. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Record<string, any> | undefined;
}

export interface PersonaServer {
  readonly url: string;
  readonly requests: SeenRequest[];
  readonly inquiries: Map<string, Record<string, any>>;
  /** Answers the next matching requests by hand: a fault, or a made-up answer. */
  intercept?: (request: SeenRequest, response: ServerResponse) => boolean | Promise<boolean>;
  close(): Promise<void>;
}

/**
 * A server that speaks the inquiry interface as the company's public documentation shows it:
 * JSON:API, idempotency keys, one-time session tokens, redaction. Made by hand after the documented
 * exchanges.
 */
export async function startPersonaServer(apiKey: string): Promise<PersonaServer> {
  const inquiries: PersonaServer['inquiries'] = new Map();
  const byIdempotencyKey = new Map<string, string>();
  const requests: SeenRequest[] = [];
  const state: { server: PersonaServer | undefined } = { server: undefined };

  const http: Server = createServer((request, response) => {
    void answer(request, response).catch((error: unknown) => {
      response.writeHead(500).end(String(error));
    });
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const seen: SeenRequest = {
      method: request.method!,
      path: request.url!,
      headers: request.headers,
      body: text === '' ? undefined : (JSON.parse(text) as Record<string, any>),
    };
    requests.push(seen);
    if (await state.server!.intercept?.(seen, response)) return;
    if (request.headers.authorization !== `Bearer ${apiKey}`)
      return send(response, 401, { errors: [{ title: 'Must be authenticated' }] });
    route(seen, response);
  }

  function route(seen: SeenRequest, response: ServerResponse): void {
    const url = new URL(seen.path, 'http://localhost');
    const [, , , id, action] = url.pathname.split('/');
    if (seen.method === 'GET' && id === undefined) {
      const reference = url.searchParams.get('filter[reference-id]');
      return send(response, 200, {
        data: [...inquiries.values()].filter((one) => one.attributes['reference-id'] === reference),
      });
    }
    if (seen.method === 'POST' && id === undefined) return create(seen, response);
    const found = inquiries.get(id!);
    if (!found) return send(response, 404, { errors: [{ title: 'Record not found' }] });
    if (seen.method === 'POST' && action === 'resume') {
      if (!['created', 'pending'].includes(found.attributes.status))
        return send(response, 400, { errors: [{ title: 'Inquiry cannot be resumed' }] });
      return send(response, 200, {
        data: found,
        meta: { 'session-token': randomBytes(24).toString('base64url') },
      });
    }
    if (seen.method === 'DELETE') {
      found.attributes = {
        status: found.attributes.status,
        'redacted-at': new Date().toISOString(),
        fields: {},
      };
      return send(response, 200, { data: found });
    }
    return send(response, 200, { data: found });
  }

  function create(seen: SeenRequest, response: ServerResponse): void {
    const key = seen.headers['idempotency-key'] as string;
    const known = byIdempotencyKey.get(key);
    const id = known ?? `inq_${randomBytes(12).toString('hex')}`;
    if (known === undefined) {
      const { attributes } = seen.body!.data;
      inquiries.set(id, {
        type: 'inquiry',
        id,
        attributes: { ...attributes, status: 'created', 'redacted-at': null },
      });
      byIdempotencyKey.set(key, id);
    }
    send(response, 201, { data: inquiries.get(id), meta: {} });
  }

  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const { port } = http.address() as AddressInfo;
  state.server = {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    inquiries,
    close: () =>
      new Promise((resolve) => {
        http.closeAllConnections();
        http.close(() => resolve());
      }),
  };
  return state.server;
}

export function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
