import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CallOptions, startTestApi, type TestApi } from '../../../test/harness/http.ts';
import { createManualClock } from '../../lib/clock.ts';
import type { UserActionRequest } from '../../runner/types.ts';
import { issueKey, scopesOf } from '../api-keys/index.ts';
import { browserProfileRoutes } from '../browser-profiles/routes.ts';
import { buyerProfileRoutes } from '../buyer-profiles/routes.ts';
import { eraseUser } from '../users/index.ts';
import { expireActions, openAction } from './actions/actions.ts';
import { changeCheckout } from './change-checkout.ts';
import { forgetCheckouts } from './erase.ts';
import { agentCheckoutRoutes } from './routes.ts';
import { lockCheckout } from './store.ts';

const path = '/unstable/agent-checkouts';
const clock = createManualClock();
const target = {
  kind: 'direct_url',
  url: 'https://shop.example/products/shirt?size=m',
  request: 'size M, two of them',
};
const constraints = { maxCost: { amount: '49.90', currency: 'USD' } };
const wanted = { target, constraints, metadata: { trip: 'paris', nested: { a: [1, 2] } } };

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({
    routes: [...agentCheckoutRoutes, ...buyerProfileRoutes, ...browserProfileRoutes],
    clock,
  });
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
const made = async (user: string, body: object = wanted): Promise<string> =>
  (await as(user, 'POST', '', body)).body.id;

const email: UserActionRequest = { kind: 'contact-and-shipping', missing: ['fullName', 'email'] };

/** As the worker does when a runner claims the checkout and asks the user. */
async function asks(id: string, request: UserActionRequest = email): Promise<string> {
  return api.ctx.store.transaction(async (tx) => {
    const record = (await lockCheckout(tx, id))!;
    const running =
      record.status === 'queued'
        ? await changeCheckout(api.ctx, tx, record, { event: 'claimed' })
        : record;
    return (await openAction(api.ctx, tx, running, request)).id;
  });
}

describe('create', () => {
  test('answers 200 with the queued view, echoing what was asked for', async () => {
    const { status, body } = await as('ann', 'POST', '', wanted);
    expect([status, body]).toEqual([
      200,
      {
        id: expect.any(String),
        createdAt: '2026-01-15T12:00:00.000Z',
        updatedAt: '2026-01-15T12:00:00.000Z',
        ...wanted,
        status: 'queued',
        progressItems: [
          { type: 'step', title: 'Waiting for a browser', createdAt: '2026-01-15T12:00:00.000Z' },
        ],
      },
    ]);
    expect((await as('ann', 'GET', `/${body.id}`)).body).toEqual(body);
  });

  test.each([
    ['no cap', { target }],
    [
      'a cap that is a number',
      { target, constraints: { maxCost: { amount: 49.9, currency: 'USD' } } },
    ],
    [
      'a currency in small letters',
      { target, constraints: { maxCost: { amount: '49', currency: 'usd' } } },
    ],
    ['a negative cap', { target, constraints: { maxCost: { amount: '-1', currency: 'USD' } } }],
    ['a cap of nothing', { target, constraints: { maxCost: { amount: '0.00', currency: 'USD' } } }],
    [
      'a cap finer than its currency',
      { target, constraints: { maxCost: { amount: '10.001', currency: 'USD' } } },
    ],
    [
      'a currency that is none',
      { target, constraints: { maxCost: { amount: '10', currency: 'QQQ' } } },
    ],
    ['an address that is none', { target: { kind: 'direct_url', url: 'shirt' }, constraints }],
    ['a file address', { target: { kind: 'direct_url', url: 'file:///etc/passwd' }, constraints }],
    [
      'a password in the address',
      { target: { kind: 'direct_url', url: 'https://a:b@shop.example/' }, constraints },
    ],
    ['another kind of target', { target: { kind: 'search', url: target.url }, constraints }],
    ['an unknown field', { ...wanted, card: '4242' }],
    ['metadata that is no object', { ...wanted, metadata: 'x' }],
    ['metadata of 17 KiB', { ...wanted, metadata: { x: 'x'.repeat(17_000) } }],
    ['a profile id that is none', { ...wanted, buyerProfileId: 'mine' }],
  ])('with %s is refused with 400', async (_name, body) => {
    const { status, body: answer } = await as('ann', 'POST', '', body);
    expect([status, answer.statusCode, answer.error]).toEqual([400, 400, 'Bad Request']);
  });

  test('with the profiles of the user takes them; of others they do not exist', async () => {
    const shipping = { addressLines: ['1 Main St'], locality: 'Berlin', countryCode: 'DE' };
    const buyerProfileId = (await as('bea', 'POST', '/buyer-profiles', { shipping })).body.id;
    const browserProfileId = (await as('bea', 'POST', '/browser-profiles', {})).body.id;
    expect(
      (await as('bea', 'POST', '', { ...wanted, buyerProfileId, browserProfileId })).status,
    ).toBe(200);
    expect((await as('eve', 'POST', '', { ...wanted, buyerProfileId })).body).toMatchObject({
      statusCode: 404,
      code: 'buyer-profile-not-found',
    });
    expect((await as('eve', 'POST', '', { ...wanted, browserProfileId })).body).toMatchObject({
      statusCode: 404,
      code: 'browser-profile-not-found',
    });
  });

  test('with one idempotency key makes one checkout, also of ten at once', async () => {
    const options = { headers: { 'x-idempotency-key': 'once' } };
    await Promise.all(Array.from({ length: 10 }, () => as('carl', 'POST', '', wanted, options)));
    expect((await as('carl', 'GET')).body.data).toHaveLength(1);
  });

  test('without a JWT is 401 although the key is valid, and says that no authentication header was provided', async () => {
    const { status, body } = await api.call('POST', path, { key: api.clientKey, body: wanted });
    expect([status, body.statusCode]).toEqual([401, 401]);
  });
});

