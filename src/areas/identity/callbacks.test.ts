import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../jobs/test-kit.ts';
import { Secret } from '../../lib/sealing/secret.ts';
import { createPersonaKyc } from '../../providers/kyc/persona.ts';
import {
  type PersonaServer,
  send,
  startPersonaServer,
} from '../../providers/kyc/testing/persona-server.ts';
import { aPerson, aPng, type PeopleApi, startFlows, startPeopleApi } from '../users/test-kit.ts';
import { openInquiry, pruneIdentityCallbacks } from './index.ts';

/**
 * The whole way with the real adapter: the API, the flow, and a company behind HTTP that calls
 * back.
 */
const apiKey = 'persona_key';
const webhookSecret = 'wbhsec_1';

let company: PersonaServer;
let api: PeopleApi;
let flows: ReturnType<typeof startFlows>;
beforeAll(async () => {
  company = await startPersonaServer(apiKey);
  const kyc = createPersonaKyc({
    url: company.url,
    hostedUrl: 'https://inquiry.example/verify',
    apiKey: new Secret(apiKey),
    version: '2023-01-05',
    templates: { light: 'itmpl_light', full: 'itmpl_full' },
    environmentId: 'env_1',
    callbackSecrets: [new Secret(webhookSecret)],
    documentFields: new Map([['id-passport', 'passport-photo']]),
    passesWhen: 'approved',
    timeoutMs: 2_000,
  });
  api = await startPeopleApi({ kyc });
  flows = startFlows(api.ctx);
});
afterAll(async () => {
  await flows.stop();
  await api.close();
  await company.close();
});

let count = 0;
async function start(): Promise<{ locator: string; inquiryId: string; reviewId: string }> {
  const locator = `userId:person${++count}`;
  const put = (below: string, body?: object) => api.call('PUT', api.path(locator, below), { body });
  await put('/legal-documents', { type: 'svc-privacy-policy', acceptedAt: '2026-01-15T11:00:00Z' });
  await put('', aPerson({ firstName: `Person${count}` }));
  for (const documentType of ['id-passport', 'proof-of-address'])
    await api.call('POST', api.path(locator, '/documents'), {
      body: { documentType, content: aPng.toString('base64') },
    });
  const known = new Set(company.inquiries.keys());
  expect((await put('/identity-verification')).status).toBe(200);
  const reviewId = await eventually(
    'the inquiry is with the company, and its id is kept',
    async () => {
      const { rows } = await api.ctx.store.query<{ id: string; inquiry_id: string | null }>({
        text: 'select id, inquiry_id from identity_reviews',
      });
      return rows.find((row) => row.inquiry_id !== null && !known.has(row.inquiry_id))?.id;
    },
  );
  const { rows } = await api.ctx.store.query<{ inquiry_id: string }>({
    text: 'select inquiry_id from identity_reviews where id = $1',
    values: [reviewId],
  });
  return { locator, inquiryId: rows[0]!.inquiry_id, reviewId };
}

const decide = (inquiryId: string, status: string) => {
  company.inquiries.get(inquiryId)!.attributes.status = status;
};

interface CallbackOptions {
  readonly name?: string;
  readonly eventId?: string;
  readonly reference?: string;
  readonly at?: Date;
  readonly secret?: string;
}

function callback(inquiryId: string, options: CallbackOptions = {}): Promise<Response> {
  const {
    name = 'inquiry.approved',
    eventId = `evt_${Math.random()}`,
    at = api.clock.now(),
    secret = webhookSecret,
  } = options;
  const attributes = {
    status: name.split('.')[1],
    ...(options.reference !== undefined && { 'reference-id': options.reference }),
  };
  const body = JSON.stringify({
    data: {
      type: 'event',
      id: eventId,
      attributes: { name, payload: { data: { type: 'inquiry', id: inquiryId, attributes } } },
    },
  });
  const seconds = Math.floor(at.getTime() / 1_000);
  const signature = `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`;
  const headers = { 'content-type': 'application/json', 'persona-signature': signature };
  return fetch(`${api.baseUrl}/callbacks/identity`, { method: 'POST', headers, body });
}

const statusOf = async (locator: string) => {
  const { body } = await api.call('GET', api.path(locator, '/identity-verification'));
  return body.eligibility.find((entry: { type: string }) => entry.type === 'onramp')
    .status as string;
};
/** The clock stands still, so the flow's own next look never comes: only a callback wakes it. */
const until = (locator: string, status: string) =>
  eventually(`${locator} is ${status}`, async () => (await statusOf(locator)) === status);
const reads = (inquiryId: string) =>
  company.requests.filter(({ method, path }) => method === 'GET' && path.endsWith(inquiryId))
    .length;

