import http from 'node:http';
import { DevnetError } from './errors.ts';

/** What the gateway asks of the chains behind it. */
export interface GatewayChains {
  has(name: string): boolean;
  /** Port of the chain's node on 127.0.0.1, which is started first if it does not run. */
  portOf(name: string): number | Promise<number>;
  list(): readonly { readonly name: string; readonly chainId: number; readonly status: 'idle' | 'starting' | 'running' }[];
}

export interface Gateway {
  /** `http://127.0.0.1:<port>`; a chain is at `/<name>` below it. */
  readonly url: string;
  close(): Promise<void>;
}

const requestTimeoutMs = 60_000;
const bodyBytesMax = 64 * 1024 * 1024;
const socketsPerChainMax = 256;
const cors = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'POST, GET, OPTIONS',
  'access-control-allow-headers': 'content-type',
  'access-control-max-age': '86400',
};
/** Codes of JSON-RPC 2.0: invalid request, and the range that servers may use. */
const rpcCodes = { invalidRequest: -32600, unavailable: -32000 } as const;

/**
 * One address for all local chains: `POST /<chain name>` goes to that chain's node. Bodies are passed through as they come,
 * unread, so a batch is a batch and a call costs one hop.
 * @throws DevnetError when the port is taken
 */
export async function startGateway(chains: GatewayChains, port = 0): Promise<Gateway> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: socketsPerChainMax, maxFreeSockets: 16, scheduling: 'lifo' });
  const server = http.createServer({ keepAliveTimeout: 65_000, requestTimeout: requestTimeoutMs }, (request, response) => {
    serve(chains, agent, request, response).catch((error: unknown) => {
      sendError(response, 502, rpcCodes.unavailable, error instanceof Error ? error.message : String(error));
    });
  });
  const url = await listen(server, port);
  const close = async () => {
    const closed = new Promise((resolve) => server.close(resolve));
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
  if (address === null || typeof address === 'string') throw new DevnetError('The local chains have no port.');
  return `http://127.0.0.1:${address.port}`;
}

async function serve(
  chains: GatewayChains,
  agent: http.Agent,
  request: http.IncomingMessage,
  response: http.ServerResponse,
): Promise<void> {
  const name = decodeName(request.url ?? '/');
  if (request.method === 'OPTIONS') return void response.writeHead(204, cors).end();
  if (name === '') return sendList(chains, request, response);
  if (!chains.has(name)) {
    request.resume();
    return sendError(response, 404, rpcCodes.invalidRequest, `There is no local chain "${name}": GET / lists those there are.`);
  }
  if (request.method !== 'POST') {
    return sendError(response, 405, rpcCodes.invalidRequest, `Send JSON-RPC calls to /${name} with POST.`);
  }
  if (Number(request.headers['content-length'] ?? 0) > bodyBytesMax) {
    return sendError(response, 413, rpcCodes.invalidRequest, `The body is larger than ${bodyBytesMax} bytes.`);
  }
  // A chain that runs answers its port at once: no turn of the event loop is spent on it.
  const port = chains.portOf(name);
  forward(agent, typeof port === 'number' ? port : await port, request, response);
}

function decodeName(path: string): string {
  const raw = path.slice(1).split(/[?#]/, 1)[0]!.replace(/\/$/, '');
  try {
    return decodeURIComponent(raw);
  } catch {
    return raw;
  }
}

function sendList(chains: GatewayChains, request: http.IncomingMessage, response: http.ServerResponse): void {
  request.resume();
  const base = `http://${request.headers.host ?? '127.0.0.1'}`;
  const body = { chains: chains.list().map((chain) => ({ ...chain, rpcUrl: `${base}/${chain.name}` })) };
  response.writeHead(200, { ...cors, 'content-type': 'application/json' }).end(`${JSON.stringify(body, null, 2)}\n`);
}

function forward(agent: http.Agent, port: number, request: http.IncomingMessage, response: http.ServerResponse): void {
  const headers: http.OutgoingHttpHeaders = { 'content-type': 'application/json' };
  const length = request.headers['content-length'];
  if (length !== undefined) headers['content-length'] = length;
  const upstream = http.request(
    { agent, host: '127.0.0.1', port, method: 'POST', path: '/', headers, timeout: requestTimeoutMs },
    (answer) => {
      const passed: http.OutgoingHttpHeaders = { ...cors, 'content-type': answer.headers['content-type'] ?? 'application/json' };
      if (answer.headers['content-length'] !== undefined) passed['content-length'] = answer.headers['content-length'];
      response.writeHead(answer.statusCode ?? 502, passed);
      answer.pipe(response);
      answer.on('error', () => response.destroy());
    },
  );
  upstream.on('timeout', () => {
    sendError(response, 504, rpcCodes.unavailable, `The local chain did not answer within ${requestTimeoutMs / 1000} s.`);
    upstream.destroy();
  });
  upstream.on('error', (error) => sendError(response, 502, rpcCodes.unavailable, `The local chain does not answer: ${error.message}.`));
  response.on('close', () => {
    if (!response.writableFinished) upstream.destroy();
  });
  request.pipe(upstream);
}

/** The body was not read, so its id is not known: null, as JSON-RPC says. */
function sendError(response: http.ServerResponse, status: number, code: number, message: string): void {
  if (response.headersSent) return void response.destroy();
  const body = JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } });
  // What is left of the request is not waited for.
  response.writeHead(status, { ...cors, 'content-type': 'application/json', connection: 'close' }).end(body);
}
