import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../jobs/test-kit.ts';
import { sandboxSlowMs } from '../../providers/kyc/sandbox.ts';
import { aPerson, aPng, type PeopleApi, startFlows, startPeopleApi } from '../users/test-kit.ts';
import { setProductEnabled } from './index.ts';

let api: PeopleApi;
let flows: ReturnType<typeof startFlows>;
beforeAll(async () => {
  api = await startPeopleApi();
  flows = startFlows(api.ctx);
});
afterAll(async () => {
  await flows.stop();
  await api.close();
});

let count = 0;
const fresh = () => `userId:person${++count}`;
const put = (locator: string, body: unknown, below?: string) =>
  api.call('PUT', api.path(locator, below), { body });
const start = (locator: string) => api.call('PUT', api.path(locator, '/identity-verification'));
const read = (locator: string) => api.call('GET', api.path(locator, '/identity-verification'));
const accept = (locator: string) =>
  put(
    locator,
    { type: 'svc-privacy-policy', acceptedAt: '2026-01-15T11:00:00Z' },
    '/legal-documents',
  );
const upload = (locator: string, documentType: string) =>
  api.call('POST', api.path(locator, '/documents'), {
    body: { documentType, content: aPng.toString('base64') },
  });

type Entry = { type: string; status: string; missingData?: string[]; missingDocuments?: string[] };
const entriesOf = (answer: { body: any }) => answer.body.eligibility as Entry[];
const statuses = (answer: { body: any }) =>
  Object.fromEntries(entriesOf(answer).map((entry) => [entry.type, entry.status]));
const all = (status: string) =>
  Object.fromEntries(
    ['onramp', 'onramp-light', 'offramp', 'offramp-light', 'regulated-transfer'].map((type) => [
      type,
      status,
    ]),
  );
const until = (locator: string, type: string, status: string) =>
  eventually(`${type} of ${locator} is ${status}`, async () => {
    // The clock stands still; each look of the flow is a second and more apart.
    api.clock.advance(1_000);
    const answer = await read(locator);
    return statuses(answer)[type] === status && answer;
  });

async function aUser(
  person: object = aPerson(),
  documents: readonly string[] = ['id-passport', 'proof-of-address'],
): Promise<string> {
  const locator = fresh();
  await accept(locator);
  await put(locator, person);
  for (const document of documents) await upload(locator, document);
  return locator;
}

const findFlowByKey = async (key: string) =>
  (
    await api.ctx.store.query<{ status: string }>({
      text: 'select status from flows where key = $1',
      values: [key],
    })
  ).rows[0];

async function eventsOf(locator: string) {
  const { rows } = await api.ctx.store.query<{ type: string; projectId: string; data: any }>({
    text: `select type, project_id as "projectId", data from outbox where data->>'userLocator' = $1 order by written`,
    values: [locator],
  });
  return rows;
}

