import http from 'node:http';

/** What the proxy does with one HTTP request that holds these calls. */
export type Fault = 'pass' | 'lose-answer' | 'lose-request' | 'hang' | 'http-500' | 'rpc-error';

export interface ProxiedCall {
  readonly id: number;
  readonly method: string;
  readonly params?: readonly unknown[];
}

export interface FaultProxy {
  readonly url: string;
  /** Address of the node behind it. */
  target: string;
  /** Decides for each request; `methods` are those of its calls, `body` is its text. */
  rule: (methods: readonly string[], body: string) => Fault;
  /** What is answered in place of a call's result; the node's own by default. */
  lie: (call: ProxiedCall, result: unknown) => unknown;
  close(): Promise<void>;
}

interface Answer {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: unknown;
}

/** Stands between relay and node and misbehaves as told: a node as the internet offers it. */
export async function startFaultProxy(target: string): Promise<FaultProxy> {
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on(
      'end',
      () => void serve(Buffer.concat(chunks).toString(), response).catch(() => response.destroy()),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const proxy: FaultProxy = {
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    target,
    rule: () => 'pass',
    lie: (_call, result) => result,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };

  async function serve(body: string, response: http.ServerResponse): Promise<void> {
    const calls = [JSON.parse(body) as ProxiedCall | ProxiedCall[]].flat();
    const fault = proxy.rule(
      calls.map((call) => call.method),
      body,
    );
    if (fault === 'hang') return;
    if (fault === 'lose-request') return void response.destroy();
    if (fault === 'http-500') return void response.writeHead(500).end('<html>Bad gateway</html>');
    if (fault === 'rpc-error') {
      const errors = calls.map((call) => ({
        jsonrpc: '2.0',
        id: call.id,
        error: { code: -32603, message: 'Internal error' },
      }));
      return void response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify(body.startsWith('[') ? errors : errors[0]));
    }
    const answer = await fetch(proxy.target, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
    });
    const text = await answer.text();
    if (fault === 'lose-answer') return void response.destroy();
    response
      .writeHead(answer.status, { 'content-type': 'application/json' })
      .end(tell(calls, text));
  }

  function tell(calls: readonly ProxiedCall[], text: string): string {
    const parsed = JSON.parse(text) as Answer | Answer[];
    const told = [parsed].flat().map((answer) => {
      const call = calls.find(({ id }) => id === answer.id);
      return call === undefined || answer.error !== undefined
        ? answer
        : { ...answer, result: proxy.lie(call, answer.result) };
    });
    return JSON.stringify(Array.isArray(parsed) ? told : told[0]);
  }

  return proxy;
}
