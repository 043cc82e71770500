import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Ctx } from '../../context.ts';
import { keepBeating } from '../../lib/waiting/heartbeat.ts';
import { endWith } from '../raw-http.ts';

/** A WebSocket without an API key: whoever opens it says in its first message who it is. */
export interface SocketRoute {
  /** Below the base path, with `:name` parameters. */
  readonly path: string;
  /** Longer messages of the caller end the connection. */
  readonly messageBytesMax: number;
  /**
   * Open ones of this route in one process whose callers have said who they are; more are answered
   * with 503.
   */
  readonly connectionsMax: number;
  /**
   * Open ones whose callers have not, which take no place of the others: one more ends the oldest.
   */
  readonly untoldMax: number;
  readonly handler: (ctx: Ctx, connection: SocketConnection) => void;
}

export interface SocketConnection {
  readonly params: Readonly<Record<string, string>>;
  readonly socket: WebSocket;
  /** The caller has said who it is, and it is true. */
  readonly told: () => unknown;
}

/** Connections are told that the server stops, and cut off when they have not gone by then. */
const goodbyeMs = 1_000;
const stopping = 1_001;

interface Served {
  readonly route: SocketRoute;
  readonly pattern: RegExp;
  readonly server: WebSocketServer;
  /** Whose callers have said who they are, and have not, the oldest first. */
  readonly told: Set<WebSocket>;
  readonly untold: Set<WebSocket>;
}

/**
 * Serves WebSockets on a server that does not listen yet, and ends them when it closes. Any other
 * upgrade is served as if it asked for none.
 */
export function addSocketRoutes(
  server: FastifyInstance,
  ctx: Ctx,
  input: { readonly basePath: string; readonly routes: readonly SocketRoute[] },
): void {
  if (input.routes.length === 0) return;
  const served = input.routes.map((route) => ({
    route,
    pattern: patternOf(`${input.basePath}${route.path}`),
    server: new WebSocketServer({
      noServer: true,
      maxPayload: route.messageBytesMax,
      perMessageDeflate: false,
    }),
    told: new Set<WebSocket>(),
    untold: new Set<WebSocket>(),
  }));
  server.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    const found = isWebSocket(request) ? findRoute(served, request) : undefined;
    if (!found) return serveWithoutUpgrade(server, request, { socket, head });
    if (!isOwnPage(ctx, request)) return refuse(socket, '403 Forbidden');
    if (found.told.size >= found.route.connectionsMax)
      return refuse(socket, '503 Service Unavailable\r\nretry-after: 5');
    found.server.handleUpgrade(request, socket, head, (connection) =>
      accept(ctx, found, { request, connection }),
    );
  });
  server.addHook(
    'preClose',
    async () => void (await Promise.all(served.map((one) => endAll(one.server)))),
  );
}

/**
 * Browsers name the page that opens a WebSocket, and would let any page do so. Programs name none.
 */
function isOwnPage({ config }: Ctx, { headers }: IncomingMessage): boolean {
  const { origin, host } = headers;
  if (origin === undefined || origin === new URL(config.api.baseUrl).origin) return true;
  // A local instance is opened under any name of its machine.
  return config.environment === 'development' && origin === `http://${host}`;
}

function accept(
  ctx: Ctx,
  { route, pattern, told, untold }: Served,
  input: { readonly request: IncomingMessage; readonly connection: WebSocket },
): void {
  const { connection } = input;
  const openedAtMs = performance.now();
  const [oldest] = untold;
  if (oldest && untold.size >= route.untoldMax) {
    untold.delete(oldest);
    oldest.terminate();
  }
  untold.add(connection);
  connection.on('close', () => untold.delete(connection) || told.delete(connection));
  keepBeating(connection);
  connection.on('error', () => connection.terminate());
  connection.on('close', (code) =>
    ctx.log.info(
      { route: route.path, code, durationMs: Math.round(performance.now() - openedAtMs) },
      'connection ended',
    ),
  );
  route.handler(ctx, {
    params: pattern.exec(pathOf(input.request))!.groups ?? {},
    socket: connection,
    told: () => untold.delete(connection) && told.add(connection),
  });
}

const isWebSocket = (request: IncomingMessage) =>
  request.method === 'GET' && request.headers.upgrade?.toLowerCase() === 'websocket';
const pathOf = (request: IncomingMessage) => (request.url ?? '').split('?')[0]!;
const findRoute = (served: readonly Served[], request: IncomingMessage) =>
  served.find(({ pattern }) => pattern.test(pathOf(request)));

function patternOf(path: string): RegExp {
  return new RegExp(
    `^${path.replaceAll(/[.]/g, '\\.').replaceAll(/:([A-Za-z]\w*)/g, '(?<$1>[A-Za-z0-9_-]{1,100})')}$`,
  );
}

/**
 * Since somebody listens for upgrades, Node hands over every request that offers one: some clients
 * offer HTTP/2 with each request. Such a request is put back on its connection without the offer.
 */
function serveWithoutUpgrade(
  server: FastifyInstance,
  request: IncomingMessage,
  rest: { readonly socket: Duplex; readonly head: Buffer },
) {
  const { socket, head } = rest;
  const lines = [`${request.method} ${request.url} HTTP/${request.httpVersion}`];
  for (let index = 0; index < request.rawHeaders.length; index += 2) {
    const [name, value] = [request.rawHeaders[index]!, request.rawHeaders[index + 1]!];
    if (!/^(?:upgrade|http2-settings|connection)$/i.test(name)) lines.push(`${name}: ${value}`);
  }
  socket.removeAllListeners('error');
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]));
  server.server.emit('connection', socket);
}

function refuse(socket: Duplex, status: string): void {
  endWith(socket, `HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
}

async function endAll(server: WebSocketServer): Promise<void> {
  const closed = [...server.clients].map(
    (client) => new Promise<void>((resolve) => client.once('close', () => resolve())),
  );
  for (const client of server.clients) client.close(stopping, 'the server stops');
  const cutOff = setTimeout(() => {
    for (const client of server.clients) client.terminate();
  }, goodbyeMs);
  await Promise.all(closed);
  clearTimeout(cutOff);
}
