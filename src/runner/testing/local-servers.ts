import http, { type RequestListener } from 'node:http';
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

export async function startLocalServer(answer: RequestListener = (_, response) => void response.end('ok')): Promise<LocalServer> {
  const requests: string[] = [];
  const server = http.createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    local.answer(request, response);
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
      server.closeAllConnections();
    });
  const local: LocalServer = { port, origin: `http://127.0.0.1:${port}`, requests, answer, close };
  return local;
}

/** Machines of an internet of the test's own: which name has which addresses, and which local port stands behind an address. */
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
      // Without a machine the connection breaks at once; with none of the map's it must be a real local one.
      if (local === undefined && address !== '127.0.0.1') return new net.Socket().destroy();
      return net.connect({ host: '127.0.0.1', port: local ?? port });
    },
  };
  return internet;
}
