import { createHmac } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  exportJWK,
  exportSPKI,
  type GenerateKeyPairResult,
  generateKeyPair,
  type JWK,
  type JWTHeaderParameters,
  type JWTPayload,
  SignJWT,
} from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { testConfig } from '../../../test/harness/config.ts';
import { startTestDatabase, type TestDatabase } from '../../../test/harness/database.ts';
import { createManualClock } from '../../lib/clock.ts';
import type { ServiceError } from '../../lib/errors.ts';
import { systemIds } from '../../lib/id.ts';
import { createProject, type ProjectsCtx } from './projects.ts';
import { createHashUser, signOut } from './sign-outs.ts';
import { addTrustedIssuer, listTrustedIssuers, removeTrustedIssuer } from './trusted-issuers.ts';
import { createUserJwtCheck, type UserJwtCheck } from './user-jwt.ts';

type Keys = Record<'RS256' | 'ES256' | 'EdDSA', GenerateKeyPairResult>;

const clock = createManualClock();
const issuer = 'https://id.example';
let database: TestDatabase;
let ctx: ProjectsCtx;
let keys: Keys;
let jwks: { keys: JWK[] };
let projectId: string;
let check: UserJwtCheck;
let jwksServer: Server;
let served: {
  respond: () => { status?: number; body: string; delayMs?: number };
  requests: number;
};
let jwksUrl: string;

beforeAll(async () => {
  database = await startTestDatabase();
  ctx = { config: testConfig(), store: database.store, clock, ids: systemIds };
  keys = {
    RS256: await generateKeyPair('RS256'),
    ES256: await generateKeyPair('ES256'),
    EdDSA: await generateKeyPair('EdDSA', { crv: 'Ed25519' }),
  };
  jwks = {
    keys: await Promise.all(
      Object.entries(keys).map(async ([alg, pair]) => ({
        ...(await exportJWK(pair.publicKey)),
        kid: alg,
      })),
    ),
  };
  jwksServer = createServer((_, response) => {
    served.requests++;
    const { status = 200, body, delayMs } = served.respond();
    if (delayMs === undefined)
      response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  });
  await new Promise<void>((resolve) => jwksServer.listen(0, '127.0.0.1', resolve));
  jwksUrl = `http://127.0.0.1:${(jwksServer.address() as AddressInfo).port}/jwks`;
});
afterAll(async () => {
  jwksServer.closeAllConnections();
  await new Promise((resolve) => jwksServer.close(resolve));
  await database.close();
});
beforeEach(async () => {
  projectId = (await createProject(ctx, { name: 'Shop' })).id;
  check = createUserJwtCheck(ctx, createHashUser(ctx));
  served = { requests: 0, respond: () => ({ body: JSON.stringify(jwks) }) };
});

interface TokenInput {
  readonly alg?: keyof Keys;
  readonly header?: Partial<JWTHeaderParameters>;
  readonly claims?: JWTPayload;
}

const nowSeconds = () => Math.floor(clock.now().getTime() / 1_000);

function aToken({ alg = 'RS256', header, claims }: TokenInput = {}): Promise<string> {
  const payload: JWTPayload = {
    iss: issuer,
    aud: 'purser.test',
    sub: 'alice',
    exp: nowSeconds() + 600,
    ...claims,
  };
  return new SignJWT(
    Object.fromEntries(Object.entries(payload).filter(([, value]) => value !== undefined)),
  )
    .setProtectedHeader({ alg, kid: alg, ...header } as JWTHeaderParameters)
    .sign(keys[alg].privateKey);
}

const trust = (input: object = {}) =>
  addTrustedIssuer(ctx, { projectId, issuer, algorithm: 'RS256', jwks, ...input });
const refusalOf = (token: string) =>
  check.check(projectId, token).then(
    () => expect.fail('accepted'),
    (error: ServiceError) => ({ code: error.code, message: error.message }),
  );
