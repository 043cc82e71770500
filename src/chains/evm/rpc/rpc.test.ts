import http from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { createRpc, type RpcClient, RpcError, RpcTransportError, revertDataOf } from './rpc.ts';

type Handler = (body: string, response: http.ServerResponse, count: number) => void;

const ending: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ending.splice(0)) await end();
});

/** A client of a node that behaves as told; `requests` are the bodies it got. */
async function aNode(
  handler: Handler,
  options: { timeoutMs?: number; batchSizeMax?: number; path?: string; userInfo?: string } = {},
): Promise<{ rpc: RpcClient; requests: string[] }> {
  const requests: string[] = [];
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      requests.push(body);
      handler(body, response, requests.length);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const rpc = createRpc({
    url: `http://${options.userInfo ?? ''}127.0.0.1:${port}${options.path ?? ''}`,
    timeoutMs: options.timeoutMs ?? 2_000,
    batchSizeMax: options.batchSizeMax,
  });
  ending.push(async () => {
    rpc.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { rpc, requests };
}

interface Call {
  id: number;
  method: string;
  params: unknown[];
}

const answer = (response: http.ServerResponse, value: unknown, status = 200) =>
  void response
    .writeHead(status, { 'content-type': 'application/json' })
    .end(JSON.stringify(value));
const echo: Handler = (body, response) => {
  const parsed = JSON.parse(body) as Call | Call[];
  // Out of order, as the specification allows.
  answer(
    response,
    Array.isArray(parsed)
      ? parsed.map((call) => ({ jsonrpc: '2.0', id: call.id, result: call.params[0] })).toReversed()
      : { jsonrpc: '2.0', id: parsed.id, result: parsed.params[0] },
  );
};

async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error,
  );
}

