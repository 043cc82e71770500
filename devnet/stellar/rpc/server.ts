import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import type { Chain } from '../ledger/chain.ts';
import { codes, RpcError } from './errors.ts';
import { friendbot, methodOf } from './methods.ts';

const bodyBytesMax = 4 * 1024 * 1024;
const requestSchema = z.object({
  id: z.union([z.string(), z.number(), z.null()]).optional(),
  method: z.string(),
  params: z.unknown().optional(),
});

export interface RpcServer {
  readonly port: number;
  close(): Promise<void>;
}

/** Stellar RPC and friendbot, on 127.0.0.1. */
export async function startRpcServer(chain: Chain, port: number): Promise<RpcServer> {
  const server = http.createServer((request, response) => {
    serve(chain, request).then(
      ({ status, body }) =>
        response
          .writeHead(status, { 'content-type': 'application/json' })
          .end(JSON.stringify(body)),
      () => response.destroy(),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { port: (server.address() as AddressInfo).port, close };
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

async function serve(chain: Chain, request: http.IncomingMessage): Promise<Answer> {
  const prefix = request.headers['x-forwarded-prefix'];
  const url = `http://${request.headers.host ?? '127.0.0.1'}${typeof prefix === 'string' ? prefix : ''}`;
  chain.tick();
  const asked = new URL(request.url ?? '/', url);
  if (asked.pathname === '/friendbot')
    return serveFriendbot(chain, url, asked.searchParams.get('addr') ?? '');
  if (request.method !== 'POST')
    return { status: 405, body: { error: 'Stellar RPC is asked with POST' } };
  const text = await readBody(request);
  let id: string | number | null = null;
  try {
    const { id: own = null, method, params } = requestSchema.parse(JSON.parse(text));
    id = own;
    return {
      status: 200,
      body: { jsonrpc: '2.0', id, result: methodOf(method)({ chain, url }, params) },
    };
  } catch (error) {
    return { status: 200, body: { jsonrpc: '2.0', id, error: describe(error) } };
  }
}

function serveFriendbot(chain: Chain, url: string, address: string): Answer {
  try {
    return { status: 200, body: friendbot({ chain, url }, address) };
  } catch (error) {
    return {
      status: 400,
      body: { status: 400, title: 'Bad Request', detail: describe(error).message },
    };
  }
}

function describe(error: unknown): { readonly code: number; readonly message: string } {
  if (error instanceof RpcError) return { code: error.code, message: error.message };
  if (error instanceof SyntaxError || error instanceof z.ZodError)
    return { code: codes.invalidRequest, message: 'This is no request of JSON-RPC 2.0.' };
  return { code: codes.internal, message: error instanceof Error ? error.message : String(error) };
}

async function readBody(request: http.IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of request) {
    length += part.length;
    if (length > bodyBytesMax) throw new Error('The body is too large');
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}
