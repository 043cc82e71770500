import pino from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApi, type TestApi } from '../../test/harness/http.ts';
import { issueKey, scopesOf } from '../areas/api-keys/index.ts';
import { createServer } from './server.ts';
import { echoRoute } from './test-kit.ts';

const routes = [echoRoute];
const logLines: string[] = [];
let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({
    routes,
    log: pino({ level: 'info' }, { write: (line) => void logLines.push(line) }),
  });
});
afterAll(() => api?.close());

describe('who called', () => {
  const lineOf = (requestId: string) =>
    logLines
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .find((line) => line.requestId === requestId)!;
  const things = '/2025-06-09/things/a';

  test('stands in the line of a call, and of one that is refused: key, project, hashed user and address', async () => {
    const call = (
      id: string,
      options: { jwt?: string; key?: string | null; headers?: Record<string, string> },
    ) =>
      api.call('GET', things, {
        key: api.clientKey,
        ...options,
        headers: { ...options.headers, 'x-request-id': id },
      });
    const scopes = scopesOf('client');
    const bound = await issueKey(api.ctx, {
      projectId: api.projectId,
      kind: 'client',
      scopes,
      allowedOrigins: ['https://shop.example'],
    });
    await call('who-1', { jwt: await api.userJwt('alice') });
    await call('who-2', { jwt: await api.userJwt('alice') });
    await call('who-3', { jwt: await api.userJwt('bob') });
    await call('who-jwt', { jwt: 'eyJhbGciOiJub25lIn0.e30.' });
    await call('who-place', { key: bound.key, headers: { origin: 'https://elsewhere.example' } });
    await call('who-none', { key: null });
    const [first, second, third, jwt, place, none] = [
      'who-1',
      'who-2',
      'who-3',
      'who-jwt',
      'who-place',
      'who-none',
    ].map(lineOf);
    const key = { projectId: api.projectId, keyId: first!.keyId };
    expect(first!.keyId).toMatch(/./);
    expect(first).toMatchObject({
      status: 200,
      user: expect.stringMatching(/^[\w-]{16}$/),
      address: expect.stringMatching(/^[\w-]{16}$/),
    });
    expect(second).toMatchObject({ ...key, user: first!.user, address: first!.address });
    expect(third!.user).not.toBe(first!.user);
    expect(jwt).toMatchObject({
      ...key,
      status: 401,
      code: 'not-authorized.jwt-invalid',
      address: first!.address,
    });
    expect(place).toMatchObject({
      projectId: api.projectId,
      keyId: bound.id,
      status: 403,
      code: 'forbidden',
      address: first!.address,
    });
    expect([none!.status, none!.keyId, none!.address]).toEqual([401, undefined, first!.address]);
    expect(logLines.join('')).not.toContain('127.0.0.1');
  });

  test('is read behind the proxies that are trusted: what the caller wrote before them counts for nothing', async () => {
    const addressOf = async (trustedProxies: number, forwarded: string) => {
      const lines: string[] = [];
      const log = pino({ level: 'info' }, { write: (line) => void lines.push(line) });
      const server = createServer(
        {
          ...api.ctx,
          log,
          config: { ...api.ctx.config, api: { ...api.ctx.config.api, trustedProxies } },
        },
        { routes },
      );
      await server.inject({
        method: 'GET',
        url: `/api${things}`,
        headers: { 'x-forwarded-for': forwarded },
      });
      await server.close();
      return (JSON.parse(lines[0]!) as { address: string }).address;
    };
    const own = await addressOf(0, '198.51.100.7');
    expect(await addressOf(0, '203.0.113.9')).toBe(own);
    const behindOne = await addressOf(1, '198.51.100.7');
    expect(behindOne).not.toBe(own);
    expect(await addressOf(1, '203.0.113.9, 198.51.100.7')).toBe(behindOne);
    expect(await addressOf(2, '203.0.113.9, 198.51.100.7, 192.0.2.1')).toBe(behindOne);
  });
});
