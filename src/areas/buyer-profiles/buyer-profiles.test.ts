import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CallOptions, startTestApi, type TestApi } from '../../../test/harness/http.ts';
import { createManualClock } from '../../lib/clock.ts';
import { issueKey, scopesOf } from '../api-keys/index.ts';
import { eraseUser } from '../users/index.ts';
import { buyerProfileRoutes } from './routes.ts';

const path = '/unstable/agent-checkouts/buyer-profiles';
const clock = createManualClock();
const shipping = {
  addressLines: ['1 Main Street', 'Apt 2'],
  locality: 'Springfield',
  administrativeAreaCode: 'US-CA',
  postalCode: '90210',
  countryCode: 'US',
};
const whole = {
  label: 'Home',
  name: { first: 'Ann', last: 'Miller' },
  contact: { email: 'Ann@example.com', phone: '+14155550100' },
  shipping,
};

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ routes: buyerProfileRoutes, clock });
});
afterAll(() => api?.close());

const as = async (
  user: string,
  method: string,
  below = '',
  body?: unknown,
  options: CallOptions = {},
) =>
  api.call(method, `${path}${below}`, {
    key: api.clientKey,
    jwt: await api.userJwt(user),
    ...(body === undefined ? {} : { body }),
    ...options,
  });
const made = async (user: string, body: object = whole): Promise<string> =>
  (await as(user, 'POST', '', body)).body.id;

describe('a buyer profile', () => {
  test('is created with 201 and read as it was sent', async () => {
    const created = await as('ann', 'POST', '', whole);
    expect([created.status, created.body]).toEqual([
      201,
      {
        id: expect.any(String),
        ...whole,
        createdAt: '2026-01-15T12:00:00.000Z',
        updatedAt: '2026-01-15T12:00:00.000Z',
      },
    ]);
    expect((await as('ann', 'GET', `/${created.body.id}`)).body).toEqual(created.body);
  });

  test('needs a shipping address only', async () => {
    const { status, body } = await as('ann', 'POST', '', {
      shipping: { addressLines: ['a'], locality: 'b', countryCode: 'DE' },
    });
    expect([status, body.shipping]).toEqual([
      201,
      { addressLines: ['a'], locality: 'b', countryCode: 'DE' },
    ]);
  });

  test.each([
    ['no shipping', { label: 'x' }],
    ['no address line', { shipping: { ...shipping, addressLines: [] } }],
    ['an unknown country', { shipping: { ...shipping, countryCode: 'ZZ' } }],
    ['a country in small letters', { shipping: { ...shipping, countryCode: 'us' } }],
    ['an area of another country', { shipping: { ...shipping, administrativeAreaCode: 'DE-BE' } }],
    ['an area that is none', { shipping: { ...shipping, administrativeAreaCode: 'California' } }],
    ['an unknown field', { ...whole, card: '4242424242424242' }],
    ['an unknown field of the address', { shipping: { ...shipping, planet: 'Mars' } }],
    ['a name of 101 characters', { ...whole, name: { first: 'x'.repeat(101) } }],
    ['an empty name', { ...whole, name: { first: '' } }],
    ['a bad e-mail address', { ...whole, contact: { email: 'nobody' } }],
    ['a bad phone number', { ...whole, contact: { phone: '0123' } }],
    ['a line break', { shipping: { ...shipping, locality: 'a\nb' } }],
  ])('with %s is refused with 400', async (_name, body) => {
    const { status, body: answer } = await as('ann', 'POST', '', body);
    expect([status, answer]).toEqual([
      400,
      {
        statusCode: 400,
        error: 'Bad Request',
        message: expect.any(String),
        code: 'validation-error',
      },
    ]);
  });

  test('with one idempotency key is created once', async () => {
    const options = { headers: { 'x-idempotency-key': 'once' } };
    const [one, two] = [
      await as('ida', 'POST', '', whole, options),
      await as('ida', 'POST', '', whole, options),
    ];
    expect(two.body).toEqual(one.body);
    expect((await as('ida', 'GET')).body.data).toHaveLength(1);
  });
});

describe('a change', () => {
  test('touches the fields that it names, one by one', async () => {
    const id = await made('carl');
    clock.advance(1_000);
    const { status, body } = await as('carl', 'PATCH', `/${id}`, {
      name: { first: 'Carl' },
      shipping: { postalCode: null },
    });
    expect([status, body]).toMatchObject([
      200,
      {
        label: 'Home',
        name: { first: 'Carl', last: 'Miller' },
        shipping: { ...shipping, postalCode: null },
      },
    ]);
    expect(body.updatedAt > body.createdAt).toBe(true);
    expect((await as('carl', 'GET', `/${id}`)).body).toEqual(body);
  });

  test.each([
    ['nothing', {}],
    ['an area that no longer fits the country', { shipping: { countryCode: 'DE' } }],
    ['an unknown field', { nickname: 'x' }],
  ])('of %s is refused with 400 and changes nothing', async (_name, body) => {
    const id = await made('dora');
    const before = (await as('dora', 'GET', `/${id}`)).body;
    expect((await as('dora', 'PATCH', `/${id}`, body)).status).toBe(400);
    expect((await as('dora', 'GET', `/${id}`)).body).toEqual(before);
  });

  test('of several at once loses none', async () => {
    const id = await made('eve');
    const changes = [
      { label: 'A' },
      { name: { first: 'B' } },
      { contact: { phone: '+14155550111' } },
    ];
    expect(
      (await Promise.all(changes.map((change) => as('eve', 'PATCH', `/${id}`, change)))).map(
        ({ status }) => status,
      ),
    ).toEqual([200, 200, 200]);
    expect((await as('eve', 'GET', `/${id}`)).body).toMatchObject({
      label: 'A',
      name: { first: 'B' },
      contact: { phone: '+14155550111' },
    });
  });
});

