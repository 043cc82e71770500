import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aPerson, type PeopleApi, startPeopleApi } from './test-kit.ts';

let api: PeopleApi;
beforeAll(async () => {
  api = await startPeopleApi();
});
afterAll(() => api.close());

const get = (locator: string, below?: string) => api.call('GET', api.path(locator, below));
const put = (locator: string, body: unknown, below?: string) =>
  api.call('PUT', api.path(locator, below), { body });
let count = 0;
const fresh = (kind = 'userId') =>
  `${kind}:${kind === 'email' ? `person${++count}@example.com` : `person_${++count}`}`;

describe('PUT user', () => {
  test('creates a user and answers the four booleans', async () => {
    const locator = fresh();
    expect((await get(locator)).status).toBe(404);
    const created = await put(locator, aPerson());
    expect(created.status).toBe(200);
    expect(created.body).toEqual({
      userId: locator.slice('userId:'.length),
      email: 'alice@example.com',
      phoneNumber: '+4915112345678',
      userDetails: true,
      kycData: true,
      dueDiligence: true,
      verificationHistory: true,
      legalDocuments: [],
    });
    expect((await get(locator)).body).toEqual(created.body);
  });

  test('is not additive: what is left out is gone', async () => {
    const locator = fresh();
    await put(locator, aPerson());
    const { userDetails } = aPerson();
    expect((await put(locator, { userDetails })).body).toMatchObject({
      userDetails: true,
      kycData: false,
      dueDiligence: false,
      verificationHistory: false,
    });
    const { body } = await get(locator);
    expect(body).not.toHaveProperty('email');
    expect(body).not.toHaveProperty('phoneNumber');
  });

  test('keeps accepted legal documents', async () => {
    const locator = fresh();
    await put(
      locator,
      { type: 'svc-privacy-policy', acceptedAt: '2026-01-15T11:00:00Z' },
      '/legal-documents',
    );
    expect((await put(locator, {})).body.legalDocuments).toEqual([
      { type: 'svc-privacy-policy', acceptedAt: '2026-01-15T11:00:00.000Z', isValidVersion: true },
    ]);
  });

  test('ignores unknown fields', async () => {
    expect(
      (
        await put(fresh(), {
          nickname: 'Al',
          userDetails: { ...aPerson().userDetails, middleName: 'B' },
        })
      ).status,
    ).toBe(200);
  });

  const person = aPerson();
  test.each([
    ['no body', undefined, 'missing'],
    ['a list', [], 'body'],
    [
      'a date of birth that is none',
      { userDetails: { ...person.userDetails, dateOfBirth: '1990-02-30' } },
      'dateOfBirth',
    ],
    [
      'a date of birth to come',
      { userDetails: { ...person.userDetails, dateOfBirth: '2027-01-01' } },
      'must not be in the future',
    ],
    [
      'a date of birth of another age',
      { userDetails: { ...person.userDetails, dateOfBirth: '1776-07-04' } },
      '1900',
    ],
    [
      'a country that is none',
      { userDetails: { ...person.userDetails, countryOfResidence: 'XX' } },
      'ISO 3166',
    ],
    [
      'a missing last name',
      { userDetails: { ...person.userDetails, lastName: undefined } },
      'lastName',
    ],
    [
      'an empty first name',
      { userDetails: { ...person.userDetails, firstName: ' ' } },
      'firstName',
    ],
    [
      'a name with a control character',
      { userDetails: { ...person.userDetails, firstName: 'A\u0007' } },
      'control',
    ],
    ['an e-mail that is none', { kycData: { ...person.kycData, email: 'alice' } }, 'e-mail'],
    [
      'a phone number that is none',
      { kycData: { ...person.kycData, phoneNumber: '0151 12345678' } },
      'E.164',
    ],
    [
      'an address without a city',
      { kycData: { ...person.kycData, addressOfResidence: { line1: 'x', postalCode: '1' } } },
      'city',
    ],
    [
      'a document of an unknown type',
      {
        kycData: {
          ...person.kycData,
          identityDocument: { ...person.kycData.identityDocument, type: 'visa' },
        },
      },
      'identityDocument.type',
    ],
    [
      'a social security number of another country',
      {
        kycData: {
          ...person.kycData,
          identityDocument: { type: 'ssn', number: '123-45-6789', issuingCountryCode: 'DE' },
        },
      },
      'must be US',
    ],
    [
      'a social security number that is too short',
      {
        kycData: {
          ...person.kycData,
          identityDocument: { type: 'ssn', number: '12345678', issuingCountryCode: 'US' },
        },
      },
      '9 digits',
    ],
    ['half of due diligence', { dueDiligence: { industry: 'x' } }, 'dueDiligence'],
    [
      'a verification to come',
      {
        verificationHistory: {
          ...person.verificationHistory,
          idVerificationTimestamp: '2030-01-01T00:00:00Z',
        },
      },
      'future',
    ],
    [
      'a verification at no instant',
      {
        verificationHistory: {
          ...person.verificationHistory,
          idVerificationTimestamp: 'yesterday',
        },
      },
      'ISO 8601',
    ],
  ])('refuses %s with 400', async (_, body, message) => {
    const locator = fresh();
    const answer = await put(locator, body);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({
      error: true,
      code: 'validation-error',
      message: expect.stringContaining(message),
    });
    expect((await get(locator)).status).toBe(404);
  });

  test('of two first calls at once both succeed, and one user is made', async () => {
    const locator = fresh('email');
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => put(locator, { userDetails: aPerson().userDetails })),
    );
    expect(answers.map((answer) => answer.status)).toEqual(Array(8).fill(200));
    expect(new Set(answers.map((answer) => answer.body.userId)).size).toBe(1);
    expect((await get(locator)).body.userId).toBe(answers[0]!.body.userId);
  });
});

