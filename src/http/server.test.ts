import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { startTestApi, type TestApi } from '../../test/harness/http.ts';
import { route } from './route.ts';

const routes = [
  route({
    method: 'POST', path: '/2025-06-09/things', operationId: 'createThing', summary: 'Create', tag: 'Things', family: 'W',
    auth: { keys: 'both', user: 'optional', scopes: ['wallets.create'] },
    body: z.strictObject({ name: z.string() }),
    responses: { 201: { description: 'Created', schema: z.object({ id: z.string(), name: z.string() }) } },
    errors: [],
    handler: async (ctx, { body }) => ({ status: 201, body: { id: ctx.ids.uuid(), name: body.name, user: ctx.caller.user } }),
  }),
];

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ routes });
});
afterAll(() => api.close());

test('a route answers a call with a server key', async () => {
  const answer = await api.call('POST', '/2025-06-09/things', { body: { name: 'first' } });
  expect(answer.text).toContain('first');
  expect(answer.status).toBe(201);
  expect((await api.call('POST', '/2025-06-09/things', { body: { name: 'first' }, jwt: await api.userJwt('alice'), key: api.clientKey })).body.user).toEqual({ kind: 'userId', value: 'alice' });
  expect((await api.call('POST', '/2025-06-09/things', { body: { name: 1 } })).body.message).toContain('body.name');
});
