import { randomBytes, timingSafeEqual } from 'node:crypto';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import net, { type AddressInfo, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { Secret } from '../../lib/sealing/secret.ts';
import { forwardRequest } from './forward.ts';
import type { EgressTarget, OriginPattern } from './origins.ts';
import {
  decideEgress,
  type EgressRefusal,
  type EgressRules,
  type ResolveName,
  readAbsoluteTarget,
  readTunnelTarget,
  resolveWithSystem,
} from './rules.ts';

export interface EgressProxyOptions {
  readonly blocked?: readonly OriginPattern[];
  readonly allowed?: readonly OriginPattern[];
  readonly allowedPrivate?: readonly OriginPattern[];
  readonly limits?: Partial<EgressLimits>;
  /** Called for every decision; the last ones are also kept. */
  readonly onDecision?: (decision: EgressDecision) => void;
  /** For tests: other name servers, and another way to a checked address. */
  readonly resolve?: ResolveName;
  readonly connect?: (address: string, port: number) => Socket;
}

export interface EgressLimits {
  readonly connectionsMax: number;
  /** Of the run, both directions together. */
  readonly bytesMax: number;
  readonly connectTimeoutMs: number;
  readonly idleTimeoutMs: number;
  /** Of one connection. */
  readonly totalTimeoutMs: number;
}

/** What was decided, and nothing of what was asked: no path, no query, no header. */
export interface EgressDecision {
  readonly host: string;
  readonly port: number;
  readonly allowed: boolean;
  readonly reason: EgressRefusal | 'allowed' | 'not-reached';
}

/** The only way out of one run's browser. */
export interface EgressProxy {
  /** `http://127.0.0.1:<port>` */
  readonly server: string;
  readonly username: string;
  readonly password: Secret;
  /** The last thousand. */
  decisions(): readonly EgressDecision[];
  bytesUsed(): number;
  /**
   * Ends the tunnels to a host, so that the next request opens a connection of its own. A browser
   * repeats a request by itself, a POST too, when a connection that it used before breaks under it;
   * on a fresh one it does not.
   */
  closeTunnels(host: string): void;
  /**
   * Serves what connects to another listener too, e.g. one in the network namespace of a browser,
   * and closes it in the end.
   */
  adopt(listener: net.Server): void;
  close(): Promise<void>;
}

const defaultLimits: EgressLimits = {
  connectionsMax: 128,
  bytesMax: 512 * 1024 * 1024,
  connectTimeoutMs: 10_000,
  idleTimeoutMs: 120_000,
  totalTimeoutMs: 30 * 60_000,
};
const decisionsMax = 1_000;
const headerBytesMax = 64 * 1024;

/** Opens the proxy of one run on loopback, with a credential of its own. Close it with the run. */
export async function openEgressProxy(options: EgressProxyOptions = {}): Promise<EgressProxy> {
  const proxy = new RunningProxy(options);
  await new Promise<void>((resolve, reject) => {
    proxy.server.once('error', reject);
    proxy.server.listen(0, '127.0.0.1', resolve);
  });
  return {
    server: `http://127.0.0.1:${(proxy.server.address() as AddressInfo).port}`,
    username: proxy.username,
    password: new Secret(proxy.password),
    decisions: () => [...proxy.log],
    bytesUsed: () => proxy.bytes,
    closeTunnels: (host) => proxy.closeTunnels(host),
    adopt: (listener) => proxy.adopt(listener),
    close: () => proxy.close(),
  };
}

class RunningProxy {
  readonly username = 'run';
  readonly password = randomBytes(24).toString('base64url');
  readonly server = http.createServer(
    { maxHeaderSize: headerBytesMax },
    (request, response) => void this.#forward(request, response),
  );
  readonly log: EgressDecision[] = [];
  bytes = 0;
  readonly #sockets = new Set<Socket>();
  readonly #clients = new Set<Socket>();
  readonly #adopted: net.Server[] = [];
  readonly #tunnels = new Map<Socket, string>();
  readonly #expected = Buffer.from(
    `Basic ${Buffer.from(`${this.username}:${this.password}`).toString('base64')}`,
  );
  readonly #limits: EgressLimits;
  readonly #rules: EgressRules;
  readonly #options: EgressProxyOptions;
  #isClosed = false;

  constructor(options: EgressProxyOptions) {
    this.#options = options;
    this.#limits = { ...defaultLimits, ...options.limits };
    this.#rules = {
      blocked: options.blocked ?? [],
      ...(options.allowed ? { allowed: options.allowed } : {}),
      allowedPrivate: options.allowedPrivate ?? [],
      resolve: options.resolve ?? resolveWithSystem,
      resolveTimeoutMs: this.#limits.connectTimeoutMs,
    };
    this.server.on('connection', (socket: Socket) => this.#admit(socket));
    this.server.on('connect', (request, socket, head) => void this.#tunnel(request, socket, head));
    // A browser asks for WebSockets with CONNECT. Whoever upgrades in absolute form wants around
    // the rules of tunnels.
    this.server.on('upgrade', (_, socket) => refuseSocket(socket, 403));
    this.server.on('clientError', (_, socket) => socket.destroy());
  }

  adopt(listener: net.Server): void {
    this.#adopted.push(listener);
    listener.on('connection', (socket) => this.server.emit('connection', socket));
    if (this.#isClosed) listener.close();
  }

  closeTunnels(host: string): void {
    for (const [socket, name] of this.#tunnels) if (name === host) socket.destroy();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const socket of this.#sockets) socket.destroy();
    for (const listener of this.#adopted) listener.close();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }

  #admit(socket: Socket): void {
    if (this.#isClosed || this.#clients.size >= this.#limits.connectionsMax) {
      this.#note({ host: '', port: 0 }, 'connections-used-up');
      return void socket.destroy();
    }
    this.#watch(socket, 'client');
  }

  /** Bytes are counted on the side of the world only, so that nothing counts twice. */
  #watch(socket: Socket, side: 'client' | 'world'): void {
    this.#sockets.add(socket);
    if (side === 'client') this.#clients.add(socket);
    const total = setTimeout(() => socket.destroy(), this.#limits.totalTimeoutMs);
    socket.setTimeout(this.#limits.idleTimeoutMs, () => socket.destroy());
    socket.on('error', () => socket.destroy());
    socket.once('close', () => {
      clearTimeout(total);
      this.#sockets.delete(socket);
      this.#clients.delete(socket);
      this.#tunnels.delete(socket);
    });
    if (side === 'client') return;
    let written = 0;
    socket.on('data', (chunk: Buffer) => {
      this.#spend(chunk.length + socket.bytesWritten - written);
      written = socket.bytesWritten;
    });
    socket.once('close', () => this.#spend(socket.bytesWritten - written));
  }

  #spend(byteCount: number): void {
    this.bytes += byteCount;
    if (this.bytes > this.#limits.bytesMax) for (const socket of this.#sockets) socket.destroy();
  }

  #isOurs(request: IncomingMessage): boolean {
    const given = Buffer.from(request.headers['proxy-authorization'] ?? '');
    return given.length === this.#expected.length && timingSafeEqual(given, this.#expected);
  }

  async #forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    request.on('error', () => response.destroy());
    if (!this.#isOurs(request))
      return void response
        .writeHead(407, { 'proxy-authenticate': 'Basic realm="run"', 'content-length': '0' })
        .end();
    const read = readAbsoluteTarget(request.url ?? '');
    const socket =
      typeof read === 'string'
        ? this.#note({ host: '', port: 0 }, read)
        : await this.#reach(read.target);
    if (typeof read === 'string' || !socket) {
      const status = socket === null ? 502 : 403;
      return void response
        .writeHead(status, { 'content-type': 'text/plain', connection: 'close' })
        .end('This address is not reachable from here.\n');
    }
    forwardRequest({ request, response, url: read.url, socket });
  }

  async #tunnel(request: IncomingMessage, client: Duplex, head: Buffer): Promise<void> {
    client.on('error', () => client.destroy());
    if (!this.#isOurs(request)) return refuseSocket(client, 407);
    const target = readTunnelTarget(request.url ?? '');
    const socket =
      typeof target === 'string'
        ? this.#note({ host: '', port: 0 }, target)
        : await this.#reach(target);
    if (typeof target === 'string' || !socket)
      return refuseSocket(client, socket === null ? 502 : 403);
    if (client.destroyed) return void socket.destroy();
    this.#tunnels.set(socket, target.host);
    client.write('HTTP/1.1 200 Connection established\r\n\r\n');
    if (head.length > 0) socket.write(head);
    socket.pipe(client).pipe(socket);
    socket.once('close', () => client.destroy());
    client.once('close', () => socket.destroy());
  }

  /** A connection to what was checked; undefined when refused, null when nothing answers there. */
  async #reach(target: EgressTarget): Promise<Socket | undefined | null> {
    if (this.bytes > this.#limits.bytesMax) return this.#note(target, 'bytes-used-up');
    const verdict = await decideEgress(target, this.#rules);
    if (!verdict.allowed) return this.#note(target, verdict.reason);
    for (const address of verdict.addresses) {
      if (this.#isClosed) return this.#note(target, 'closed');
      const socket = await this.#connect(address, target.port);
      if (!socket) continue;
      this.#note(target, 'allowed');
      return socket;
    }
    this.#note(target, 'not-reached');
    return null;
  }

  #connect(address: string, port: number): Promise<Socket | undefined> {
    const socket = (this.#options.connect ?? ((host, at) => net.connect({ host, port: at })))(
      address,
      port,
    );
    this.#watch(socket, 'world');
    return new Promise((resolve) => {
      const timer = setTimeout(() => socket.destroy(), this.#limits.connectTimeoutMs);
      const done = (result: Socket | undefined) => {
        clearTimeout(timer);
        resolve(result);
      };
      socket.once('connect', () => done(socket));
      socket.once('close', () => done(undefined));
    });
  }

  #note(
    { host, port }: { host: string; port: number },
    reason: EgressDecision['reason'],
  ): undefined {
    const decision = {
      host,
      port,
      allowed: reason === 'allowed' || reason === 'not-reached',
      reason,
    };
    this.log.push(decision);
    if (this.log.length > decisionsMax) this.log.shift();
    this.#options.onDecision?.(decision);
  }
}

/** One answer for every refusal: whether a name exists inside is nobody's business. */
function refuseSocket(socket: Duplex, status: 403 | 407 | 502): void {
  const authenticate = status === 407 ? 'Proxy-Authenticate: Basic realm="run"\r\n' : '';
  socket.end(
    `HTTP/1.1 ${status} ${http.STATUS_CODES[status]}\r\n${authenticate}Content-Length: 0\r\nConnection: close\r\n\r\n`,
  );
}
