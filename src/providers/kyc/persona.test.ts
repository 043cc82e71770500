import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Secret } from '../../lib/sealing/secret.ts';
import { testKyc } from './kyc.contract.ts';
import { type CreateInquiryInput, isNotTaken, KycOutage } from './kyc.ts';
import { createPersonaKyc, type PersonaOptions } from './persona.ts';
import { type PersonaServer, send, startPersonaServer } from './testing/persona-server.ts';

const apiKey = 'persona_sandbox_key-1';
const [secret, oldSecret] = [new Secret('wbhsec_new'), new Secret('wbhsec_old')];

const optionsFor = (
  server: PersonaServer,
  overrides: Partial<PersonaOptions> = {},
): PersonaOptions => ({
  url: server.url,
  hostedUrl: 'https://inquiry.example/verify',
  apiKey: new Secret(apiKey),
  version: '2023-01-05',
  templates: { light: 'itmpl_light', full: 'itmpl_full' },
  environmentId: 'env_1',
  callbackSecrets: [secret, oldSecret],
  documentFields: new Map([['id-passport', 'passport-photo']]),
  passesWhen: 'approved',
  timeoutMs: 500,
  ...overrides,
});

const sign = (body: Buffer, at: Date, key = secret) => {
  const seconds = Math.floor(at.getTime() / 1_000);
  return `t=${seconds},v1=${createHmac('sha256', key.reveal()).update(`${seconds}.${body.toString()}`).digest('hex')}`;
};

/** The documented example of an event, with our inquiry in it. */
const anEvent = (inquiryId: string, overrides: object = {}) =>
  Buffer.from(
    JSON.stringify({
      data: {
        type: 'event',
        id: 'evt_XGuYWp7WuDzNxie5z16s7sGJ',
        attributes: {
          name: 'inquiry.approved',
          payload: {
            data: {
              type: 'inquiry',
              id: inquiryId,
              attributes: {
                status: 'approved',
                'reference-id': 'ref-1',
                'created-at': '2019-09-09T22:40:56.000Z',
                'expired-at': null,
              },
              relationships: { reports: { data: [] } },
            },
            included: [{ type: 'template', id: 'blu_1', attributes: { name: 'Acme #1' } }],
          },
          'created-at': '2019-09-09T22:46:27.598Z',
        },
        ...overrides,
      },
    }),
  );

testKyc('persona', async () => {
  const server = await startPersonaServer(apiKey);
  const statuses = {
    passed: 'approved',
    refused: 'declined',
    'in-review': 'needs_review',
    'document-requested': 'pending',
  };
  return {
    kyc: createPersonaKyc(optionsFor(server)),
    waitingPerson: { firstName: 'Jane', lastName: 'Doe' },
    decide: async (inquiryId, how) => {
      server.inquiries.get(inquiryId)!.attributes.status = statuses[how];
    },
    callback: (inquiryId, { at }) => {
      const body = anEvent(inquiryId);
      return { headers: { 'persona-signature': sign(body, at) }, body };
    },
    close: () => server.close(),
  };
});