test('a list is newest first, in pages of the user’s own', async () => {
  const ids: string[] = [];
  for (let index = 0; index < 3; index++) {
    clock.advance(1_000);
    ids.unshift(await made('dora'));
  }
  const first = (await as('dora', 'GET', '?limit=2')).body;
  const second = (await as('dora', 'GET', `?limit=2&cursor=${first.nextCursor}`)).body;
  expect([...first.data, ...second.data].map((one: { id: string }) => one.id)).toEqual(ids);
  expect([second.nextCursor, (await as('nobody', 'GET')).body]).toEqual([
    null,
    { data: [], nextCursor: null },
  ]);
  for (const query of ['limit=0', 'limit=101', 'cursor=x', 'status=failed'])
    expect((await as('dora', 'GET', `?${query}`)).status).toBe(400);
});

test('of another user does not exist', async () => {
  const id = await made('fay');
  const actionId = await asks(id);
  for (const [method, below, body] of [
    ['GET', `/${id}`],
    ['DELETE', `/${id}`],
    ['POST', `/${id}/actions/${actionId}`, { action: 'decline' }],
  ] as const) {
    const { status, body: answer } = await as('mallory', method, below, body);
    expect([status, answer.code]).toEqual([404, 'checkout-not-found']);
  }
});

test('every call needs a client key with its scope', async () => {
  for (const [method, below, verb, body] of [
    ['POST', '', 'create', wanted],
    ['GET', '', 'read'],
    ['GET', '/x', 'read'],
    ['POST', '/x/actions/y', 'update', { action: 'decline' }],
    ['DELETE', '/x', 'cancel'],
  ] as const) {
    const { key } = await issueKey(api.ctx, {
      projectId: api.projectId,
      kind: 'client',
      scopes: scopesOf('client').filter((scope) => scope !== `agent-checkouts.${verb}`),
    });
    const statusOf = async (options: CallOptions) =>
      (await api.call(method, `${path}${below}`, { ...(body && { body }), ...options })).status;
    const jwt = await api.userJwt('hal');
    expect([
      await statusOf({ key: null, jwt }),
      await statusOf({ key, jwt }),
      await statusOf({ key: api.serverKey }),
    ]).toEqual([401, 403, 403]);
  }
});

