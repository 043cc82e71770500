import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import { type LocalServer, listenLocally, readBody } from '../../in-process.ts';
import type { Chain } from '../ledger/chain.ts';
import { codes, RpcError } from './errors.ts';
import { friendbot, methodOf } from './methods.ts';

const bodyBytesMax = 4 * 1024 * 1024;
const requestSchema = z.object({
  id: z.union([z.string(), z.number(), z.null()]).optional(),
  method: z.string(),
  params: z.unknown().optional(),
});

/** Stellar RPC and friendbot, on 127.0.0.1. */
export function startRpcServer(chain: Chain, port: number): Promise<LocalServer> {
  return listenLocally(async (request, response) => {
    const { status, body } = await serve(chain, request);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }, port);
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

async function serve(chain: Chain, request: IncomingMessage): Promise<Answer> {
  const prefix = request.headers['x-forwarded-prefix'];
  const url = `http://${request.headers.host ?? '127.0.0.1'}${typeof prefix === 'string' ? prefix : ''}`;
  chain.tick();
  const asked = new URL(request.url ?? '/', url);
  if (asked.pathname === '/friendbot')
    return serveFriendbot(chain, url, asked.searchParams.get('addr') ?? '');
  if (request.method !== 'POST')
    return { status: 405, body: { error: 'Stellar RPC is asked with POST' } };
  const text = (await readBody(request, bodyBytesMax)).toString();
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