test('a list is newest first, in pages that new profiles do not shift', async () => {
  const ids: string[] = [];
  for (let index = 0; index < 5; index++) {
    clock.advance(1_000);
    ids.unshift(await made('fay'));
  }
  const first = (await as('fay', 'GET', '?limit=2')).body;
  expect(first.data.map((one: { id: string }) => one.id)).toEqual(ids.slice(0, 2));
  clock.advance(1_000);
  await made('fay');
  const second = (await as('fay', 'GET', `?limit=2&cursor=${first.nextCursor}`)).body;
  const third = (await as('fay', 'GET', `?limit=2&cursor=${second.nextCursor}`)).body;
  expect([...second.data, ...third.data].map((one: { id: string }) => one.id)).toEqual(
    ids.slice(2),
  );
  expect(third.nextCursor).toBeNull();
  expect((await as('nobody', 'GET')).body).toEqual({ data: [], nextCursor: null });
});

test.each(['limit=0', 'limit=101', 'limit=x', 'cursor=zzz', 'country=DE'])(
  'a list with %s is refused with 400',
  async (query) => {
    expect((await as('fay', 'GET', `?${query}`)).status).toBe(400);
  },
);

test('of another user, deleted, or never made does not exist', async () => {
  const id = await made('gus');
  for (const [method, body] of [['GET'], ['PATCH', { label: 'x' }], ['DELETE']] as const) {
    const { status, body: answer } = await as('mallory', method, `/${id}`, body);
    expect([status, answer.code]).toEqual([404, 'buyer-profile-not-found']);
  }
  expect((await as('gus', 'DELETE', `/${id}`)).status).toBe(204);
  for (const gone of [id, 'no-id', api.ctx.ids.uuid()])
    expect((await as('gus', 'GET', `/${gone}`)).status).toBe(404);
  expect((await as('gus', 'DELETE', `/${id}`)).status).toBe(404);
});

test('needs a client key with the scope, and the user', async () => {
  const id = await made('hal');
  for (const [method, below, verb, body] of [
    ['POST', '', 'create', whole],
    ['GET', '', 'read'],
    ['GET', `/${id}`, 'read'],
    ['PATCH', `/${id}`, 'update', { label: 'x' }],
    ['DELETE', `/${id}`, 'delete'],
  ] as const) {
    const { key } = await issueKey(api.ctx, {
      projectId: api.projectId,
      kind: 'client',
      scopes: scopesOf('client').filter(
        (scope) => scope !== `agent-checkouts.buyer-profiles.${verb}`,
      ),
    });
    const statusOf = async (options: CallOptions) =>
      (await api.call(method, `${path}${below}`, { ...(body && { body }), ...options })).status;
    const jwt = await api.userJwt('hal');
    expect(await statusOf({ key: null, jwt })).toBe(401);
    expect(await statusOf({ key: api.clientKey })).toBe(401);
    expect(await statusOf({ key, jwt })).toBe(403);
    expect(await statusOf({ key: api.serverKey })).toBe(403);
  }
});

test('lies sealed in the database and is gone with its user, also from what a repeat would be answered', async () => {
  const headers = { 'x-idempotency-key': crypto.randomUUID() };
  const body = { ...whole, label: 'very-readable-label' };
  const created = await as('ivy', 'POST', '', body, { headers });
  const repeat = () => as('ivy', 'POST', '', body, { headers });
  expect((await repeat()).text).toBe(created.text);
  const secrets = ['very-readable-label', 'Springfield', 'Ann@example.com'];
  const expectSealed = async () => {
    for (const table of ['buyer_profiles', 'idempotency_keys']) {
      const { rows } = await api.ctx.store.query<{ row: string }>({
        text: `select t::text as row from ${table} t`,
      });
      const dump = rows.map(({ row }) => row).join();
      for (const secret of secrets) {
        expect(dump).not.toContain(secret);
        expect(dump).not.toContain(Buffer.from(secret).toString('hex'));
      }
    }
  };
  await expectSealed();
  await eraseUser(api.ctx, {
    projectId: api.projectId,
    locator: 'userId:ivy',
    eraseElsewhere: async () => false,
    onErase: async () => undefined,
  });
  await expectSealed();
  expect((await as('ivy', 'GET')).body.data).toEqual([]);
  const again = await repeat();
  expect(again.status).not.toBe(201);
  for (const secret of secrets) expect(again.text).not.toContain(secret);
});

test('a user has at most 100', { tags: 'slow' }, async () => {
  for (let index = 0; index < 100; index++)
    expect((await as('joe', 'POST', '', whole)).status).toBe(201);
  const { status, body } = await as('joe', 'POST', '', whole);
  expect([status, body.message]).toEqual([400, expect.stringContaining('at most 100')]);
});
