import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** Stands before the worker's gateway: it can be away, and lose answers. */
export interface WorkerGate {
  readonly origin: string;
  isAway: boolean;
  /** Answers to these are lost from now on, once each: the worker has done what was asked. */
  loseAnswerOf(operation: string): void;
  /** Operations that came through, in their order. */
  readonly passed: string[];
  close(): Promise<void>;
}

export async function startWorkerGate(doorOrigin: string): Promise<WorkerGate> {
  const losing = new Set<string>();
  const passed: string[] = [];
  const server = http.createServer((request, response) => void pass(request, response));
  async function pass(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    if (gate.isAway) return void request.socket.destroy();
    const operation = request.url?.split('/').at(-1) ?? '';
    passed.push(operation);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const headers = Object.fromEntries(
      Object.entries(request.headers).filter(
        ([name]) => name.startsWith('purser-') || name === 'content-type',
      ),
    );
    // Who asks and goes away is gone for the worker too: a run that it hands out waits for nobody.
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const answer = await fetch(`${doorOrigin}${request.url}`, {
      method: 'POST',
      headers: headers as Record<string, string>,
      body: Buffer.concat(chunks),
      signal: gone.signal,
    }).catch(() => undefined);
    if (!answer || gate.isAway || losing.delete(operation)) return void request.socket.destroy();
    const body = await answer.arrayBuffer().catch(() => undefined);
    if (!body) return void request.socket.destroy();
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(Buffer.from(body));
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const gate: WorkerGate = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    isAway: false,
    loseAnswerOf: (operation) => void losing.add(operation),
    passed,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return gate;
}