describe('a user action', () => {
  test('shows while it is awaited only, with its schema and its end', async () => {
    const id = await made('ida');
    const actionId = await asks(id);
    const { body } = await as('ida', 'GET', `/${id}`);
    expect([body.status, body.pendingUserAction]).toEqual([
      'awaiting_user_action',
      {
        id: actionId,
        kind: 'contact-and-shipping',
        message: expect.any(String),
        url: `${api.ctx.config.api.baseUrl}/sandbox/agent-checkouts/${id}`,
        expiresAt: expect.any(String),
        responseSchema: {
          type: 'object',
          properties: {
            fullName: { type: 'string', title: 'Full name' },
            email: { type: 'string', title: 'E-mail address', format: 'email' },
          },
          required: ['fullName', 'email'],
        },
      },
    ]);
    const answered = await as('ida', 'POST', `/${id}/actions/${actionId}`, {
      action: 'submit',
      values: { fullName: 'Ida Lovelace', email: 'ida@example.com' },
    });
    expect([answered.status, answered.body]).toEqual([
      202,
      { checkoutId: id, actionId, status: 'accepted', acceptedAt: clock.now().toISOString() },
    ]);
    const after = (await as('ida', 'GET', `/${id}`)).body;
    expect([after.status, 'pendingUserAction' in after]).toEqual(['running', false]);
  });

  test.each([
    [
      'a missing value',
      { action: 'submit', values: { fullName: 'Ida' } },
      'action-schema-mismatch',
    ],
    [
      'a value of another type',
      { action: 'submit', values: { fullName: 1, email: 'ida@example.com' } },
      'action-schema-mismatch',
    ],
    [
      'an empty value',
      { action: 'submit', values: { fullName: '  ', email: 'ida@example.com' } },
      'action-schema-mismatch',
    ],
    [
      'a value of two lines',
      { action: 'submit', values: { fullName: 'Ida\nL', email: 'ida@example.com' } },
      'action-schema-mismatch',
    ],
    [
      'a value that no form takes',
      { action: 'submit', values: { fullName: 'I'.repeat(201), email: 'ida@example.com' } },
      'action-schema-mismatch',
    ],
    [
      'a bad e-mail address',
      { action: 'submit', values: { fullName: 'Ida', email: 'ida' } },
      'action-schema-mismatch',
    ],
    ['no values', { action: 'submit' }, 'validation-error'],
    [
      'the action’s id in the body',
      { action: 'submit', values: { fullName: 'I', email: 'a@b.c' }, actionId: 'x' },
      'validation-error',
    ],
    ['another action', { action: 'ignore' }, 'validation-error'],
  ])('with %s is refused with 400 and stays open', async (_name, body, code) => {
    const id = await made('jan');
    const actionId = await asks(id);
    const refused = await as('jan', 'POST', `/${id}/actions/${actionId}`, body);
    expect([refused.status, refused.body.code]).toEqual([400, code]);
    expect((await as('jan', 'GET', `/${id}`)).body.pendingUserAction.id).toBe(actionId);
  });

  test('about the address needs the region in countries whose addresses have one, and in no other', async () => {
    const id = await made('rea');
    const address: UserActionRequest = {
      kind: 'contact-and-shipping',
      missing: ['city', 'state', 'countryCode'],
    };
    const respond = async (actionId: string, values: object) =>
      as('rea', 'POST', `/${id}/actions/${actionId}`, { action: 'submit', values });
    const first = await asks(id, address);
    expect(
      (await as('rea', 'GET', `/${id}`)).body.pendingUserAction.responseSchema.required,
    ).toEqual(['city', 'countryCode']);
    for (const countryCode of ['US', 'us', 'JP'])
      expect(await respond(first, { city: 'Springfield', countryCode })).toMatchObject({
        status: 400,
        body: {
          code: 'action-schema-mismatch',
          message: expect.stringMatching(/values\.state is needed in (US|JP)/),
        },
      });
    expect((await respond(first, { city: 'Berlin', countryCode: 'DE' })).status).toBe(202);

    const second = await asks(id, address);
    expect(
      (await respond(second, { city: 'Springfield', state: 'US-IL', countryCode: 'US' })).status,
    ).toBe(202);
    // A shop that asks for it in a country that is known has its reason.
    await asks(id, { kind: 'contact-and-shipping', missing: ['state'] });
    expect(
      (await as('rea', 'GET', `/${id}`)).body.pendingUserAction.responseSchema.required,
    ).toEqual(['state']);
  });

  test('may be answered in one of several ways, and with an empty postal code: many countries have none', async () => {
    const id = await made('rob');
    const respond = (actionId: string, values: object) =>
      as('rob', 'POST', `/${id}/actions/${actionId}`, { action: 'submit', values });
    const login = await asks(id, {
      kind: 'merchant-login',
      origin: 'https://shop.example',
      needs: ['username', 'password'],
    });
    expect((await respond(login, { username: 'rob', password: '' })).body).toMatchObject({
      code: 'action-schema-mismatch',
      message: expect.stringContaining('values.password must not be empty'),
    });
    expect((await respond(login, { username: '', done: true })).status).toBe(202);
    const address = await asks(id, {
      kind: 'contact-and-shipping',
      missing: ['city', 'postalCode'],
    });
    expect((await respond(address, { city: 'Hong Kong', postalCode: '' })).status).toBe(202);
    const choice = await asks(id, {
      kind: 'option-choice',
      question: 'Which size?',
      options: [{ value: '', title: 'One size' }],
    });
    expect((await respond(choice, { choice: '' })).status).toBe(202);
  });

  test('is answered once: the same again gets the same acknowledgement, another answer 409, also of ten at once', async () => {
    const id = await made('kim');
    const actionId = await asks(id);
    const answer = { action: 'submit', values: { fullName: 'Kim', email: 'kim@example.com' } };
    const respond = (body: object) => as('kim', 'POST', `/${id}/actions/${actionId}`, body);
    const first = await respond(answer);
    clock.advance(1_000);
    const again = await respond({
      values: { email: 'kim@example.com', fullName: 'Kim' },
      action: 'submit',
    });
    expect([again.status, again.body]).toEqual([202, first.body]);
    expect((await respond({ action: 'decline' })).body).toMatchObject({
      statusCode: 409,
      code: 'action-stale',
    });

    const raced = await made('kim');
    const racedAction = await asks(raced);
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        as('kim', 'POST', `/${raced}/actions/${racedAction}`, {
          action: 'submit',
          values: { fullName: `Kim ${index}`, email: 'k@e.com' },
        }),
      ),
    );
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(9);
  });

  test('that never belonged to the checkout is 404', async () => {
    const id = await made('lea');
    const other = await asks(await made('lea'));
    for (const actionId of [other, api.ctx.ids.uuid(), 'x'])
      expect(
        (await as('lea', 'POST', `/${id}/actions/${actionId}`, { action: 'decline' })).body.code,
      ).toBe('action-not-found');
  });

  test('is not answered after the checkout has ended', async () => {
    const id = await made('max');
    const actionId = await asks(id);
    expect((await as('max', 'DELETE', `/${id}`)).status).toBe(202);
    expect(
      (await as('max', 'POST', `/${id}/actions/${actionId}`, { action: 'decline' })).body,
    ).toMatchObject({
      statusCode: 409,
      code: 'checkout-finished',
    });
  });

  test('that nobody answers ends the checkout as failed, and the item is free', async () => {
    const id = await made('ned');
    const actionId = await asks(id);
    clock.advance(31 * 60_000);
    expect(
      (await as('ned', 'POST', `/${id}/actions/${actionId}`, { action: 'decline' })).body.code,
    ).toBe('action-stale');
    await expireActions(api.ctx);
    const { body } = await as('ned', 'GET', `/${id}`);
    expect([body.status, body.failure.reason]).toEqual(['failed', 'user_action_expired']);
    expect((await as('ned', 'POST', '', wanted)).status).toBe(200);
  });

  test('lies sealed in the database and is forgotten when nobody fetches it', async () => {
    const id = await made('oda');
    const actionId = await asks(id, {
      kind: 'merchant-login',
      origin: 'https://shop.example',
      needs: ['username', 'password'],
    });
    await as('oda', 'POST', `/${id}/actions/${actionId}`, {
      action: 'submit',
      values: { username: 'oda', password: 'hunter2-very-secret' },
    });
    const dump = async () =>
      (
        await api.ctx.store.query<{ row: string }>({
          text: 'select a::text as row from agent_checkout_actions a',
        })
      ).rows
        .map(({ row }) => row)
        .join();
    expect(await dump()).not.toContain('hunter2-very-secret');
    expect(await dump()).not.toContain(Buffer.from('hunter2-very-secret').toString('hex'));
    clock.advance(6 * 60_000);
    await expireActions(api.ctx);
    const { rows } = await api.ctx.store.query({
      text: 'select 1 from agent_checkout_actions where id = $1 and sealed_answer is not null',
      values: [actionId],
    });
    expect(rows).toEqual([]);
  });
});

