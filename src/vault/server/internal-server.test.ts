import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  seedOf,
  startTestVault,
  type TestVault,
  testVaultClient,
  vaultSeeds,
} from '../../../test/harness/vault.ts';
import { pruneNonces } from '../../http/routes/signed-routes.ts';
import { createManualClock } from '../../lib/clock.ts';
import {
  internalHeaders,
  internalPublicKey,
  internalWindowMs,
  signRequest,
} from '../../lib/net/signed-requests.ts';
import { createMissingVault, createVaultClient } from '../../providers/vault/index.ts';
import { aUsBody } from '../testing/methods-kit.ts';

const clock = createManualClock(new Date('2026-05-04T10:00:00.000Z'));
const lines: string[] = [];
let vault: TestVault;
let id: string;
beforeAll(async () => {
  vault = await startTestVault({
    clock,
    log: pino({ level: 'info' }, { write: (line: string) => void lines.push(line) }),
  });
  id = (await vault.call('POST', '/unstable/payment-methods', { body: aUsBody() })).body
    .paymentMethodId;
});
afterAll(() => vault?.close());

const path = '/internal/v1/payment-methods.get';
const bodyOf = () => Buffer.from(JSON.stringify({ projectId: vault.api.projectId, id }));
const signed = (
  overrides: {
    path?: string;
    body?: Buffer;
    name?: string;
    seed?: typeof vaultSeeds.api;
    at?: Date;
  } = {},
) =>
  signRequest(
    { name: overrides.name ?? 'api', seed: overrides.seed ?? vaultSeeds.api },
    { method: 'POST', path: overrides.path ?? path, body: overrides.body ?? bodyOf() },
    overrides.at ?? clock.now(),
  ).headers;
const send = async (
  headers: Readonly<Record<string, string>>,
  body: Buffer = bodyOf(),
  at = path,
) => {
  const response = await fetch(`${vault.origin}${at}`, {
    method: 'POST',
    headers,
    body: new Uint8Array(body),
  });
  return {
    status: response.status,
    text: await response.text(),
    signature: response.headers.get(internalHeaders.signature),
  };
};

