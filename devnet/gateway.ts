import http from 'node:http';
import type { Duplex } from 'node:stream';
import { DevnetError } from './errors.ts';

/** What the gateway asks of the chains behind it. */
export interface GatewayChains {
  has(name: string): boolean;
  /** Address of the chain's node, which is started first if it does not run. */
  urlOf(name: string): string | Promise<string>;
  list(): readonly {
    readonly name: string;
    readonly chainId?: number;
    readonly status: 'idle' | 'starting' | 'running';
  }[];
}

export interface Gateway {
  /** `http://127.0.0.1:<port>`; a chain is at `/<name>` below it. */
  readonly url: string;
  close(): Promise<void>;
}

/** How long a node may be silent: before its answer, and within one. */
const silenceMsMax = 60_000;
const bodyBytesMax = 64 * 1024 * 1024;
const socketsPerChainMax = 256;
const cors = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, HEAD, POST, PUT, DELETE, OPTIONS',
  'access-control-allow-headers': '*',
  'access-control-max-age': '86400',
};
/** Codes of JSON-RPC 2.0: invalid request, and the range that servers may use. */
const rpcCodes = { invalidRequest: -32600, unavailable: -32000 } as const;

export interface GatewayLimits {
  readonly silenceMsMax: number;
  readonly bodyBytesMax: number;
}

/**
 * One address for all local chains: `/<chain name>/<path>?<query>` goes to that chain's node as
 * `/<path>?<query>`, with its method and headers; web sockets too. Bodies and answers are passed on
 * as they come, unread, so a batch is a batch, a stream is a stream, and a call costs one hop.
 * @throws DevnetError when the port is taken
 */
export async function startGateway(
  chains: GatewayChains,
  port = 0,
  limits: Partial<GatewayLimits> = {},
): Promise<Gateway> {
  const held = { silenceMsMax, bodyBytesMax, ...limits };
  const agent = new http.Agent({
    keepAlive: true,
    maxSockets: socketsPerChainMax,
    maxFreeSockets: 16,
    scheduling: 'lifo',
  });
  const server = http.createServer(
    { keepAliveTimeout: 65_000, requestTimeout: held.silenceMsMax },
    (request, response) => {
      serve({ chains, agent, ...held }, request, response).catch((error: unknown) => {
        sendError(
          response,
          502,
          rpcCodes.unavailable,
          error instanceof Error ? error.message : String(error),
        );
      });
    },
  );
  const open = new Set<Duplex>();
  server.on('upgrade', (request, socket, head) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket)).on('error', () => socket.destroy());
    upgrade(chains, request, { socket, head }).catch(() => socket.destroy());
  });
  const url = await listen(server, port);
  const close = async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of open) socket.destroy();
    server.closeAllConnections();
    agent.destroy();
    await closed;
  };
  return { url, close };
}

async function listen(server: http.Server, port: number): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      reject(
        new DevnetError(
          cause.code === 'EADDRINUSE'
            ? `Port ${port} for the local chains is in use: free it, or choose another.`
            : `The local chains cannot listen on port ${port}: ${cause.message}.`,
          { cause },
        ),
      );
    });
    server.listen(port, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string')
    throw new DevnetError('The local chains have no port.');
  return `http://127.0.0.1:${address.port}`;
}

interface GatewayParts extends GatewayLimits {
  readonly chains: GatewayChains;
  readonly agent: http.Agent;
}

async function serve(
  parts: GatewayParts,
  request: http.IncomingMessage,
  response: http.ServerResponse,
): Promise<void> {
  const { chains } = parts;
  const { name, rest } = splitPath(request.url ?? '/');
  if (request.method === 'OPTIONS') return void response.writeHead(204, cors).end();
  if (name === '') return sendList(chains, request, response);
  if (!chains.has(name)) {
    request.resume();
    return sendError(
      response,
      404,
      rpcCodes.invalidRequest,
      `There is no local chain "${name}": GET / lists those there are.`,
    );
  }
  if (Number(request.headers['content-length'] ?? 0) > parts.bodyBytesMax)
    return sendError(
      response,
      413,
      rpcCodes.invalidRequest,
      `The body is larger than ${parts.bodyBytesMax} bytes.`,
    );
  // A chain that runs answers its address at once: no turn of the event loop is spent on it.
  const url = chains.urlOf(name);
  forward(parts, { url: typeof url === 'string' ? url : await url, path: rest }, request, response);
}

