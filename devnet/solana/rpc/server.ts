import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { WebSocketServer } from 'ws';
import { z } from 'zod';
import type { Chain } from '../chain.ts';
import { codes, describeFailure } from './errors.ts';
import { toJson } from './json.ts';
import { callMethod } from './methods.ts';
import { createSubscriptions } from './subscriptions.ts';

export interface RpcServer {
  readonly port: number;
  close(): Promise<void>;
}

/** The largest message is a program for `devnet_addProgram`. */
const bodyBytesMax = 16 * 1024 * 1024;
const batchMax = 100;
const messageBytesMax = 64 * 1024;
const connectionsMax = 200;
const headersTimeoutMs = 10_000;
const requestTimeoutMs = 30_000;
const socketsCloseMs = 500;
const keepAliveMs = 65_000;
const portAttemptsMax = 20;

const callSchema = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string().max(200), z.number(), z.null()]).optional(),
  method: z.string(),
  params: z.array(z.unknown()).optional(),
});

/**
 * Serves the chain on 127.0.0.1: JSON-RPC and, for subscriptions, web sockets, on `port` and on the
 * one after it, where `@solana/web3.js` looks for them.
 * @param port 0: any two that are free
 * @throws Error when they are taken
 */
export async function startRpcServer(chain: Chain, port: number): Promise<RpcServer> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await listen(chain, port);
    } catch (error) {
      if (port !== 0 || attempt === portAttemptsMax) throw error;
    }
  }
}

async function listen(chain: Chain, port: number): Promise<RpcServer> {
  const subscriptions = createSubscriptions(chain);
  const sockets = new WebSocketServer({ noServer: true, maxPayload: messageBytesMax });
  sockets.on('connection', (socket) => subscriptions.serve(socket));
  const servers = [createServer(chain, sockets), createServer(chain, sockets)] as const;
  try {
    await bind(servers[0], port);
    const bound = portOf(servers[0]);
    await bind(servers[1], bound + 1);
    return {
      port: bound,
      async close() {
        subscriptions.close();
        await closeSockets(sockets);
        await Promise.all(servers.map(end));
      },
    };
  } catch (error) {
    subscriptions.close();
    await Promise.all(servers.map(end));
    throw error;
  }
}

/** With the code of an orderly end, after which clients do not come back by themselves. */
async function closeSockets({ clients }: WebSocketServer): Promise<void> {
  const closing = [...clients].map(
    (socket) => new Promise<void>((resolve) => socket.once('close', () => resolve())),
  );
  for (const socket of clients) socket.close(1000);
  await Promise.race([Promise.all(closing), delay(socketsCloseMs)]);
  for (const socket of clients) socket.terminate();
}

function createServer(chain: Chain, sockets: WebSocketServer): http.Server {
  const server = http.createServer((request, response) => {
    answer(chain, request).then(
      ({ status, text }) =>
        response.writeHead(status, { 'content-type': 'application/json' }).end(text),
      () => response.destroy(),
    );
  });
  server.maxConnections = connectionsMax;
  server.headersTimeout = headersTimeoutMs;
  server.requestTimeout = requestTimeoutMs;
  server.keepAliveTimeout = keepAliveMs;
  server.on('upgrade', (request, socket, head) => {
    sockets.handleUpgrade(request, socket, head, (open) =>
      sockets.emit('connection', open, request),
    );
  });
  return server;
}

interface Reply {
  readonly status: number;
  readonly text: string;
}

async function answer(chain: Chain, request: http.IncomingMessage): Promise<Reply> {
  if (request.method === 'GET' && request.url === '/health') return { status: 200, text: '"ok"' };
  if (request.method !== 'POST')
    return refuse(405, codes.invalidRequest, 'Used HTTP Method is not allowed. POST is required');
  // A page of another site can send other types without being asked by its browser.
  if (!/^application\/json\b/i.test(request.headers['content-type'] ?? ''))
    return refuse(
      415,
      codes.invalidRequest,
      'Supplied content type is not allowed. Content-Type: application/json is required',
    );
  const body = await readBody(request);
  if (body === undefined)
    return refuse(413, codes.invalidRequest, `A request has at most ${bodyBytesMax} bytes`);
  const parsed = parseJson(body);
  if (parsed === undefined) return refuse(400, codes.parseError, 'Parse error');
  if (!Array.isArray(parsed)) return { status: 200, text: toJson(await answerCall(chain, parsed)) };
  if (parsed.length === 0 || parsed.length > batchMax)
    return refuse(200, codes.invalidRequest, `A batch has 1 to ${batchMax} calls`);
  const replies = [];
  for (const call of parsed) replies.push(await answerCall(chain, call));
  return { status: 200, text: toJson(replies) };
}

function refuse(status: number, code: number, message: string): Reply {
  return { status, text: toJson({ jsonrpc: '2.0', error: { code, message }, id: null }) };
}

async function readBody(request: http.IncomingMessage): Promise<string | undefined> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request) {
    bytes += part.length;
    // The rest is read and dropped, so that the sender gets the answer.
    if (bytes <= bodyBytesMax) parts.push(part);
  }
  return bytes > bodyBytesMax ? undefined : Buffer.concat(parts).toString('utf8');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function answerCall(chain: Chain, call: unknown): Promise<object> {
  const read = callSchema.safeParse(call);
  if (!read.success)
    return {
      jsonrpc: '2.0',
      error: { code: codes.invalidRequest, message: 'Invalid request' },
      id: null,
    };
  const { id = null, method, params = [] } = read.data;
  try {
    return { jsonrpc: '2.0', result: (await callMethod(chain, method, params)) ?? null, id };
  } catch (error) {
    return { jsonrpc: '2.0', error: describeFailure(error), id };
  }
}

function bind(server: http.Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function portOf(server: http.Server): number {
  return (server.address() as AddressInfo).port;
}

function end(server: http.Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
