import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApi, type TestApi } from '../../../../test/harness/http.ts';
import { agentCheckoutRoutes } from '../routes.ts';

const path = '/unstable/agent-checkouts';
const wish = {
  target: { kind: 'direct_url', url: 'https://shop.example/products/shirt' },
  constraints: { maxCost: { amount: '20', currency: 'USD' } },
};

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({
    routes: agentCheckoutRoutes,
    config: { openCheckouts: { perUserMax: 5, perProjectMax: 20 } },
  });
});
afterAll(() => api?.close());

const as = async (
  user: string,
  method: string,
  below = '',
  options: { body?: object; headers?: Record<string, string> } = {},
) =>
  api.call(method, `${path}${below}`, {
    key: api.clientKey,
    jwt: await api.userJwt(user),
    ...options,
  });
const create = (user: string, headers: Record<string, string> = {}) =>
  as(user, 'POST', '', { body: wish, headers });
const refusal = (message: RegExp) => ({
  status: 429,
  body: {
    statusCode: 429,
    error: 'Too Many Requests',
    code: 'rate-limited',
    message: expect.stringMatching(message),
  },
});

describe('checkouts that are not over', () => {
  test('of one user are five: of fifty that are made at once no sixth is, and the others are told what to do', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => create('ann')));
    const made = answers.filter(({ status }) => status === 200);
    expect(made).toHaveLength(5);
    const refused = answers.filter(({ status }) => status !== 200);
    for (const answer of refused)
      expect(answer).toMatchObject(
        refusal(/You have 5 checkouts .* Wait for the end of one, .* or cancel one/),
      );
    expect(refused[0]!.headers.get('retry-after')).toBe('60');

    await as('ann', 'DELETE', `/${made[0]!.body.id}`);
    expect((await create('ann')).status).toBe(200);
    expect((await create('ann')).status).toBe(429);
  });

  test('are answered again to who repeats the call that made them', async () => {
    const keyed = { 'x-idempotency-key': 'the-fifth' };
    for (let nr = 0; nr < 4; nr++) await create('bob');
    const { body } = await create('bob', keyed);
    expect((await create('bob')).status).toBe(429);
    expect(await create('bob', keyed)).toMatchObject({ status: 200, body: { id: body.id } });
  });

  test('of one project are twenty, however many users make them at once', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, (_, nr) => create(`user-${nr}`)));
    // Ann and Bob have five each.
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
    expect(answers.find(({ status }) => status !== 200)).toMatchObject(
      refusal(/The project has 20 .*CHECKOUTS_OPEN_PER_PROJECT/),
    );
  });
});