describe('JSON-RPC client', () => {
  it('answers results, null included, and batches in the order asked', async () => {
    const { rpc, requests } = await aNode(echo, { batchSizeMax: 3 });
    expect(await rpc.request('eth_call', ['0x1'])).toBe('0x1');
    expect(await rpc.request('eth_getTransactionReceipt', [null])).toBeNull();
    const results = await rpc.batch(
      Array.from({ length: 8 }, (_, index) => ({ method: 'eth_call', params: [index] })),
    );
    expect(results).toEqual(Array.from({ length: 8 }, (_, value) => ({ ok: true, value })));
    expect(requests.length).toBe(2 + 3);
  });

  it('tells an error of the node with code and data, whatever the HTTP status', async () => {
    for (const status of [200, 400, 500]) {
      const { rpc } = await aNode((_body, response) =>
        answer(
          response,
          {
            jsonrpc: '2.0',
            id: 1,
            error: { code: 3, message: 'execution reverted', data: '0x08c379a0' },
          },
          status,
        ),
      );
      const error = await failureOf(rpc.request('eth_call', []));
      expect(error).toBeInstanceOf(RpcError);
      expect(error).toMatchObject({ code: 3, message: 'execution reverted', method: 'eth_call' });
      expect(revertDataOf(error as RpcError)).toBe('0x08c379a0');
    }
  });

  it('takes of what a node says why only as much as can be stored and logged', async () => {
    const { rpc } = await aNode((_body, response) =>
      answer(response, {
        jsonrpc: '2.0',
        id: 1,
        error: { code: -32000, message: `no\0 luck \ud83d${'x'.repeat(100_000)}` },
      }),
    );
    const { message } = (await failureOf(rpc.request('eth_call', []))) as RpcError;
    expect(message).toMatch(/^no luck \ufffdx{1,1990}$/);
  });

  it('uses a name and password that are no percent-encoding as they stand', async () => {
    const { rpc } = await aNode(echo, { userInfo: 'me:50%off@' });
    expect(await rpc.request('eth_call', ['yes'])).toBe('yes');
  });

  it('finds revert data wherever nodes put it', () => {
    const at = (data: unknown) => revertDataOf(new RpcError('eth_call', 3, 'reverted', data));
    expect(at('0xAB')).toBe('0xab');
    expect(at('Reverted 0xab12')).toBe('0xab12');
    expect(at({ data: '0xab' })).toBe('0xab');
    expect(at({ originalError: { data: '0xab' } })).toBe('0xab');
    expect(at(undefined)).toBeUndefined();
    expect(at({ message: 'no' })).toBeUndefined();
  });

  it('gives errors of single calls of a batch as results', async () => {
    const { rpc } = await aNode((body, response) =>
      answer(
        response,
        (JSON.parse(body) as Call[]).map((call) =>
          call.id === 1
            ? { id: 1, error: { code: -32000, message: 'no' } }
            : { id: call.id, result: 'yes' },
        ),
      ),
    );
    const results = await rpc.batch([
      { method: 'eth_call', params: [] },
      { method: 'eth_call', params: [] },
    ]);
    expect(results[0]).toEqual({ ok: true, value: 'yes' });
    expect(results[1]).toMatchObject({ ok: false, error: { code: -32000 } });
  });

  it('asks one by one where batches are not taken, and remembers it', async () => {
    const { rpc, requests } = await aNode((body, response, count) =>
      body.startsWith('[')
        ? answer(response, { id: null, error: { code: -32600, message: 'invalid request' } })
        : echo(body, response, count),
    );
    const calls = [
      { method: 'eth_call', params: [1] },
      { method: 'eth_call', params: [2] },
    ];
    expect(await rpc.batch(calls)).toEqual([
      { ok: true, value: 1 },
      { ok: true, value: 2 },
    ]);
    expect(await rpc.batch(calls)).toEqual([
      { ok: true, value: 1 },
      { ok: true, value: 2 },
    ]);
    expect(requests.filter((body) => body.startsWith('[')).length).toBe(1);
  });

  it('a batch refused for a rate limit is an error of the node, not the end of batches', async () => {
    const { rpc } = await aNode((body, response, count) =>
      count === 1
        ? answer(response, { id: null, error: { code: -32005, message: 'limit exceeded' } })
        : echo(body, response, count),
    );
    const calls = [
      { method: 'eth_call', params: [1] },
      { method: 'eth_call', params: [2] },
    ];
    expect(await failureOf(rpc.batch(calls))).toMatchObject({ name: 'RpcError', code: -32005 });
    expect(await rpc.batch(calls)).toEqual([
      { ok: true, value: 1 },
      { ok: true, value: 2 },
    ]);
  });

  it('repeats a read after a lost connection or a busy node, a write never', async () => {
    const faults: Handler[] = [
      (_body, response) => void response.destroy(),
      (_body, response) => answer(response, { message: 'slow down' }, 429),
      (_body, response) => void response.writeHead(503).end('busy'),
    ];
    for (const fault of faults) {
      const flaky: Handler = (body, response, count) =>
        count === 1 ? fault(body, response, count) : echo(body, response, count);
      const read = await aNode(flaky);
      expect(await read.rpc.request('eth_call', ['0x1'])).toBe('0x1');
      const write = await aNode(flaky);
      expect(await failureOf(write.rpc.request('eth_sendRawTransaction', ['0x1']))).toBeInstanceOf(
        RpcTransportError,
      );
      expect(write.requests.length).toBe(1);
    }
  });

  it('gives up after three tries, and after its time-out at once', async () => {
    const lost = await aNode((_body, response) => void response.destroy());
    expect(await failureOf(lost.rpc.request('eth_call', []))).toMatchObject({ kind: 'connection' });
    expect(lost.requests.length).toBe(3);
    const silent = await aNode(() => undefined, { timeoutMs: 100 });
    expect(await failureOf(silent.rpc.request('eth_call', []))).toMatchObject({ kind: 'timeout' });
    expect(silent.requests.length).toBe(1);
  });

  it('an answer that cut off, is no JSON-RPC or leaves calls out is unknown, never a result', async () => {
    const bodies = ['{"jsonrpc":"2.0","id":1,', '<html>', '[]', '7', '{}', '{"id":1}'];
    for (const body of bodies) {
      const { rpc } = await aNode((_body, response) => void response.writeHead(200).end(body));
      expect(await failureOf(rpc.request('eth_sendRawTransaction', []))).toMatchObject({
        name: 'RpcTransportError',
        kind: 'malformed',
      });
    }
    const { rpc } = await aNode((_body, response) => answer(response, [{ id: 0, result: 1 }]));
    expect(
      await failureOf(
        rpc.batch([
          { method: 'eth_call', params: [] },
          { method: 'eth_call', params: [] },
        ]),
      ),
    ).toMatchObject({ kind: 'malformed' });
  });

  it('never tells the address, which may hold a key', async () => {
    const { rpc } = await aNode((_body, response) => void response.writeHead(500).end('no'), {
      path: '/v2/secret-key?token=secret-token',
    });
    const error = (await failureOf(rpc.request('eth_call', []))) as RpcTransportError;
    expect(error.message).toMatch(/^The node at 127\.0\.0\.1:\d+ answered HTTP 500\.$/);
    expect(String(error.stack)).not.toMatch(/secret/);
  });
});