/** The chain's name, and what its node is asked: `/a/b?c` is `/b?c` of `a`. */
function splitPath(url: string): { readonly name: string; readonly rest: string } {
  const [, raw = '', rest = ''] = /^\/([^/?#]*)(.*)$/s.exec(url) ?? [];
  return { name: decodeName(raw), rest: rest.startsWith('/') ? rest : `/${rest}` };
}

function decodeName(raw: string): string {
  try {
    return decodeURIComponent(raw);
  } catch {
    return raw;
  }
}

function sendList(
  chains: GatewayChains,
  request: http.IncomingMessage,
  response: http.ServerResponse,
): void {
  request.resume();
  const base = `http://${request.headers.host ?? '127.0.0.1'}`;
  const body = {
    chains: chains.list().map((chain) => ({ ...chain, rpcUrl: `${base}/${chain.name}` })),
  };
  response
    .writeHead(200, { ...cors, 'content-type': 'application/json' })
    .end(`${JSON.stringify(body, null, 2)}\n`);
}

/** Headers that are about one connection (RFC 9110, section 7.6.1), and the name of the gateway. */
const hopHeaders: ReadonlySet<string> = new Set([
  'connection',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

function passedOn(headers: http.IncomingHttpHeaders): http.OutgoingHttpHeaders {
  return Object.fromEntries(
    Object.entries(headers).filter(
      ([name]) => !hopHeaders.has(name) && !name.startsWith('access-control-'),
    ),
  );
}

function forward(
  { agent, silenceMsMax: timeout, bodyBytesMax: bytesMax }: GatewayParts,
  { url, path }: { readonly url: string; readonly path: string },
  request: http.IncomingMessage,
  response: http.ServerResponse,
): void {
  const { hostname: host, port } = new URL(url);
  const headers = passedOn(request.headers);
  if (request.method === 'POST') headers['content-type'] ??= 'application/json';
  const upstream = http.request(
    { agent, host, port, method: request.method, path, headers, timeout },
    (answer) => {
      response.writeHead(answer.statusCode ?? 502, { ...passedOn(answer.headers), ...cors });
      // Whoever reads a stream sees that it has begun.
      response.flushHeaders();
      answer.pipe(response);
      answer.on('error', () => response.destroy());
    },
  );
  upstream.on('timeout', () => {
    sendError(
      response,
      504,
      rpcCodes.unavailable,
      `The local chain did not answer within ${timeout / 1000} s.`,
    );
    upstream.destroy();
  });
  upstream.on('error', (error) =>
    sendError(
      response,
      502,
      rpcCodes.unavailable,
      `The local chain does not answer: ${error.message}.`,
    ),
  );
  response.on('close', () => {
    if (!response.writableFinished) upstream.destroy();
  });
  let bytes = 0;
  // A body of unknown length is counted on its way.
  request.on('data', (part: Buffer) => {
    bytes += part.length;
    if (bytes <= bytesMax) return;
    sendError(response, 413, rpcCodes.invalidRequest, `The body is larger than ${bytesMax} bytes.`);
    upstream.destroy();
  });
  request.pipe(upstream);
}

/**
 * Web sockets and whatever else a client changes its connection to: once both sides agreed, bytes
 * are passed on unread.
 */
async function upgrade(
  chains: GatewayChains,
  request: http.IncomingMessage,
  { socket, head }: { readonly socket: Duplex; readonly head: Buffer },
): Promise<void> {
  const { name, rest } = splitPath(request.url ?? '/');
  if (!chains.has(name))
    return void socket.end(
      'HTTP/1.1 404 Not Found\r\nconnection: close\r\ncontent-length: 0\r\n\r\n',
    );
  const { hostname: host, port } = new URL(await chains.urlOf(name));
  const upstream = http.request({ host, port, path: rest, headers: request.headers });
  upstream.on('error', () => socket.destroy());
  socket.on('close', () => upstream.destroy());
  // The node wants no other protocol: its answer is passed on as it is.
  upstream.on('response', (answer) => {
    writeHead(socket, answer);
    answer.pipe(socket);
  });
  upstream.on('upgrade', (answer, other, first) => {
    writeHead(socket, answer);
    socket.write(first);
    other.write(head);
    other.on('error', () => socket.destroy()).on('close', () => socket.destroy());
    socket.on('close', () => other.destroy());
    other.pipe(socket).pipe(other);
  });
  upstream.end();
}

function writeHead(
  socket: Duplex,
  { statusCode, statusMessage, rawHeaders }: http.IncomingMessage,
): void {
  const lines = Array.from(
    { length: rawHeaders.length / 2 },
    (_, index) => `${rawHeaders[index * 2]}: ${rawHeaders[index * 2 + 1]}`,
  );
  socket.write(`HTTP/1.1 ${statusCode} ${statusMessage}\r\n${lines.join('\r\n')}\r\n\r\n`);
}

/** The body was not read, so its id is not known: null, as JSON-RPC says. */
function sendError(
  response: http.ServerResponse,
  status: number,
  code: number,
  message: string,
): void {
  if (response.headersSent) return void response.destroy();
  const body = JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } });
  // What is left of the request is not waited for.
  response
    .writeHead(status, { ...cors, 'content-type': 'application/json', connection: 'close' })
    .end(body);
}