describe('a callback', () => {
  test('wakes the review, which asks the company how the inquiry stands', async () => {
    const { locator, inquiryId } = await start();
    expect(await statusOf(locator)).toBe('pending-review');
    decide(inquiryId, 'approved');
    const answer = await callback(inquiryId);
    expect([answer.status, await answer.json()]).toEqual([200, { received: true }]);
    await until(locator, 'verified');
  });

  test('is not believed: what it says counts only when the company says so too', async () => {
    const { locator, inquiryId } = await start();
    const before = reads(inquiryId);
    expect((await callback(inquiryId, { name: 'inquiry.approved' })).status).toBe(200);
    await eventually('the company was asked', async () => reads(inquiryId) > before);
    expect(await statusOf(locator)).toBe('pending-review');
    decide(inquiryId, 'declined');
    await callback(inquiryId, { name: 'inquiry.approved' });
    await until(locator, 'rejected');
  });

  test('may come out of order: a late one of an earlier state changes nothing', async () => {
    const { locator, inquiryId } = await start();
    decide(inquiryId, 'approved');
    await callback(inquiryId, { name: 'inquiry.approved' });
    await until(locator, 'verified');
    for (const name of ['inquiry.started', 'inquiry.marked-for-review', 'inquiry.declined'])
      expect((await callback(inquiryId, { name })).status).toBe(200);
    expect(await statusOf(locator)).toBe('verified');
  });

  test('may come twice, and at once with itself: the second does nothing', async () => {
    const { locator, inquiryId } = await start();
    const before = reads(inquiryId);
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => callback(inquiryId, { eventId: `evt_same_${count}` })),
    );
    expect(answers.map((answer) => answer.status)).toEqual(Array(5).fill(200));
    await eventually('the company was asked', async () => reads(inquiryId) > before);
    const { rows } = await api.ctx.store.query<{ wakes: number }>({
      text: `select wakes from flows f join identity_reviews r on f.key = r.id::text where r.inquiry_id = $1`,
      values: [inquiryId],
    });
    expect(rows[0]!.wakes).toBe(1);
    expect(await statusOf(locator)).toBe('pending-review');
  });

  test('about an unknown inquiry is acknowledged, so that it is not sent again, and keeps nothing', async () => {
    expect((await callback('inq_of_somebody_else', { eventId: 'evt_unknown' })).status).toBe(200);
    const { rows } = await api.ctx.store.query({
      text: `select 1 from identity_callbacks where event_id = 'evt_unknown'`,
    });
    expect(rows).toEqual([]);
  });

  test('that comes before the company’s answer to the creation finds the review by its reference', async () => {
    const seen: number[] = [];
    company.intercept = async (request, response) => {
      if (request.method !== 'POST') return false;
      company.intercept = undefined;
      const { attributes } = request.body!.data;
      const data = {
        type: 'inquiry',
        id: 'inq_early',
        attributes: { ...attributes, status: 'pending' },
      };
      company.inquiries.set('inq_early', data);
      seen.push(
        (
          await callback('inq_early', {
            reference: attributes['reference-id'],
            eventId: 'evt_early',
          })
        ).status,
      );
      data.attributes.status = 'approved';
      send(response, 201, { data: { ...data, attributes: { ...attributes, status: 'pending' } } });
      return true;
    };
    const { locator } = await start();
    expect(seen).toEqual([200]);
    // The news is not lost: the flow does not wait for its next look, which never comes while the
    // clock stands still.
    await until(locator, 'verified');
  });

  test('with a wrong signature, none, or of another time is refused', async () => {
    const { locator, inquiryId } = await start();
    decide(inquiryId, 'approved');
    expect((await callback(inquiryId, { secret: 'guessed' })).status).toBe(401);
    for (const offMs of [-301_000, 301_000]) {
      const answer = await callback(inquiryId, { at: new Date(api.clock.now().getTime() + offMs) });
      expect([answer.status, ((await answer.json()) as { message: string }).message]).toEqual([
        401,
        expect.stringContaining('five minutes'),
      ]);
    }
    const unsigned = await fetch(`${api.baseUrl}/callbacks/identity`, {
      method: 'POST',
      body: '{}',
    });
    expect(unsigned.status).toBe(401);
    expect(await statusOf(locator)).toBe('pending-review');
  });

  test('that is too long is cut off, one that cannot be read is refused', async () => {
    const large = await fetch(`${api.baseUrl}/callbacks/identity`, {
      method: 'POST',
      body: 'x'.repeat(1_100_000),
    });
    expect(large.status).toBe(413);
    const body = '{"data":{}}';
    const seconds = Math.floor(api.clock.now().getTime() / 1_000);
    const signature = `t=${seconds},v1=${createHmac('sha256', webhookSecret).update(`${seconds}.${body}`).digest('hex')}`;
    const answer = await fetch(`${api.baseUrl}/callbacks/identity`, {
      method: 'POST',
      headers: { 'persona-signature': signature },
      body,
    });
    expect(answer.status).toBe(400);
  });

  test('is forgotten after a month', async () => {
    const seen = async () =>
      (await api.ctx.store.query({ text: 'select 1 from identity_callbacks' })).rowCount;
    await pruneIdentityCallbacks(api.ctx);
    expect(await seen()).toBeGreaterThan(0);
    await pruneIdentityCallbacks({
      store: api.ctx.store,
      clock: { now: () => new Date(api.clock.now().getTime() + 31 * 86_400_000) },
    });
    expect(await seen()).toBe(0);
  });
});

