import http, { type RequestListener } from 'node:http';
import http2 from 'node:http2';
import https from 'node:https';
import net, { type AddressInfo, type Socket } from 'node:net';

/** A server on loopback that writes down what reached it. */
export interface LocalServer {
  readonly port: number;
  readonly origin: string;
  /** `POST /order` and the like, in the order of arrival. */
  readonly requests: string[];
  answer: RequestListener;
  close(): Promise<void>;
}

/** How a server speaks TLS. */
export interface LocalTls {
  readonly key: string;
  readonly cert: string;
  readonly protocol: 'h2' | 'http/1.1';
}

export async function startLocalServer(
  answer: RequestListener = (_, response) => void response.end('ok'),
  tls?: LocalTls,
): Promise<LocalServer> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    local.answer(request, response);
  }, tls);
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('upgrade', (request, socket) => {
    requests.push(`UPGRADE ${request.url}`);
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
  const local: LocalServer = {
    port,
    origin: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    requests,
    answer,
    close,
  };
  return local;
}

function createServer(listener: RequestListener, tls: LocalTls | undefined): net.Server {
  if (tls === undefined) return http.createServer(listener);
  const { key, cert } = tls;
  if (tls.protocol === 'http/1.1') return https.createServer({ key, cert }, listener);
  // What these tests use of requests and answers is the same in HTTP/2.
  return http2.createSecureServer(
    { key, cert },
    listener as unknown as Parameters<typeof http2.createSecureServer>[1],
  );
}

/**
 * Machines of an internet of the test's own: which name has which addresses, and which local port
 * stands behind an address.
 */
export interface TestInternet {
  readonly names: Map<string, (() => readonly string[]) | readonly string[]>;
  /** `93.184.216.34:80` → local port. */
  readonly machines: Map<string, number>;
  readonly lookups: string[];
  /** `address:port` of every connection that was tried. */
  readonly connections: string[];
  resolve(hostname: string): Promise<readonly string[]>;
  connect(address: string, port: number): Socket;
}

export function createTestInternet(): TestInternet {
  const internet: TestInternet = {
    names: new Map(),
    machines: new Map(),
    lookups: [],
    connections: [],
    async resolve(hostname) {
      internet.lookups.push(hostname);
      const answer = internet.names.get(hostname);
      if (!answer) throw new Error('no such name');
      return typeof answer === 'function' ? answer() : answer;
    },
    connect(address, port) {
      internet.connections.push(`${address}:${port}`);
      const local = internet.machines.get(`${address}:${port}`);
      // Without a machine the connection breaks at once; with none of the map's it must be a real
      // local one.
      if (local === undefined && address !== '127.0.0.1') return new net.Socket().destroy();
      return net.connect({ host: '127.0.0.1', port: local ?? port });
    },
  };
  return internet;
}
