import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createPurser } from './client.ts';
import {
  BadRequestError,
  ConflictError,
  ConnectionError,
  NotFoundError,
  RateLimitedError,
  ServiceUnavailableError,
} from './errors.ts';

interface Seen {
  readonly method: string;
  readonly url: string;
  readonly idempotencyKey: string | undefined;
  readonly body: string;
}
type Answer =
  | 'hang up'
  | {
      readonly status: number;
      readonly body?: unknown;
      readonly raw?: string;
      readonly headers?: Record<string, string>;
    };

const ending: (() => void)[] = [];
afterEach(() => {
  for (const end of ending.splice(0)) end();
});

/** A server that gives these answers in turn, the last one for ever. */
async function aServer(answers: readonly Answer[]) {
  const seen: Seen[] = [];
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const answer = answers[Math.min(seen.length, answers.length - 1)]!;
      const idempotencyKey = request.headers['x-idempotency-key'] as string | undefined;
      seen.push({ method: request.method!, url: request.url!, idempotencyKey, body });
      if (answer === 'hang up') return response.destroy();
      response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
      response.end(answer.raw ?? JSON.stringify(answer.body ?? {}));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ending.push(() => {
    server.close();
    server.closeAllConnections();
  });
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`;
  return { seen, purser: createPurser({ baseUrl, apiKey: 'sk_development_x' }), baseUrl };
}

const aBody = { chainType: 'evm', config: { adminSigner: { type: 'api-key' } } } as const;
const aWallet = {
  chainType: 'evm',
  type: 'smart',
  address: '0x1',
  config: {},
  createdAt: '2026-01-01T00:00:00.000Z',
};

describe('a call', () => {
  it('whose answer is lost is repeated with the same idempotency key and body', async () => {
    const { purser, seen } = await aServer([
      'hang up',
      { status: 503 },
      { status: 201, body: aWallet },
    ]);
    expect((await purser.createWallet(aBody)).address).toBe('0x1');
    expect(seen).toHaveLength(3);
    expect(new Set(seen.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
    expect(seen[0]!.idempotencyKey).toMatch(/^[0-9a-f-]{36}$/);
    expect(new Set(seen.map(({ body }) => body)).size).toBe(1);
  });

  it('of another object has another key, and the caller can give one', async () => {
    const { purser, seen } = await aServer([{ status: 201, body: aWallet }]);
    await purser.createWallet(aBody);
    await purser.createWallet(aBody);
    await purser.createWallet(aBody, { idempotencyKey: 'mine' });
    expect(new Set(seen.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(3);
    expect(seen[2]!.idempotencyKey).toBe('mine');
  });

  it('is repeated while the first one with its key still runs', async () => {
    const running = {
      status: 409,
      body: { error: true, message: 'still running', code: 'idempotency-key-in-progress' },
    };
    const { purser, seen } = await aServer([running, { status: 201, body: aWallet }]);
    await purser.createWallet(aBody);
    expect(seen).toHaveLength(2);
  });

  it('takes its key to no other address that a redirect names', async () => {
    const other = await aServer([{ status: 200, body: aWallet }]);
    const { baseUrl } = await aServer([
      { status: 307, headers: { location: `${other.baseUrl}/elsewhere` } },
    ]);
    const purser = createPurser({ baseUrl, apiKey: 'sk_development_x', attemptsMax: 1 });
    await expect(purser.getWallet('0x1')).rejects.toThrow('a redirect, which is not followed');
    expect(other.seen).toEqual([]);
  });

  it('that is too much waits as long as Retry-After says, and gives up after four tries', async () => {
    const { purser, seen } = await aServer([
      { status: 429, body: { error: true, message: 'slow down' }, headers: { 'retry-after': '0' } },
    ]);
    await expect(purser.getWallet('0x1')).rejects.toThrow(RateLimitedError);
    expect(seen).toHaveLength(4);
  });

  it('understands Retry-After as a date', async () => {
    const now = { 'retry-after': new Date(0).toUTCString() };
    const { purser, seen } = await aServer([
      { status: 503, headers: now },
      { status: 200, body: aWallet },
    ]);
    expect((await purser.getWallet('0x1')).address).toBe('0x1');
    const { purser: patient, seen: tries } = await aServer([
      { status: 503, headers: { 'retry-after': 'Fri, 31 Dec 9999 23:59:59 GMT' } },
    ]);
    const controller = new AbortController();
    const call = patient.getWallet('0x1', { signal: controller.signal });
    while (tries.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    controller.abort(new Error('enough'));
    await expect(call).rejects.toThrow('enough');
    expect([seen.length, tries.length]).toEqual([2, 1]);
  });

  it.each([
    ['a page of HTML', '<html>Welcome</html>'],
    ['nothing', ''],
  ])('that %s answers with 200 says that this is not the service', async (_name, raw) => {
    const { purser, baseUrl } = await aServer([{ status: 200, raw }]);
    await expect(purser.getWallet('0x1')).rejects.toMatchObject({
      name: 'PurserError',
      message: `What answered at ${baseUrl} is not the service: check \`baseUrl\`, and what stands between.`,
    });
    await expect(purser.createWallet(aBody, { idempotencyKey: 'mine' })).rejects.toMatchObject({
      idempotencyKey: 'mine',
    });
  });

  it.each(['', '.', '..', undefined])('of nothing (%j) goes nowhere else', async (locator) => {
    const { purser, seen } = await aServer([{ status: 200, body: aWallet }]);
    await expect((async () => purser.getWallet(locator as string))()).rejects.toThrow(
      '`walletLocator` is missing',
    );
    expect(seen).toEqual([]);
  });

  it('for a list whose cursor leads back to itself ends, and says so', async () => {
    const { purser } = await aServer([
      { status: 200, body: { data: [{ orderId: 'o' }], nextCursor: 'again' } },
    ]);
    const read = async () => {
      for await (const one of purser.listOrders()) if (!one) break;
    };
    await expect(read()).rejects.toThrow('the same page twice');
  });

  it.each([
    [400, BadRequestError],
    [404, NotFoundError],
    [409, ConflictError],
  ])(
    'refused with %i is not repeated: the error has the code, message and request id',
    async (status, kind) => {
      const body = { error: true, message: 'because', code: 'wallet-not-found' };
      const { purser, seen } = await aServer([
        { status, body, headers: { 'x-request-id': 'r-1' } },
      ]);
      const error = await purser.getWallet('0x1').catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(kind);
      expect(error).toMatchObject({
        status,
        code: 'wallet-not-found',
        message: 'because',
        requestId: 'r-1',
        body,
      });
      expect(seen).toHaveLength(1);
    },
  );

  it('that never gets an answer ends as ServiceUnavailableError or ConnectionError, with the key to repeat it by', async () => {
    const { purser, seen } = await aServer([{ status: 502 }]);
    const error = await purser.createWallet(aBody).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ServiceUnavailableError);
    expect(error).toMatchObject({ nextStep: 'repeat', idempotencyKey: seen[0]!.idempotencyKey });
    const { baseUrl } = await aServer(['hang up']);
    const impatient = createPurser({ baseUrl, apiKey: 'sk', attemptsMax: 1 });
    await expect(impatient.getWallet('0x1')).rejects.toThrow(ConnectionError);
  });

  it('needs an address and a key: what is missing is said before the first call', async () => {
    const { baseUrl } = await aServer([]);
    for (const wrong of [undefined, '', '/api', 'purser.example/api', 'ftp://purser.example/api'])
      expect(() => createPurser({ baseUrl: wrong as string, apiKey: 'sk' })).toThrow(
        'like https://purser.example/api',
      );
    for (const apiKey of [undefined, ''])
      expect(() => createPurser({ baseUrl, apiKey: apiKey as string })).toThrow(
        '`apiKey` is missing',
      );
    expect(() => createPurser({ baseUrl, vaultUrl: 'vault', apiKey: 'sk' })).toThrow(
      'like https://purser.example/api',
    );
  });

  it('ends at once with the reason of an aborted signal, also while it waits', async () => {
    const { purser, seen } = await aServer([{ status: 503, headers: { 'retry-after': '60' } }]);
    const controller = new AbortController();
    const call = purser.getWallet('0x1', { signal: controller.signal });
    while (seen.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    controller.abort(new Error('enough'));
    await expect(call).rejects.toThrow('enough');
    expect(seen).toHaveLength(1);
  });
});