describe('cancel', () => {
  test('of a queued checkout shows at once, and a second cancel is 409', async () => {
    const id = await made('pam');
    expect((await as('pam', 'DELETE', `/${id}`)).status).toBe(202);
    expect((await as('pam', 'GET', `/${id}`)).body.status).toBe('cancelled');
    expect((await as('pam', 'DELETE', `/${id}`)).body).toMatchObject({
      statusCode: 409,
      code: 'checkout-finished',
    });
  });

  test('of a running one is left to the run, and may be repeated', async () => {
    const id = await made('quinn');
    await api.ctx.store.transaction(async (tx) =>
      changeCheckout(api.ctx, tx, (await lockCheckout(tx, id))!, { event: 'claimed' }),
    );
    for (let times = 0; times < 2; times++)
      expect((await as('quinn', 'DELETE', `/${id}`)).status).toBe(202);
    expect((await as('quinn', 'GET', `/${id}`)).body.status).toBe('running');
    expect(
      (await api.ctx.store.transaction((tx) => lockCheckout(tx, id)))!.cancelAskedAt,
    ).toBeDefined();
  });
});

test('an item whose purchase is unknown is not bought again before somebody has decided', async () => {
  const id = await made('rob');
  await api.ctx.store.transaction(async (tx) => {
    const running = await changeCheckout(api.ctx, tx, (await lockCheckout(tx, id))!, {
      event: 'claimed',
    });
    await changeCheckout(api.ctx, tx, running, {
      event: 'failed',
      set: { outcome: 'unknown', failure: { reason: 'automation_failed' } },
    });
  });
  const tracked = { ...wanted, target: { ...target, url: `${target.url}&utm_source=mail#top` } };
  const refused = await as('rob', 'POST', '', tracked);
  expect([refused.status, refused.body.code, refused.body.message]).toEqual([
    409,
    'conflict',
    expect.stringContaining(id),
  ]);
  expect(
    (
      await as('rob', 'POST', '', {
        ...wanted,
        target: { ...target, request: 'one in size M, please' },
      })
    ).status,
  ).toBe(409);
  expect(
    (await as('rob', 'POST', '', { ...wanted, target: { ...target, url: `${target.url}&size=L` } }))
      .status,
  ).toBe(200);
  expect((await as('sue', 'POST', '', wanted)).status).toBe(200);
});