describe('locators', () => {
  test.each([
    ['email:Some.Body@Gmail.com', 'email:somebody@googlemail.com', { email: 'somebody@gmail.com' }],
    ['email:UPPER@Example.com', 'email:upper@example.com', { email: 'upper@example.com' }],
    ['phoneNumber:+14155550123', 'phoneNumber:+14155550123', { phoneNumber: '+14155550123' }],
    ['twitter:@JackD', 'x:jackd', {}],
    ['userId:a:b/c d', 'userId:a:b/c d', { userId: 'a:b/c d' }],
  ])('%s names the same user as %s', async (locator, other, fields) => {
    const created = await put(locator, {});
    expect(created.status).toBe(200);
    expect(created.body).toMatchObject(fields);
    expect((await get(other)).body).toEqual(created.body);
  });

  test('a user without a user id of the project can be named by the one that is answered', async () => {
    const { body } = await put(fresh('email'), {});
    expect((await get(`userId:${body.userId}`)).body).toEqual(body);
  });

  test.each(['alice', 'email:nobody', 'phoneNumber:123', 'COMPANY', 'email:', 'passkey:abc'])(
    '%s is refused with 400',
    async (locator) => {
      const answer = await get(locator);
      expect([answer.status, answer.body.code]).toEqual([400, 'invalid-locator']);
    },
  );

  test('data that looks alike links nobody', async () => {
    const [a, b] = [fresh(), fresh('email')];
    await put(a, aPerson({ email: b.slice('email:'.length) }));
    expect((await get(b)).status).toBe(404);
    await put(b, aPerson());
    expect((await get(a)).body.userId).not.toBe((await get(b)).body.userId);
  });

  test('a server call may say that locators are one person, of whom none, one or both are known', async () => {
    const [a, b, c, d] = [fresh(), fresh('email'), fresh('twitter'), fresh('email')] as [
      string,
      string,
      string,
      string,
    ];
    await put(a, { userDetails: aPerson().userDetails, locators: [b] });
    expect((await get(b)).body).toMatchObject({
      userId: a.slice(7),
      email: b.slice(6),
      userDetails: true,
    });
    await put(c, { locators: [b] });
    expect((await get(c)).body.userId).toBe(a.slice(7));
    await put(d, {});
    const before = (await get(d)).body.userId;
    await put(d, { userDetails: aPerson().userDetails, locators: [a] });
    const after = (await get(d)).body;
    expect(after.userId).toBe(a.slice(7));
    expect((await get(`userId:${before}`)).body).toEqual(after);
  });

  test('calls that link and change two users at once lose nothing, and leave one person', async () => {
    for (let round = 0; round < 12; round++) {
      const [a, b] = [fresh(), fresh('email')];
      await Promise.all([put(a, {}), put(b, {})]);
      const document = { type: 'svc-privacy-policy', acceptedAt: '2026-01-15T11:00:00Z' };
      const answers = await Promise.all([
        put(a, { locators: [b] }),
        put(b, { locators: [a] }),
        put(b, document, '/legal-documents'),
        put(a, { locators: [b] }),
      ]);
      expect(answers.map((answer) => answer.status)).toEqual(Array(4).fill(200));
      const [ofA, ofB] = [(await get(a)).body, (await get(b)).body];
      expect(ofB).toEqual(ofA);
      expect(ofA.legalDocuments).toHaveLength(1);
    }
  });

  test('two users who both have data stay two: 409', async () => {
    const [a, b] = [fresh(), fresh('email')];
    await put(a, aPerson());
    await put(b, aPerson({ firstName: 'Bob' }));
    const answer = await put(a, { ...aPerson(), locators: [b] });
    expect(answer.status).toBe(409);
    expect(answer.body).toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('not made one'),
    });
    expect((await get(a)).body.userId).not.toBe((await get(b)).body.userId);
  });
});