describe('persona', () => {
  let server: PersonaServer;
  beforeEach(async () => {
    server = await startPersonaServer(apiKey);
  });
  afterEach(() => server.close());

  const input: CreateInquiryInput = {
    level: 'full',
    reference: 'ref-1',
    idempotencyKey: 'key-1',
    person: {
      firstName: 'Jane',
      lastName: 'Doe',
      dateOfBirth: '1995-09-08',
      countryOfResidence: 'US',
      email: 'jane@doe.example',
      phoneNumber: '+14155550123',
      nationality: 'US',
      address: {
        line1: '123 Main St',
        city: 'San Francisco',
        stateOrRegion: 'California',
        postalCode: '94111',
      },
      identityDocument: { type: 'passport', number: 'C01X00T47', issuingCountryCode: 'US' },
    },
    documents: [
      {
        documentType: 'id-passport',
        mediaType: 'image/png',
        fileName: 'id-passport.png',
        content: Buffer.from('picture'),
      },
      {
        documentType: 'proof-of-income',
        mediaType: 'application/pdf',
        fileName: 'x.pdf',
        content: Buffer.from('not asked for'),
      },
    ],
    answered: [],
    missing: [],
  };

  test('sends template, reference, fields and files as the company documents them', async () => {
    await createPersonaKyc(optionsFor(server)).createInquiry(input);
    const [search, create] = server.requests;
    expect(search).toMatchObject({
      method: 'GET',
      path: '/v1/inquiries?filter%5Breference-id%5D=ref-1&page%5Bsize%5D=1',
    });
    expect(create).toMatchObject({
      method: 'POST',
      path: '/v1/inquiries',
      headers: {
        authorization: `Bearer ${apiKey}`,
        'persona-version': '2023-01-05',
        'key-inflection': 'kebab',
        'idempotency-key': 'key-1',
        'content-type': 'application/json',
      },
    });
    expect(create!.body).toEqual({
      data: {
        attributes: {
          'inquiry-template-id': 'itmpl_full',
          'reference-id': 'ref-1',
          fields: {
            'name-first': 'Jane',
            'name-last': 'Doe',
            birthdate: '1995-09-08',
            'email-address': 'jane@doe.example',
            'phone-number': '+14155550123',
            'address-street-1': '123 Main St',
            'address-city': 'San Francisco',
            'address-subdivision': 'California',
            'address-postal-code': '94111',
            'address-country-code': 'US',
            'identification-number': 'C01X00T47',
            'passport-photo': {
              filename: 'id-passport.png',
              io: Buffer.from('picture').toString('base64'),
            },
          },
        },
      },
    });
  });

  test('the level chooses the template', async () => {
    await createPersonaKyc(optionsFor(server)).createInquiry({
      ...input,
      level: 'light',
      person: {},
      documents: [],
    });
    expect(server.requests[1]!.body!.data.attributes).toEqual({
      'inquiry-template-id': 'itmpl_light',
      'reference-id': 'ref-1',
      fields: {},
    });
  });

  test('a creation whose answer was lost is found again, not made twice', async () => {
    const kyc = createPersonaKyc(optionsFor(server));
    let dropped = 0;
    server.intercept = (request, response) => {
      if (request.method !== 'POST' || dropped > 0) return false;
      dropped++;
      // The company did it; the connection breaks before it says so.
      server.inquiries.set('inq_lost', {
        type: 'inquiry',
        id: 'inq_lost',
        attributes: { ...request.body!.data.attributes, status: 'created' },
      });
      response.destroy();
      return true;
    };
    await expect(kyc.createInquiry(input)).rejects.toBeInstanceOf(KycOutage);
    expect(await kyc.createInquiry(input)).toEqual({ id: 'inq_lost', state: 'waiting' });
    expect(server.inquiries.size).toBe(1);
  });

  test.each([
    ['created', 'waiting'],
    ['pending', 'waiting'],
    ['completed', 'in-review'],
    ['needs_review', 'in-review'],
    ['approved', 'passed'],
    ['declined', 'refused'],
    ['failed', 'refused'],
    ['expired', 'expired'],
    ['a-word-of-next-year', 'in-review'],
    ['constructor', 'in-review'],
  ])('%s is %s', async (status, state) => {
    server.inquiries.set('inq_1', { type: 'inquiry', id: 'inq_1', attributes: { status } });
    expect(await createPersonaKyc(optionsFor(server)).readInquiry('inq_1')).toEqual({
      id: 'inq_1',
      state,
    });
  });

  test('completed is passed where the templates decide nothing themselves', async () => {
    server.inquiries.set('inq_1', {
      type: 'inquiry',
      id: 'inq_1',
      attributes: { status: 'completed' },
    });
    expect(
      (await createPersonaKyc(optionsFor(server, { passesWhen: 'completed' })).readInquiry('inq_1'))
        .state,
    ).toBe('passed');
  });

  test('a session carries what the browser component and the hosted page need', async () => {
    server.inquiries.set('inq_1', {
      type: 'inquiry',
      id: 'inq_1',
      attributes: { status: 'pending' },
    });
    const session = (await createPersonaKyc(optionsFor(server)).openSession('inq_1'))!;
    expect(session).toMatchObject({ inquiryId: 'inq_1', environmentId: 'env_1' });
    const url = new URL(session.url!);
    expect(url.origin + url.pathname).toBe('https://inquiry.example/verify');
    expect(Object.fromEntries(url.searchParams)).toEqual({
      'inquiry-id': 'inq_1',
      'session-token': session.sessionToken,
    });
  });

  test('what the company does not take is a result, and says no more than titles', async () => {
    server.intercept = (request, response) => {
      if (request.method !== 'POST') return false;
      send(response, 422, {
        errors: [{ title: 'Invalid field', code: 'x', details: 'birthdate 1995-09-08 is odd' }],
      });
      return true;
    };
    const answer = await createPersonaKyc(optionsFor(server)).createInquiry(input);
    expect(answer).toEqual({ notTaken: 'status 422: Invalid field' });
    expect(isNotTaken(answer)).toBe(true);
  });

  test.each([
    ['500', 500, '{}'],
    ['a rate limit', 429, '{}'],
    ['that the key is wrong', 401, '{}'],
    ['a call under way with the same key', 409, '{}'],
    ['HTML', 200, '<html>'],
    ['another form', 200, '{"data":{"identifier":1}}'],
  ])('%s is an outage: to be tried again', async (_, status, body) => {
    server.intercept = (_request, response) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(body);
      return true;
    };
    const kyc = createPersonaKyc(optionsFor(server));
    for (const call of [() => kyc.createInquiry(input), () => kyc.readInquiry('inq_1')])
      await expect(call()).rejects.toBeInstanceOf(KycOutage);
  });

  test('silence, a broken connection and a closed port are outages, and name no person', async () => {
    const kyc = createPersonaKyc(optionsFor(server));
    server.intercept = () => true;
    await expect(kyc.readInquiry('inq_secret')).rejects.toThrow(
      'did not answer in time (GET /inquiries/…)',
    );
    server.intercept = (_, response) => {
      response.destroy();
      return true;
    };
    const error = await kyc.createInquiry(input).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(KycOutage);
    expect(String(error)).not.toContain('ref-1');
    await server.close();
    await expect(kyc.redactInquiry('inq_1')).rejects.toThrow('cannot be reached');
  });

  test('an answer of many megabytes is not read to its end', async () => {
    server.intercept = (_, response) => {
      response.writeHead(200);
      response.end(Buffer.alloc(5 * 1024 * 1024, 0x20));
      return true;
    };
    await expect(
      createPersonaKyc(optionsFor(server, { timeoutMs: 5_000 })).readInquiry('inq_1'),
    ).rejects.toThrow('more than');
  });

  test('a call can be aborted', async () => {
    server.intercept = () => true;
    const aborter = new AbortController();
    const call = createPersonaKyc(optionsFor(server, { timeoutMs: 60_000 })).readInquiry(
      'inq_1',
      aborter.signal,
    );
    aborter.abort();
    await expect(call).rejects.toBeInstanceOf(KycOutage);
  });

  describe('callbacks', () => {
    const at = new Date('2026-01-15T12:00:00Z');
    const read = (body: Buffer, header: string | string[]) =>
      createPersonaKyc(optionsFor(server)).readCallback({
        headers: { 'persona-signature': header },
        body,
        now: at,
      });

    test('carry the reference, and may be signed with the old secret, alone or beside the new', () => {
      const body = anEvent('inq_1');
      const expected = {
        eventId: 'evt_XGuYWp7WuDzNxie5z16s7sGJ',
        inquiryId: 'inq_1',
        reference: 'ref-1',
      };
      expect(read(body, sign(body, at))).toEqual(expected);
      expect(read(body, sign(body, at, oldSecret))).toEqual(expected);
      expect(
        read(body, `${sign(body, at, new Secret('retired'))} ${sign(body, at, oldSecret)}`),
      ).toEqual(expected);
      expect(read(body, sign(body, at, new Secret('retired')))).toEqual({
        refused: 'wrong-signature',
      });
    });

    test('about something else, or none at all, are malformed', () => {
      const others = [
        Buffer.from('{'),
        Buffer.from('{}'),
        anEvent('inq_1', { type: 'report' }),
        anEvent('acc_1', {
          attributes: {
            name: 'account.created',
            payload: { data: { type: 'account', id: 'act_1' } },
          },
        }),
      ];
      for (const body of others)
        expect(read(body, sign(body, at))).toEqual({ refused: 'malformed' });
    });
  });
});