describe('a wait', () => {
  const open = { status: 200, body: { id: 't', status: 'pending' } };

  it('ends with the object when it succeeded, and with OperationFailedError when it failed', async () => {
    const { purser } = await aServer([open, { status: 200, body: { id: 't', status: 'success' } }]);
    expect((await purser.waitForTransaction('0x1', 't')).status).toBe('success');
    const failed = {
      id: 't',
      status: 'failed',
      error: { reason: 'execution_reverted', message: 'no money' },
    };
    const { purser: other } = await aServer([{ status: 200, body: failed }]);
    await expect(other.waitForTransaction('0x1', 't')).rejects.toMatchObject({
      name: 'OperationFailedError',
      message: 'execution_reverted: no money',
      body: failed,
    });
  });

  it('that takes too long is a WaitTimeoutError with the object as last seen', async () => {
    const { purser } = await aServer([open]);
    await expect(purser.waitForTransaction('0x1', 't', { timeoutMs: 1 })).rejects.toMatchObject({
      name: 'WaitTimeoutError',
      body: open.body,
    });
  });
});

describe('an error', () => {
  it.each([
    [401, undefined, 'check-key'],
    [401, 'not-authorized.jwt-expired', 'sign-in'],
    [403, 'kyc-required', 'verify-user'],
    [403, undefined, 'ask-operator'],
    [409, 'quote-expired', 'start-anew'],
    [409, 'conflict', 'read-again'],
    [422, 'idempotency-key-reused', 'change-request'],
  ])('%i %s says to %s', async (status, code, nextStep) => {
    const { purser } = await aServer([{ status, body: { error: true, message: 'because', code } }]);
    await expect(purser.getWallet('0x1')).rejects.toMatchObject({ status, nextStep });
  });
});