describe('without any callback', () => {
  test('a review looks by itself, less and less often', async () => {
    const { locator, inquiryId } = await start();
    decide(inquiryId, 'needs_review');
    for (let turn = 0; turn < 5; turn++) api.clock.advance(60_000);
    decide(inquiryId, 'approved');
    await eventually('verified', async () => {
      api.clock.advance(60_000);
      return (await statusOf(locator)) === 'verified';
    });
  });

  test('an outage of the company delays a review and loses none, and makes no second inquiry', async () => {
    let failures = 0;
    company.intercept = (_, response) => {
      failures++;
      response.writeHead(503).end();
      return true;
    };
    const starting = start();
    await eventually('the company was tried', async () => {
      api.clock.advance(30_000);
      return failures > 3;
    });
    company.intercept = undefined;
    const moving = setInterval(() => api.clock.advance(30_000), 20);
    const { locator, inquiryId, reviewId } = await starting;
    clearInterval(moving);
    expect(
      [...company.inquiries.values()].filter(
        (inquiry) => inquiry.attributes['reference-id'] === reviewId,
      ),
    ).toHaveLength(1);
    decide(inquiryId, 'approved');
    await callback(inquiryId);
    await until(locator, 'verified');
  });
});

describe('openInquiry', () => {
  const asServer = () => ({
    ...api.ctx,
    caller: {
      projectId: api.projectId,
      environment: 'development' as const,
      keyKind: 'server' as const,
      keyId: 'test',
      scopes: new Set<string>(),
    },
  });

  test('lets the person go on with the review that is under way, each time with a new token', async () => {
    const { locator, inquiryId } = await start();
    const [a, b] = [
      await openInquiry(asServer(), { locator, type: 'onramp' }),
      await openInquiry(asServer(), { locator, type: 'offramp' }),
    ];
    expect(a).toMatchObject({
      provider: 'persona',
      inquiryId,
      environmentId: 'env_1',
      sessionToken: expect.any(String),
    });
    expect(b.inquiryId).toBe(inquiryId);
    expect(b.sessionToken).not.toBe(a.sessionToken);
  });

  test('begins one for a user who accepted nothing, whom the company asks itself: nothing that is known goes there', async () => {
    const locator = 'userId:blank';
    await api.call('PUT', api.path(locator), { body: aPerson() });
    const { inquiryId } = await openInquiry(asServer(), { locator, type: 'onramp' });
    expect(company.inquiries.get(inquiryId)!.attributes).toMatchObject({
      'inquiry-template-id': 'itmpl_full',
      fields: {},
    });
    expect(await statusOf(locator)).toBe('pending-review');
    decide(inquiryId, 'approved');
    expect((await callback(inquiryId)).status).toBe(200);
    await until(locator, 'verified');
    await expect(openInquiry(asServer(), { locator, type: 'onramp' })).rejects.toMatchObject({
      code: 'conflict',
    });
  });

  test('is refused for who was refused, and while the company is away', async () => {
    const { locator, inquiryId } = await start();
    company.intercept = (_, response) => {
      response.destroy();
      return true;
    };
    await expect(openInquiry(asServer(), { locator, type: 'onramp' })).rejects.toMatchObject({
      code: 'provider-unavailable',
    });
    company.intercept = undefined;
    decide(inquiryId, 'declined');
    await callback(inquiryId);
    await until(locator, 'rejected');
    await expect(openInquiry(asServer(), { locator, type: 'onramp' })).rejects.toMatchObject({
      code: 'kyc-required',
    });
    await expect(
      openInquiry(asServer(), { locator: 'userId:nobody', type: 'onramp' }),
    ).rejects.toMatchObject({ code: 'user-not-found' });
  });
});

test('an instance without a company takes no callbacks', async () => {
  const off = await startPeopleApi({
    config: { identity: { ...api.ctx.config.identity, kyc: { kind: 'off' } } },
  });
  expect(
    (await fetch(`${off.baseUrl}/callbacks/identity`, { method: 'POST', body: '{}' })).status,
  ).toBe(404);
  await off.close();
});