describe('the end user of a client key', () => {
  const asUser = async (sub: string, claims = {}) => ({
    key: api.clientKey,
    jwt: await api.userJwt(sub, claims),
  });

  test('creates, reads and changes its own user only', async () => {
    const own = await asUser('carol');
    expect(
      (await api.call('PUT', api.path('userId:carol'), { ...own, body: aPerson() })).status,
    ).toBe(200);
    expect((await api.call('GET', api.path('userId:carol'), own)).body.userId).toBe('carol');
    await put('userId:dave', aPerson());
    for (const locator of [
      'userId:dave',
      'userId:nobody-there',
      'email:carol@example.com',
      `userId:${crypto.randomUUID()}`,
    ]) {
      for (const method of ['GET', 'PUT']) {
        const answer = await api.call(method, api.path(locator), {
          ...own,
          body: method === 'PUT' ? {} : undefined,
        });
        expect([locator, method, answer.status, answer.body.code]).toEqual([
          locator,
          method,
          404,
          'user-not-found',
        ]);
      }
    }
    expect((await get('userId:dave')).body.kycData).toBe(true);
    expect((await get('email:carol@example.com')).status).toBe(404);
  });

  test('is one person with its verified e-mail, whoever was there first', async () => {
    const claims = { email: 'E.rin@gmail.com', email_verified: true };
    await put('email:erin@gmail.com', { userDetails: aPerson().userDetails });
    const linked = await api.call('PUT', api.path('userId:erin', '/legal-documents'), {
      ...(await asUser('erin', claims)),
      body: { type: 'svc-privacy-policy', acceptedAt: '2026-01-15T11:00:00Z' },
    });
    expect(linked.status).toBe(200);
    expect((await get('userId:erin')).body).toMatchObject({
      userId: 'erin',
      email: 'erin@gmail.com',
      userDetails: true,
    });
    expect((await get('email:erin@gmail.com')).body.legalDocuments).toHaveLength(1);
  });

  test('reads its user by the verified e-mail before anything was linked', async () => {
    await put('userId:frank', { userDetails: aPerson().userDetails });
    const frank = await asUser('frank', { email: 'frank@example.com', email_verified: true });
    expect((await api.call('GET', api.path('email:frank@example.com'), frank)).body.userId).toBe(
      'frank',
    );
    expect((await get('email:frank@example.com')).status).toBe(404);
  });

  test('an e-mail that is not verified links nothing', async () => {
    const heidi = await asUser('heidi', { email: 'heidi@example.com', email_verified: false });
    expect((await api.call('PUT', api.path('userId:heidi'), { ...heidi, body: {} })).status).toBe(
      200,
    );
    expect((await api.call('GET', api.path('email:heidi@example.com'), heidi)).status).toBe(404);
    expect((await get('email:heidi@example.com')).status).toBe(404);
  });

  test('with data under both names stays two users, and each name its own', async () => {
    await put('email:ivan@example.com', aPerson({ firstName: 'Ivan' }));
    await put('userId:ivan', aPerson({ firstName: 'Other' }));
    const ivan = await asUser('ivan', { email: 'ivan@example.com', email_verified: true });
    expect(
      (await api.call('PUT', api.path('userId:ivan'), { ...ivan, body: aPerson() })).status,
    ).toBe(200);
    expect((await get('email:ivan@example.com')).body.userId).not.toBe('ivan');
  });

  test('cannot say who is one person: 400', async () => {
    const answer = await api.call('PUT', api.path('userId:judy'), {
      ...(await asUser('judy')),
      body: { locators: ['userId:dave'] },
    });
    expect([answer.status, answer.body.code]).toEqual([400, 'validation-error']);
  });
});