describe('an internal request', () => {
  it('that is signed as it must be is answered, and the answer is signed', async () => {
    const answer = await send(signed());
    expect([answer.status, JSON.parse(answer.text).userLocator, answer.signature]).toEqual([
      200,
      'userId:alice',
      expect.stringMatching(/^[\w-]{86}$/),
    ]);
  });

  it('works once: the same bytes again are refused, at this and at any other process', async () => {
    const headers = signed();
    expect((await send(headers)).status).toBe(200);
    expect((await send(headers)).status).toBe(401);
    const both = signed();
    const twice = await Promise.all(Array.from({ length: 8 }, () => send(both)));
    expect(twice.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  const otherBody = () =>
    Buffer.from(JSON.stringify({ projectId: vault.api.projectId, id: randomUUID() }));
  it.each<[string, () => Promise<{ status: number; text: string; signature: string | null }>]>([
    ['whose body was changed', () => send(signed(), otherBody())],
    ['for another operation', () => send(signed({ path: '/internal/v1/payment-methods.delete' }))],
    [
      'sent to another operation',
      () => send(signed(), bodyOf(), '/internal/v1/payment-methods.list'),
    ],
    ['under another name', () => send({ ...signed(), [internalHeaders.peer]: 'worker' })],
    ['with another nonce', () => send({ ...signed(), [internalHeaders.nonce]: 'A'.repeat(22) })],
    [
      'with another time',
      () => send({ ...signed(), [internalHeaders.time]: String(clock.now().getTime() + 1) }),
    ],
    ['signed by a stranger', () => send(signed({ seed: seedOf('stranger') }))],
    ['by a name that nobody has', () => send(signed({ name: 'root' }))],
    ['without a signature', () => send({ 'content-type': 'application/vnd.purser.internal+json' })],
    [
      'with a signature that is none',
      () => send({ ...signed(), [internalHeaders.signature]: 'x' }),
    ],
    [
      'older than the window',
      () => send(signed({ at: new Date(clock.now().getTime() - internalWindowMs - 1) })),
    ],
    [
      'newer than the window',
      () => send(signed({ at: new Date(clock.now().getTime() + internalWindowMs + 1) })),
    ],
  ])('%s is refused with 401 and no reason, and the answer is not signed', async (_what, run) => {
    const { status, text, signature } = await run();
    expect([status, JSON.parse(text), signature]).toEqual([
      401,
      { error: true, message: 'The request is not signed as it must be.' },
      null,
    ]);
  });

  it('at the edge of the window is taken, and its nonce is kept until no clock would take it again', async () => {
    expect(
      (await send(signed({ at: new Date(clock.now().getTime() - internalWindowMs) }))).status,
    ).toBe(200);
    const ahead = signed({ at: new Date(clock.now().getTime() + internalWindowMs) });
    expect((await send(ahead)).status).toBe(200);
    clock.advance(2 * internalWindowMs);
    await pruneNonces(vault.ctx);
    expect((await send(ahead)).status).toBe(401);
    clock.advance(internalWindowMs + 1);
    await pruneNonces(vault.ctx);
    expect((await send(ahead)).status).toBe(401);
    const { rows } = await vault.ctx.store.query<{ count: string }>({
      text: 'select count(*) from internal_nonces',
    });
    expect(rows[0]!.count).toBe('0');
  });

  it('asks for no number: nothing below /internal answers one, and nothing there answers an API key', async () => {
    const { text } = await send(signed());
    expect(text).not.toContain('000123456259');
    const withKey = await fetch(`${vault.origin}${path}`, {
      method: 'POST',
      headers: { 'x-api-key': vault.api.serverKey },
      body: '{}',
    });
    expect([401, 415]).toContain(withKey.status);
  });

  it('that was refused tells the operator why, in the log only', () => {
    expect(lines.some((line) => line.includes('the signature does not verify'))).toBe(true);
    expect(lines.some((line) => line.includes('nonce was used before'))).toBe(true);
    expect(lines.some((line) => line.includes('are the clocks in step?'))).toBe(true);
  });
});

describe('rights', () => {
  it.each([
    [
      'users.erase',
      {
        projectId: '0b1f4a4e-6f0e-4b52-9d0e-0a51c5f1a001',
        owners: ['userId:alice'],
        actor: 'key:x',
      },
    ],
    [
      'directory.push',
      {
        epoch: randomUUID(),
        reset: true,
        from: '0',
        to: '0',
        latest: '0',
        keys: [],
        issuers: [],
        removedIssuers: [],
      },
    ],
  ])('the API host may not ask for %s', async (operation, input) => {
    await expect(vault.clients.api.ask(operation, input, z.unknown())).rejects.toMatchObject({
      code: 'forbidden',
    });
    await expect(
      vault.clients.worker.ask(operation, { ...input, extra: 1 }, z.unknown()),
    ).rejects.toMatchObject({
      code: 'validation-error',
    });
  });

  it('an operation that an older vault does not know yet waits as if it were away', async () => {
    await expect(
      vault.clients.worker.ask('payment-methods.numbers', {}, z.unknown()),
    ).rejects.toMatchObject({
      code: 'provider-unavailable',
    });
  });
});

describe('the asking side', () => {
  let impostor: Server;
  let reply: (body: string) => { status: number; headers: Record<string, string>; body: string };
  let origin: string;
  beforeAll(async () => {
    impostor = createServer((request, response) => {
      let text = '';
      request.on('data', (chunk: Buffer) => (text += chunk.toString()));
      request.on('end', () => {
        const { status, headers, body } = reply(text);
        response.writeHead(status, headers).end(body);
      });
    });
    await new Promise<void>((resolve) => impostor.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(impostor.address() as AddressInfo).port}`;
  });
  afterAll(() => void impostor?.close());
  const get = (at: string) =>
    testVaultClient(at, 'api', clock).getPaymentMethod({ projectId: vault.api.projectId, id });

  it('gets the vault’s own refusals with their codes', async () => {
    await expect(
      vault.clients.api.getPaymentMethod({ projectId: vault.api.projectId, id: randomUUID() }),
    ).rejects.toMatchObject({
      code: 'payment-method-not-found',
    });
  });

  it('does not believe an answer that the vault did not sign for this very request', async () => {
    const real = await send(signed());
    for (const signature of [undefined, 'x'.repeat(86), real.signature!]) {
      const headers: Record<string, string> =
        signature === undefined ? {} : { [internalHeaders.signature]: signature };
      reply = () => ({ status: 200, headers, body: real.text });
      await expect(get(origin)).rejects.toMatchObject({ code: 'provider-unavailable' });
    }
    reply = () => ({
      status: 404,
      headers: {},
      body: '{"code":"payment-method-not-found","message":"x"}',
    });
    await expect(get(origin)).rejects.toMatchObject({ code: 'provider-unavailable' });
  });

  it('does not talk to a vault with another key', async () => {
    const client = createVaultClient({
      origin: vault.origin,
      identity: { name: 'api', seed: vaultSeeds.api },
      vaultPublicKey: internalPublicKey(seedOf('another vault').reveal()),
      clock,
      log: pino({ level: 'silent' }),
    });
    await expect(
      client.getPaymentMethod({ projectId: vault.api.projectId, id }),
    ).rejects.toMatchObject({ code: 'provider-unavailable' });
  });

  it('waits for nothing for ever, reads nothing without end, and follows no redirection', async () => {
    reply = () => ({ status: 302, headers: { location: vault.origin }, body: '' });
    await expect(get(origin)).rejects.toMatchObject({
      code: 'provider-unavailable',
      headers: { 'retry-after': '5' },
    });
    reply = () => ({ status: 200, headers: {}, body: 'x'.repeat(5 * 1_024 * 1_024) });
    await expect(get(origin)).rejects.toMatchObject({ code: 'provider-unavailable' });
    await expect(get('http://127.0.0.1:9')).rejects.toMatchObject({ code: 'provider-unavailable' });
  });

  it('says what to do where no vault is configured', async () => {
    await expect(
      createMissingVault().getPaymentMethod({ projectId: 'p', id }),
    ).rejects.toMatchObject({
      code: 'provider-unavailable',
      message: expect.stringContaining('VAULT_URL'),
    });
  });
});