describe('eligibility', () => {
  test('of a new user has every type as not-started', async () => {
    const locator = fresh();
    await put(locator, {});
    const answer = await read(locator);
    expect(answer.status).toBe(200);
    expect(statuses(answer)).toEqual(all('not-started'));
  });

  test('of an unknown user is 404, also to start', async () => {
    for (const answer of [await read(fresh()), await start(fresh())])
      expect([answer.status, answer.body.code]).toEqual([404, 'user-not-found']);
  });

  test('waits for the privacy policy, and goes on once it was accepted', async () => {
    const locator = fresh();
    await put(locator, aPerson());
    expect(statuses(await start(locator))).toEqual(all('pending-privacy-policy'));
    expect(statuses(await start(locator))).toEqual(all('pending-privacy-policy'));
    await accept(locator);
    expect(statuses(await read(locator))).toEqual(all('not-started'));
  });

  test('says what each type lacks', async () => {
    const locator = fresh();
    await accept(locator);
    expect(entriesOf(await start(locator))).toEqual([
      {
        type: 'onramp',
        status: 'requires-data',
        missingData: ['user-details', 'kyc-data'],
        missingDocuments: ['id'],
      },
      {
        type: 'onramp-light',
        status: 'requires-data',
        missingData: ['user-details'],
        missingDocuments: [],
      },
      {
        type: 'offramp',
        status: 'requires-data',
        missingData: ['user-details', 'kyc-data'],
        missingDocuments: ['id', 'proof-of-address'],
      },
      {
        type: 'offramp-light',
        status: 'requires-data',
        missingData: ['user-details'],
        missingDocuments: [],
      },
      {
        type: 'regulated-transfer',
        status: 'requires-data',
        missingData: ['user-details', 'kyc-data'],
        missingDocuments: ['id', 'proof-of-address'],
      },
    ]);
    await upload(locator, 'id-idcard-front');
    expect(entriesOf(await read(locator))[0]!.missingDocuments).toEqual(['id']);
    await upload(locator, 'id-idcard-back');
    expect(entriesOf(await read(locator))[0]).toEqual({
      type: 'onramp',
      status: 'requires-data',
      missingData: ['user-details', 'kyc-data'],
      missingDocuments: [],
    });
  });

  test('light types are verified with user details alone, the full ones once the rest is there', async () => {
    const { userDetails } = aPerson();
    const locator = await aUser({ userDetails }, []);
    expect(statuses(await start(locator))).toEqual({
      ...all('requires-data'),
      'onramp-light': 'pending-review',
      'offramp-light': 'pending-review',
    });
    expect(statuses(await until(locator, 'onramp-light', 'verified'))).toMatchObject({
      'offramp-light': 'verified',
      offramp: 'requires-data',
    });
    await put(locator, aPerson());
    await upload(locator, 'id-passport');
    expect(statuses(await start(locator))).toMatchObject({
      'onramp-light': 'verified',
      onramp: 'pending-review',
      offramp: 'requires-data',
    });
    await upload(locator, 'proof-of-address');
    await start(locator);
    expect(statuses(await until(locator, 'regulated-transfer', 'verified'))).toMatchObject(
      all('verified'),
    );
  });

  test('residents of the US need for offramp-light what offramp needs', async () => {
    const locator = await aUser({ userDetails: aPerson({ country: 'us' }).userDetails }, []);
    const answer = await start(locator);
    expect(entriesOf(answer).find(({ type }) => type === 'offramp-light')).toEqual({
      type: 'offramp-light',
      status: 'requires-data',
      missingData: ['kyc-data'],
      missingDocuments: ['id', 'proof-of-address'],
    });
    expect(statuses(answer)['onramp-light']).toBe('pending-review');
    // A social security card is an identity document there, and only there.
    await upload(locator, 'id-ssn');
    expect(
      entriesOf(await read(locator)).find(({ type }) => type === 'offramp-light')!.missingDocuments,
    ).toEqual(['proof-of-address']);
    const german = await aUser(aPerson(), ['id-ssn']);
    expect(entriesOf(await start(german))[0]!.missingDocuments).toEqual(['id']);
  });
});