describe('legal documents', () => {
  const accept = (locator: string, body: unknown) => put(locator, body, '/legal-documents');

  test('creates the user when missing and answers when it was accepted', async () => {
    const locator = fresh();
    const answer = await accept(locator, {
      type: 'svc-privacy-policy',
      acceptedAt: '2026-01-15T12:30:00+01:00',
    });
    expect([answer.status, answer.body]).toEqual([200, { acceptedAt: '2026-01-15T11:30:00.000Z' }]);
    expect((await get(locator)).body.legalDocuments).toEqual([
      { type: 'svc-privacy-policy', acceptedAt: '2026-01-15T11:30:00.000Z', isValidVersion: true },
    ]);
    await accept(locator, { type: 'svc-privacy-policy', acceptedAt: '2026-01-15T11:45:00Z' });
    expect((await get(locator)).body.legalDocuments).toHaveLength(1);
  });

  test.each([
    [{ type: 'other', acceptedAt: '2026-01-15T11:00:00Z' }],
    [{ type: 'svc-privacy-policy' }],
    [{ type: 'svc-privacy-policy', acceptedAt: '2026-01-15' }],
    [{ type: 'svc-privacy-policy', acceptedAt: '2026-01-16T11:00:00Z' }],
  ])('refuses %j with 400', async (body) => {
    const answer = await accept(fresh(), body);
    expect([answer.status, answer.body.code]).toEqual([400, 'validation-error']);
  });

  test('an acceptance of a policy that was replaced since is told apart', async () => {
    const later = await startPeopleApi({
      config: {
        identity: { ...api.ctx.config.identity, privacyPolicySince: new Date('2026-01-10') },
      },
    });
    for (const [sub, acceptedAt] of [
      ['old', '2026-01-09T00:00:00Z'],
      ['new', '2026-01-11T00:00:00Z'],
    ])
      await later.call('PUT', later.path(`userId:${sub}`, '/legal-documents'), {
        body: { type: 'svc-privacy-policy', acceptedAt },
      });
    const validOf = async (sub: string) =>
      (await later.call('GET', later.path(`userId:${sub}`))).body.legalDocuments[0].isValidVersion;
    expect([await validOf('old'), await validOf('new')]).toEqual([false, true]);
    await later.close();
  });
});
