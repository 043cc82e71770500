import type { KeyObject } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Page } from 'playwright-core';
import { WebSocketServer } from 'ws';
import type { Clock } from '../../lib/clock.ts';
import type { Logger } from '../../lib/log/log.ts';
import { liveRequestBytesMax } from '../link/live-wire.ts';
import { livePath } from '../link/wire.ts';
import type { RunScreen } from '../types.ts';
import { openFollowingView } from './following-view.ts';
import type { TellSecret } from './live-view.ts';
import { createRequestGuard } from './request-guard.ts';
import { createShownPage, type ShownPage } from './shown-page.ts';

export interface LiveServerOptions {
  readonly host: string;
  /** 0: any that is free. */
  readonly port: number;
  /** Public keys of the processes that may watch: `api`. */
  readonly peers: ReadonlyMap<string, KeyObject>;
  /** The machine's own time: requests are signed with it. */
  readonly clock: Clock;
  readonly log: Logger;
}

/** Live pictures of the runs of this runner, for the API. */
export interface LiveServer {
  readonly port: number;
  /**
   * Shows a page, and windows that it opens, as the checkout's from now on, in place of what was
   * shown before. `tellSecret` is told of what watchers type into fields for passwords, codes and
   * cards.
   */
  show(checkoutId: string, page: Page, tellSecret?: TellSecret): Promise<ShownRun>;
  /** Ends every connection. What is shown afterwards nobody sees. */
  stop(): Promise<void>;
}

/** A run that can be watched. */
export interface ShownRun {
  readonly screen: RunScreen;
  /**
   * Whether watchers may use the page: while the user is asked for something that they can do
   * there. Off at first.
   */
  permitInput(isPermitted: boolean): void;
  /** Tells the watchers that it is over. */
  close(): Promise<void>;
}

/** Together on one runner. */
const watchersMax = 200;
const lingerMs = 1_000;
const refusals = {
  401: 'Unauthorized',
  404: 'Not Found',
  503: 'Service Unavailable',
} as const;

/**
 * Serves `GET /live/v1/<checkout>` as a WebSocket: pictures of the run to whoever signs as a peer,
 * and their input back while it is permitted. Nothing is taken of a page that nobody watches.
 * @throws Error when the port cannot be opened
 */
export async function startLiveServer(options: LiveServerOptions): Promise<LiveServer> {
  const shown = new Map<string, ShownPage>();
  const guard = createRequestGuard(options);
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: liveRequestBytesMax,
    perMessageDeflate: false,
    clientTracking: true,
  });
  const server = createServer(
    (_, response) =>
      void response.writeHead(426, { connection: 'close' }).end('This port is for WebSockets.'),
  );
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy());
    const page = findPage(shown, request);
    const verdict = guard(request);
    if (!verdict.ok) {
      options.log.warn({ why: verdict.why }, 'a request for a live picture was refused');
      return refuse(socket, 401);
    }
    if (!page) return refuse(socket, 404);
    if (sockets.clients.size >= watchersMax || page.isFull()) return refuse(socket, 503);
    sockets.handleUpgrade(request, socket, head, (watcher) => page.add(watcher));
  });
  const port = await listen(server, options);
  return {
    port,
    async show(checkoutId, page, tellSecret) {
      const view = await openFollowingView(page, tellSecret);
      const run = createShownPage(view, page.viewportSize() ?? { width: 1, height: 1 });
      await shown.get(checkoutId)?.close();
      shown.set(checkoutId, run);
      return {
        screen: { mask: (isOn) => view.mask(isOn), wasTyped: () => run.wasTyped() },
        permitInput: (isPermitted) => run.permitInput(isPermitted),
        async close() {
          if (shown.get(checkoutId) === run) shown.delete(checkoutId);
          await run.close();
        },
      };
    },
    async stop() {
      const pages = [...shown.values()];
      shown.clear();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      await Promise.all(pages.map((page) => page.close()));
      for (const client of sockets.clients) client.terminate();
      server.closeAllConnections();
      await closed;
    },
  };
}

function findPage(
  shown: ReadonlyMap<string, ShownPage>,
  request: IncomingMessage,
): ShownPage | undefined {
  const checkoutId = (request.url ?? '').split('/').at(-1) ?? '';
  return request.url === livePath(checkoutId) ? shown.get(checkoutId) : undefined;
}

/** Node waits for the other end to hang up as well, for ever: it has a moment for it. */
function refuse(socket: Duplex, status: keyof typeof refusals): void {
  const timer = setTimeout(() => socket.destroy(), lingerMs);
  socket.once('close', () => clearTimeout(timer));
  socket.end(
    `HTTP/1.1 ${status} ${refusals[status]}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`,
  );
}

async function listen(server: Server, { host, port }: LiveServerOptions): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, () => {
      server.off('error', reject);
      resolve();
    });
  });
  return (server.address() as AddressInfo).port;
}
