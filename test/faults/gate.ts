import http from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { createTraffic } from './traffic.ts';

/** What a gate does with one request. `hang`: it has its effect, and the answer never comes. */
export type GateFault =
  | 'pass'
  | 'lose-request'
  | 'lose-answer'
  | 'http-500'
  | 'http-500-after'
  | 'wrong-json'
  | 'half-answer'
  | 'hang'
  | 'delay';

export interface Gate {
  readonly url: string;
  /** Decides for each request. */
  rule: (request: { readonly method: string; readonly path: string }) => GateFault;
  /** Changes what is asked on its way. */
  rewrite?: (body: Buffer) => Buffer;
  /** How often each fault was done. */
  readonly counts: Map<GateFault, number>;
  /** Nobody listens for so long. */
  goAway(ms: number): Promise<void>;
  /** What comes while this is done waits for its end; it begins once all that is under way is. */
  pauseWhile<T>(work: () => Promise<T>): Promise<T>;
  /** Nobody listens while this is done. */
  awayWhile<T>(work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

const hangMs = 2_500;
const delayMs = 400;
/** Of the connection, not of the request. */
const ownHeaders = new Set([
  'connection',
  'content-length',
  'transfer-encoding',
  'keep-alive',
  'host',
  'expect',
]);

/**
 * Stands between two parties that speak HTTP, and misbehaves as it is told. `target` may change, as
 * when a program comes back.
 */
export async function startGate(target: string): Promise<Gate> {
  const counts = new Map<GateFault, number>();
  const agent = new http.Agent({ keepAlive: false });
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('error', () => undefined);
    request.on(
      'end',
      () => void serve(request, response, Buffer.concat(chunks)).catch(() => response.destroy()),
    );
  });
  const listen = (port: number) =>
    new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, '127.0.0.1', () => {
        server.off('error', reject);
        resolve();
      });
    });
  await listen(0);
  const { port } = server.address() as { port: number };
  /** One after the other: it can be away once. */
  let turn: Promise<unknown> = Promise.resolve();
  const traffic = createTraffic();
  const gate: Gate = {
    url: `http://127.0.0.1:${port}`,
    rule: () => 'pass',
    counts,
    goAway: (ms) => gate.awayWhile(() => delay(ms)),
    pauseWhile: (work) => traffic.stopFor(work),
    awayWhile(work) {
      const away = turn.then(async () => {
        await stop();
        try {
          return await work();
        } finally {
          await listen(port);
        }
      });
      turn = away.catch(() => undefined);
      return away;
    },
    close: stop,
  };

  async function stop(): Promise<void> {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  }

  async function serve(
    request: http.IncomingMessage,
    response: http.ServerResponse,
    body: Buffer,
  ): Promise<void> {
    const fault = gate.rule({ method: request.method!, path: request.url! });
    counts.set(fault, (counts.get(fault) ?? 0) + 1);
    if (fault === 'lose-request') return void response.destroy();
    if (fault === 'http-500')
      return void response
        .writeHead(500, { 'content-type': 'text/html' })
        .end('<html>Internal error</html>');
    if (fault === 'delay') await delay(delayMs);
    const answer = await traffic.pass(() => forward(request, gate.rewrite?.(body) ?? body));
    if (fault === 'hang') {
      await delay(hangMs);
      return void response.destroy();
    }
    if (fault === 'lose-answer') return void response.destroy();
    if (fault === 'http-500-after')
      return void response
        .writeHead(502, { 'content-type': 'text/html' })
        .end('<html>Bad gateway</html>');
    if (fault === 'wrong-json')
      return void response
        .writeHead(answer.status, { 'content-type': 'application/json' })
        .end('{"object":"nothing","data":[{"id":7}]}');
    response.writeHead(answer.status, answer.headers);
    if (fault !== 'half-answer') return void response.end(answer.body);
    response.write(answer.body.subarray(0, answer.body.length / 2));
    response.destroy();
  }

  function forward(request: http.IncomingMessage, body: Buffer) {
    return new Promise<{ status: number; headers: http.OutgoingHttpHeaders; body: Buffer }>(
      (resolve, reject) => {
        const headers = Object.fromEntries(
          Object.entries(request.headers).filter(([name]) => !ownHeaders.has(name)),
        );
        const ask = http.request(new URL(request.url!, target), {
          agent,
          method: request.method!,
          headers: { ...headers, 'content-length': body.length },
        });
        ask.on('error', reject);
        ask.on('response', (answer) => {
          const chunks: Buffer[] = [];
          answer.on('data', (chunk: Buffer) => chunks.push(chunk));
          answer.on('error', reject);
          answer.on('end', () => {
            const kept = Object.fromEntries(
              Object.entries(answer.headers).filter(([name]) => !ownHeaders.has(name)),
            );
            resolve({ status: answer.statusCode!, headers: kept, body: Buffer.concat(chunks) });
          });
        });
        ask.end(body);
      },
    );
  }

  return gate;
}