describe('a review', () => {
  test('is asynchronous: pending-review first, verified later, and both are told in the outbox', async () => {
    const locator = await aUser();
    expect(statuses(await start(locator))).toEqual(all('pending-review'));
    await until(locator, 'offramp', 'verified');
    const events = await eventsOf(locator);
    expect(events.map((event) => event.type)).toEqual(
      Array(2).fill('users.identity-verification.updated'),
    );
    expect(
      events.map((event) => event.data.eligibility.map((entry: Entry) => entry.status)),
    ).toEqual([Array(5).fill('pending-review'), Array(5).fill('verified')]);
    expect(events[1]).toMatchObject({ projectId: api.projectId, data: { userLocator: locator } });
  });

  test('refused is rejected, and stays so for the same data', async () => {
    const locator = await aUser(aPerson({ lastName: 'Refuse' }));
    await start(locator);
    await until(locator, 'onramp', 'rejected');
    expect(statuses(await start(locator))).toEqual(all('rejected'));
    await put(locator, aPerson({ lastName: 'Refuse' }));
    expect(statuses(await read(locator))).toEqual(all('rejected'));
  });

  test('a rejected person does not reopen the review with other data; the project does', async () => {
    const locator = await aUser(aPerson({ lastName: 'Refuse' }));
    await start(locator);
    await until(locator, 'onramp', 'rejected');
    const other = aPerson({ lastName: 'Miller' });
    const jwt = await api.userJwt(locator.slice('userId:'.length));
    expect(
      (await api.call('PUT', api.path(locator), { key: api.clientKey, jwt, body: other })).status,
    ).toBe(200);
    await accept(locator);
    expect(statuses(await start(locator))).toEqual(all('rejected'));
    await put(locator, other);
    expect(statuses(await read(locator))).toEqual(all('not-started'));
  });

  test('a rejection by the light check leaves the full types open, and holds every type that needs no more than was refused', async () => {
    // In the US offramp-light needs the full check, so the light one is about onramp-light alone.
    const person = aPerson({ lastName: 'Refuse', country: 'us' });
    const locator = await aUser({ userDetails: person.userDetails }, []);
    await start(locator);
    await until(locator, 'onramp-light', 'rejected');
    expect(statuses(await read(locator))).toEqual({
      ...all('requires-data'),
      'onramp-light': 'rejected',
    });
    // Who was refused moves and takes another name, so that offramp-light would need the light
    // check only.
    const other = aPerson({ lastName: 'Miller' });
    const jwt = await api.userJwt(locator.slice('userId:'.length));
    const asPerson = { key: api.clientKey, jwt };
    expect(
      (
        await api.call('PUT', api.path(locator), {
          ...asPerson,
          body: { userDetails: other.userDetails },
        })
      ).status,
    ).toBe(200);
    const held = {
      ...all('requires-data'),
      'onramp-light': 'rejected',
      'offramp-light': 'rejected',
    };
    expect(statuses(await start(locator))).toEqual(held);
    expect(statuses(await read(locator))).toEqual(held);
    expect((await api.call('PUT', api.path(locator), { ...asPerson, body: other })).status).toBe(
      200,
    );
    for (const document of ['id-passport', 'proof-of-address']) await upload(locator, document);
    await start(locator);
    expect(statuses(await until(locator, 'onramp', 'verified'))).toEqual({
      ...all('verified'),
      'onramp-light': 'rejected',
      'offramp-light': 'rejected',
    });
    // The project stands behind the other data: what was held is open with what was rejected.
    await put(locator, aPerson({ lastName: 'Mueller' }));
    expect(statuses(await read(locator))).toEqual({
      ...all('not-started'),
      'offramp-light': 'requires-data',
    });
  });

  test('a rejection by the full check holds the types that could not be checked then, too', async () => {
    const locator = await aUser(aPerson({ lastName: 'Refuse' }), ['id-passport']);
    await start(locator);
    await until(locator, 'onramp', 'rejected');
    const jwt = await api.userJwt(locator.slice('userId:'.length));
    expect(
      (
        await api.call('PUT', api.path(locator), {
          key: api.clientKey,
          jwt,
          body: aPerson({ lastName: 'Miller' }),
        })
      ).status,
    ).toBe(200);
    await upload(locator, 'proof-of-address');
    expect(statuses(await start(locator))).toEqual(all('rejected'));
    await put(locator, aPerson({ lastName: 'Miller' }));
    await start(locator);
    expect(statuses(await until(locator, 'offramp', 'verified'))).toEqual(all('verified'));
  });

  test('other data is reviewed again, whatever the first review said', async () => {
    const rejected = await aUser(aPerson({ lastName: 'Refuse' }));
    await start(rejected);
    await until(rejected, 'onramp', 'rejected');
    await put(rejected, aPerson({ lastName: 'Miller' }));
    expect(statuses(await read(rejected))).toEqual(all('not-started'));
    await start(rejected);
    await until(rejected, 'onramp', 'verified');
    // The address is no part of the light check.
    const moved = {
      ...aPerson(),
      kycData: {
        ...aPerson().kycData,
        addressOfResidence: { line1: 'Elsewhere 2', city: 'Bonn', postalCode: '53111' },
      },
    };
    await put(rejected, moved);
    expect(statuses(await read(rejected))).toEqual({
      ...all('not-started'),
      'onramp-light': 'verified',
      'offramp-light': 'verified',
    });
  });

  test('data that changes meanwhile takes it back: its result no longer counts', async () => {
    const locator = await aUser(aPerson({ firstName: 'Slow' }));
    await start(locator);
    await put(locator, aPerson({ firstName: 'Alice' }));
    expect(statuses(await read(locator))).toEqual(all('not-started'));
    const { rows } = await api.ctx.store.query<{ id: string }>({
      text: `select id from identity_reviews where status = 'superseded'`,
    });
    expect(rows).toHaveLength(1);
    // The flow is woken and ends by itself, although the clock stands still.
    await eventually(
      'the flow ends',
      async () => (await findFlowByKey(rows[0]!.id))?.status === 'done',
    );
    api.clock.advance(sandboxSlowMs);
    expect(statuses(await read(locator))).toEqual(all('not-started'));
  });

  test('slow takes a minute', { tags: 'slow' }, async () => {
    const locator = await aUser(aPerson({ firstName: 'Slow' }));
    await start(locator);
    await until(locator, 'onramp', 'verified');
  });

  test('that asks for a document becomes requires-data, and an upload from before does not answer it', async () => {
    const locator = await aUser(aPerson({ lastName: 'Document' }));
    await start(locator);
    const asked = await until(locator, 'onramp', 'requires-data');
    expect(entriesOf(asked)[0]).toEqual({
      type: 'onramp',
      status: 'requires-data',
      missingData: [],
      missingDocuments: ['id'],
    });
    expect(statuses(await start(locator)).onramp).toBe('requires-data');
    await upload(locator, 'id-passport');
    // The lists are there after the upload too, and say that the next start goes on.
    expect(entriesOf(await read(locator))[0]).toEqual({
      type: 'onramp',
      status: 'requires-data',
      missingData: [],
      missingDocuments: [],
    });
    expect(statuses(await start(locator)).onramp).toBe('pending-review');
    await until(locator, 'onramp', 'verified');
  });

  test('that the company does not take, and one that expires, may be started again', async () => {
    const untaken = await aUser(aPerson({ lastName: 'Untaken' }));
    await start(untaken);
    await until(untaken, 'onramp', 'not-started');
    const expired = await aUser(aPerson({ lastName: 'Page' }));
    await start(expired);
    await eventually('the inquiry is there', async () => {
      const { rows } = await api.ctx.store.query<{ n: number }>({
        text: `select count(*)::int as n from identity_reviews where status = 'active' and inquiry_id is not null`,
      });
      return rows[0]!.n > 0;
    });
    api.clock.advance(25 * 60 * 60_000);
    await until(expired, 'onramp', 'not-started');
  });

  test('is started twenty times a day by one user', { tags: 'slow' }, async () => {
    const locator = await aUser();
    const answers: number[] = [];
    for (let turn = 0; turn < 22; turn++) {
      await put(locator, aPerson({ lastName: `Miller ${turn}` }));
      answers.push((await start(locator)).status);
    }
    expect(answers.filter((status) => status === 200)).toHaveLength(20);
    expect(answers.slice(20)).toEqual([429, 429]);
  });
});

describe('a project without the product', () => {
  afterEach(() => setProductEnabled(api.ctx, { projectId: api.projectId, enabled: true }));

  test('is refused with 403 at the endpoints of identity verification, and linked wallets go on', async () => {
    const locator = await aUser();
    const { documentId } = (await upload(locator, 'id-passport')).body;
    await setProductEnabled(api.ctx, { projectId: api.projectId, enabled: false });
    const calls = [
      put(locator, {}),
      start(locator),
      read(locator),
      upload(locator, 'id-passport'),
      api.call('GET', api.path(locator, `/documents/${documentId}`)),
    ];
    for (const answer of await Promise.all(calls)) {
      expect([answer.status, answer.body.code]).toEqual([403, 'project:addon.required']);
      expect(answer.body.message).toContain('not configured for the users KYC endpoints');
    }
    expect((await api.call('GET', api.path(locator))).status).toBe(200);
    expect((await accept(locator)).status).toBe(200);
  });

  test('is every project where no company is configured', async () => {
    const off = await startPeopleApi({
      config: { identity: { ...api.ctx.config.identity, kyc: { kind: 'off' } } },
    });
    expect((await off.call('PUT', off.path('userId:a'), { body: {} })).status).toBe(403);
    await off.close();
  });
});