test('every change is told as agent-checkouts.updated, in order', async () => {
  const id = await made('tom');
  await asks(id);
  await as('tom', 'DELETE', `/${id}`);
  const { rows } = await api.ctx.store.query<{ type: string; status: string }>({
    text: `select type, data->>'status' as status from outbox where object = $1 order by written`,
    values: [`agent-checkout:${id}`],
  });
  expect(rows.map(({ type, status }) => [type, status])).toEqual(
    ['queued', 'running', 'awaiting_user_action', 'cancelled'].map((status) => [
      'agent-checkouts.updated',
      status,
    ]),
  );
});

test('goes with its user, who is not erased while it may be buying', async () => {
  const id = await made('uma');
  const { rows } = await api.ctx.store.query<{ user_id: string }>({
    text: 'select user_id from agent_checkouts where id = $1',
    values: [id],
  });
  const userIds = [rows[0]!.user_id];
  const forget = () => api.ctx.store.transaction((tx) => forgetCheckouts(tx, { userIds }));
  await asks(id);
  await expect(forget()).rejects.toMatchObject({ code: 'conflict' });
  await as('uma', 'DELETE', `/${id}`);
  expect(await forget()).toEqual([id]);
  const erase = {
    projectId: api.projectId,
    locator: 'userId:uma',
    eraseElsewhere: async () => false,
    onErase: async () => undefined,
  };
  await eraseUser(api.ctx, erase);
  expect(
    (
      await api.ctx.store.query({
        text: 'select 1 from agent_checkouts where id = $1',
        values: [id],
      })
    ).rows,
  ).toEqual([]);
});