const unsigned = (header: object, claims: object = {}) => {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part(header)}.${part({ iss: issuer, aud: 'purser.test', sub: 'alice', exp: nowSeconds() + 600, ...claims })}`;
};

describe('two issuers of one project', () => {
  const other = 'https://login.partner.example/tenant';
  const of = (iss: string, claims: JWTPayload = {}) => aToken({ claims: { iss, ...claims } });
  const userOf = async (token: string) => (await check.check(projectId, token)).user.value;

  test('have users of their own: the first keeps its names, the next has its host before them', async () => {
    await trust();
    await trust({ issuer: projectId });
    await trust({ issuer: other });
    expect(await userOf(await of(issuer))).toBe('alice');
    expect(await userOf(await of(projectId, { iss: projectId }))).toBe('alice');
    expect(await userOf(await of(other))).toBe('login.partner.example|alice');
    expect(await refusalOf(await of(issuer, { sub: 'login.partner.example|alice' }))).toMatchObject(
      {
        code: 'not-authorized.jwt-identifier',
      },
    );
    expect(await refusalOf(await of(other, { sub: 'x'.repeat(250) }))).toMatchObject({
      code: 'not-authorized.jwt-identifier',
    });
  });

  test('share users where the operator says so, and no namespace twice', async () => {
    await trust();
    await trust({ issuer: other, rules: { namespace: '' } });
    expect(await userOf(await of(other))).toBe('alice');
    await trust({ issuer: 'https://a.example', rules: { namespace: 'partner' } });
    await expect(
      trust({ issuer: 'https://b.example', rules: { namespace: 'partner' } }),
    ).rejects.toThrow('give this one another');
    await expect(
      trust({ issuer: 'https://c.example', rules: { namespace: 'a|b' } }),
    ).rejects.toThrow('A namespace has');
  });

  test('vouch for e-mail addresses only where they are allowed to', async () => {
    await trust();
    await trust({ issuer: other });
    await trust({ issuer: 'https://hr.example', rules: { vouchesForEmail: true } });
    const emailOf = async (iss: string) =>
      (
        await check.check(
          projectId,
          await of(iss, { email: 'victim@example.com', email_verified: true }),
        )
      ).verifiedEmail;
    expect([
      await emailOf(issuer),
      await emailOf(other),
      await emailOf('https://hr.example'),
    ]).toEqual(['victim@example.com', undefined, 'victim@example.com']);
  });
});

describe('a session', () => {
  const typed = (typ: string | undefined) => aToken({ header: { typ } });

  test.each([undefined, 'JWT', 'at+jwt', 'application/at+JWT'])(
    'is a token of type %s',
    async (typ) => {
      await trust();
      expect(await check.check(projectId, await typed(typ))).toBeTruthy();
    },
  );

  test.each(['logout+jwt', 'dpop+jwt', 'secevent+jwt', ''])(
    'is no token of type %j',
    async (typ) => {
      await trust();
      expect(await refusalOf(await typed(typ))).toMatchObject({
        code: 'not-authorized.jwt-invalid',
        message: expect.stringContaining('typ'),
      });
    },
  );

  test('is of the types of its issuer, where the operator named some, and of no other', async () => {
    const other = 'https://access.example';
    await trust();
    await trust({ issuer: other, rules: { types: ['access+jwt', 'at+jwt'] } });
    const of = (iss: string, typ?: string) =>
      aToken({ header: typ === undefined ? {} : { typ }, claims: { iss } });
    for (const typ of ['access+jwt', 'application/Access+JWT', 'at+jwt'])
      expect(await check.check(projectId, await of(other, typ)), typ).toBeTruthy();
    for (const typ of [undefined, 'JWT'])
      expect(await refusalOf(await of(other, typ))).toEqual({
        code: 'not-authorized.jwt-invalid',
        message:
          'The JWT is of another type (typ) than access+jwt or at+jwt: send the token of a sign-in.',
      });
    expect(await check.check(projectId, await of(issuer, 'JWT'))).toBeTruthy();
    expect(await refusalOf(await of(issuer, 'access+jwt'))).toMatchObject({
      code: 'not-authorized.jwt-invalid',
      message: expect.stringContaining('than jwt or at+jwt'),
    });
  });

  test('ends when it is too old, whatever exp says, also for a token that was seen before', async () => {
    await trust({ rules: { ageMaxSeconds: 3_600 } });
    const inFiftyYears = nowSeconds() + 50 * 365 * 86_400;
    const token = await aToken({ claims: { iat: nowSeconds() - 3_600, exp: inFiftyYears } });
    expect(await check.check(projectId, token)).toBeTruthy();
    clock.advance(60_000);
    expect(await refusalOf(token)).toMatchObject({ code: 'not-authorized.jwt-expired' });
    expect(await refusalOf(await aToken({ claims: { exp: inFiftyYears } }))).toMatchObject({
      code: 'not-authorized.jwt-invalid',
    });
  });

  test('may last 30 days where nothing is said', async () => {
    await trust();
    const aged = (days: number) =>
      aToken({ claims: { iat: nowSeconds() - days * 86_400, exp: nowSeconds() + 86_400 * 1_000 } });
    expect(await check.check(projectId, await aged(29))).toBeTruthy();
    expect(await refusalOf(await aged(31))).toMatchObject({ code: 'not-authorized.jwt-expired' });
  });

  test('ends when the user is signed out, within five seconds; the next sign-in begins another', async () => {
    await trust();
    const now = { iat: nowSeconds() };
    const [token, byEmail, undated, eve] = await Promise.all([
      aToken({ claims: now }),
      aToken({ claims: { ...now, sub: 'ann', email: 'alice@example.com', email_verified: true } }),
      aToken(),
      aToken({ claims: { ...now, sub: 'eve' } }),
    ]);
    for (const each of [token, byEmail, undated, eve])
      expect(await check.check(projectId, each)).toBeTruthy();
    clock.advance(1_000);
    await signOut(ctx, ctx.store, {
      projectId,
      locators: ['userId:alice', 'email:Alice@example.com'],
    });
    clock.advance(5_000);
    for (const each of [token, byEmail, undated])
      expect(await refusalOf(each)).toMatchObject({ code: 'not-authorized.jwt-expired' });
    expect(await check.check(projectId, eve)).toBeTruthy();
    expect(
      await check.check(projectId, await aToken({ claims: { iat: nowSeconds() } })),
    ).toBeTruthy();
  });
});

describe('a trusted issuer', () => {
  test.each(['RS256', 'ES256', 'EdDSA'] as const)('signs with %s', async (algorithm) => {
    await trust({ algorithm });
    expect(await check.check(projectId, await aToken({ alg: algorithm }))).toEqual({
      user: { kind: 'userId', value: 'alice' },
      verifiedEmail: undefined,
    });
  });

  test('may be self-issued: issuer is the project, the audience a list with the service', async () => {
    await trust({ issuer: projectId });
    expect(
      await check.check(
        projectId,
        await aToken({ claims: { iss: projectId, aud: ['other', 'purser.test'] } }),
      ),
    ).toMatchObject({
      user: { value: 'alice' },
    });
  });

  test('vouches for an e-mail address only when it is verified', async () => {
    await trust();
    const emailOf = async (claims: JWTPayload) =>
      (await check.check(projectId, await aToken({ claims }))).verifiedEmail;
    expect(await emailOf({ email: 'A.Lice@googlemail.com', email_verified: true })).toBe(
      'alice@gmail.com',
    );
    expect(await emailOf({ email: 'alice@example.com' })).toBeUndefined();
    expect(await emailOf({ email: 'alice@example.com', email_verified: false })).toBeUndefined();
    expect(await emailOf({ email: 'alice@example.com', email_verified: 'yes' })).toBeUndefined();
    expect(await emailOf({ email: 'no address', email_verified: true })).toBeUndefined();
  });

  test('may be 60 seconds off', async () => {
    await trust();
    expect(
      await check.check(
        projectId,
        await aToken({
          claims: { exp: nowSeconds() - 59, nbf: nowSeconds() + 59, iat: nowSeconds() + 59 },
        }),
      ),
    ).toBeTruthy();
    expect(await refusalOf(await aToken({ claims: { exp: nowSeconds() - 61 } }))).toMatchObject({
      code: 'not-authorized.jwt-expired',
    });
    expect(await refusalOf(await aToken({ claims: { nbf: nowSeconds() + 61 } }))).toMatchObject({
      code: 'not-authorized.jwt-invalid',
      message: expect.stringContaining('"nbf"'),
    });
  });

  test('is believed no longer than the token says, also for a token that was seen before', async () => {
    await trust();
    const token = await aToken({ claims: { exp: nowSeconds() - 50 } });
    expect(await check.check(projectId, token)).toBeTruthy();
    clock.advance(9_999);
    expect(await check.check(projectId, token)).toBeTruthy();
    clock.advance(1);
    expect(await refusalOf(token)).toMatchObject({ code: 'not-authorized.jwt-expired' });
  });

  test('is trusted by its own project only, and no longer when removed', async () => {
    const { id } = await trust();
    const other = (await createProject(ctx, { name: 'Other' })).id;
    await expect(check.check(other, await aToken())).rejects.toMatchObject({
      code: 'not-authorized.jwt-invalid',
    });
    const token = await aToken();
    expect(await check.check(projectId, token)).toBeTruthy();
    await removeTrustedIssuer(ctx, { id });
    clock.advance(5_000);
    for (const one of [token, await aToken()])
      expect(await refusalOf(one)).toMatchObject({
        message: expect.stringContaining('trusts no issuer yet'),
      });
  });

  test('is refused when it is wrongly described', async () => {
    await trust();
    const privateJwk = await exportJWK(
      (await generateKeyPair('ES256', { extractable: true })).privateKey,
    );
    const cases: readonly [object, string][] = [
      [{}, 'trusts the issuer'],
      [{ algorithm: 'HS256' }, 'The algorithm is one of'],
      [{ jwksUrl }, 'either the address'],
      [{ jwks: undefined }, 'either the address'],
      [{ jwks: { keys: [] } }, 'with 1 to 20 keys'],
      [{ jwks: { keys: [privateJwk] } }, 'public keys only'],
      [{ jwks: { keys: [{ kty: 'oct', k: 'AAAA' }] } }, 'public keys only'],
      [{ jwks: { keys: [{ kty: 'RSA', n: 'x' }] } }, 'cannot be read'],
      [{ jwks: undefined, jwksUrl: 'http://id.example/jwks' }, 'https address'],
      [{ jwks: undefined, jwksUrl: 'file:///etc/passwd' }, 'https address'],
      [{ issuer: '' }, '1 to 500'],
      [{ audiences: [] }, '1 to 20 audiences'],
      [{ projectId: 'x' }, 'no project'],
    ];
    for (const [input, message] of cases)
      await expect(trust(input), JSON.stringify(input)).rejects.toThrow(message);
    expect(await listTrustedIssuers(ctx, { projectId })).toHaveLength(1);
  });
});

describe('a JWT is refused', () => {
  beforeEach(() => trust());

  test.each([['no.jwt'], ['a.b.c'], ['..'], ['e30.e30.'], ['x'.repeat(9_000)]])(
    'when it is none: %s',
    async (token) => {
      expect(await refusalOf(token)).toMatchObject({ code: 'not-authorized.jwt-invalid' });
    },
  );

  test('when it is encrypted', async () => {
    expect(await refusalOf('eyJhbGciOiJSU0EtT0FFUCJ9.a.b.c.d')).toMatchObject({
      code: 'not-authorized.jwt-decryption',
    });
  });

  test('with alg none', async () => {
    for (const alg of ['none', 'None', 'NONE', ''])
      expect(await refusalOf(`${unsigned({ alg, kid: 'RS256' })}.`)).toMatchObject({
        code: 'not-authorized.jwt-invalid',
        message: expect.stringContaining('RS256'),
      });
  });

  test('signed with HMAC by the public key', async () => {
    const secret = await exportSPKI(keys.RS256.publicKey);
    const input = unsigned({ alg: 'HS256', kid: 'RS256' });
    expect(
      await refusalOf(`${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`),
    ).toMatchObject({
      code: 'not-authorized.jwt-invalid',
    });
  });

  test('signed with another algorithm than the pinned one, although its key is in the set', async () => {
    expect(await refusalOf(await aToken({ alg: 'ES256' }))).toMatchObject({
      code: 'not-authorized.jwt-invalid',
      message: expect.stringContaining('pinned'),
    });
  });

  test('of another issuer, for another audience, without expiry', async () => {
    expect(
      await refusalOf(await aToken({ claims: { iss: 'https://evil.example' } })),
    ).toMatchObject({
      code: 'not-authorized.jwt-invalid',
      message: expect.stringContaining('`iss`'),
    });
    expect(await refusalOf(await aToken({ claims: { aud: 'other' } }))).toMatchObject({
      code: 'not-authorized.jwt-invalid',
      message: expect.stringContaining('"aud" is wrong'),
    });
    expect(await refusalOf(await aToken({ claims: { aud: undefined } }))).toMatchObject({
      message: expect.stringContaining('"aud" is missing'),
    });
    expect(await refusalOf(await aToken({ claims: { exp: undefined } }))).toMatchObject({
      message: expect.stringContaining('"exp" is missing'),
    });
  });

  test('without a user that a locator can name', async () => {
    for (const sub of [undefined, '', 'a\u0000b', 'x'.repeat(256), 42 as never])
      expect(await refusalOf(await aToken({ claims: { sub } }))).toMatchObject({
        code: 'not-authorized.jwt-identifier',
      });
  });

  test('with a changed claim or signature', async () => {
    const [header, , signature] = (await aToken()).split('.') as [string, string, string];
    const forged = unsigned({}, { sub: 'bob' }).split('.')[1]!;
    expect(await refusalOf(`${header}.${forged}.${signature}`)).toMatchObject({
      code: 'not-authorized.jwt-invalid',
      message: 'The signature of the JWT does not verify.',
    });
  });

  test('signed by a key that is not in the set: the message names its kid', async () => {
    expect(await refusalOf(await aToken({ header: { kid: 'rotated-away' } }))).toEqual({
      code: 'ERROR_JWT_INVALID',
      message: expect.stringMatching(/"rotated-away".*ERROR_JWT_INVALID/),
    });
    expect((await refusalOf(await aToken({ header: { kid: '"\n<b>' } }))).message).toContain(
      '"??<b>"',
    );
  });

  test('signed by a key that the token itself brings or points to, by jwk, jku, x5u or x5c: nothing is fetched', async () => {
    const own = await generateKeyPair('RS256');
    const jwk = { ...(await exportJWK(own.publicKey)), kid: 'RS256', alg: 'RS256' };
    served.respond = () => ({ body: JSON.stringify({ keys: [jwk] }) });
    for (const header of [
      { jwk },
      { jku: jwksUrl },
      { x5u: jwksUrl },
      { x5c: ['AAAA'] },
      { kid: jwksUrl },
    ])
      for (const kid of ['RS256', undefined]) {
        const token = await new SignJWT({
          iss: issuer,
          aud: 'purser.test',
          sub: 'alice',
          exp: nowSeconds() + 600,
        })
          .setProtectedHeader({
            alg: 'RS256',
            ...(kid && { kid }),
            ...header,
          } as JWTHeaderParameters)
          .sign(own.privateKey);
        expect(await refusalOf(token)).toMatchObject({
          code: expect.stringMatching(/jwt-invalid|JWT_INVALID/),
        });
      }
    expect(served.requests).toBe(0);
  });

  test('with a critical header that nobody understands', async () => {
    const input = unsigned({ alg: 'RS256', kid: 'RS256', crit: ['exp'], exp: 1 });
    expect(await refusalOf(`${input}.AAAA`)).toMatchObject({ code: 'not-authorized.jwt-invalid' });
  });
});

describe('a key set at an address', () => {
  const remote = () => trust({ jwks: undefined, jwksUrl });

  test('is fetched once for many tokens', async () => {
    await remote();
    for (let count = 0; count < 5; count++)
      expect(
        await check.check(projectId, await aToken({ claims: { sub: `user-${count}` } })),
      ).toBeTruthy();
    expect(served.requests).toBe(1);
  });

  test('is fetched again for an unknown kid, though not within the cool-down', async () => {
    await remote();
    await check.check(projectId, await aToken());
    for (let count = 0; count < 5; count++)
      expect(await refusalOf(await aToken({ header: { kid: 'unknown' } }))).toMatchObject({
        code: 'ERROR_JWT_INVALID',
      });
    expect(served.requests).toBe(1);
  });

  test('that sends on to another address is not followed there', async () => {
    let followed = 0;
    const elsewhere = createServer((_, response) => {
      followed++;
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(jwks));
    });
    await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
    const location = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/`;
    let status = 0;
    const redirecting = createServer(
      (_, response) => void response.writeHead(status, { location }).end(),
    );
    await new Promise<void>((resolve) => redirecting.listen(0, '127.0.0.1', resolve));
    await trust({
      jwks: undefined,
      jwksUrl: `http://127.0.0.1:${(redirecting.address() as AddressInfo).port}/`,
    });
    for (status of [301, 302, 303, 307, 308]) {
      check = createUserJwtCheck(ctx, createHashUser(ctx));
      expect(await refusalOf(await aToken())).toMatchObject({ code: 'provider-unavailable' });
    }
    redirecting.close();
    elsewhere.close();
    expect(followed).toBe(0);
  });

  test.each([
    ['an error', () => ({ status: 500, body: '' })],
    ['no JSON', () => ({ body: 'hello' })],
    ['no key set', () => ({ body: '{"keys":3}' })],
    ['a redirect', () => ({ status: 302, body: '' })],
    [
      'more than 256 KiB',
      () => ({ body: JSON.stringify({ ...jwks, padding: 'x'.repeat(300_000) }) }),
    ],
  ])('that answers with %s makes the user retry, not sign in again', async (_, respond) => {
    await remote();
    served.respond = respond;
    expect(await refusalOf(await aToken())).toMatchObject({ code: 'provider-unavailable' });
  });
});
