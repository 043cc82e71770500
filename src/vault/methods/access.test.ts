import { randomUUID } from 'node:crypto';
import { exportJWK, generateKeyPair } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CallOptions } from '../../../test/harness/http.ts';
import { startTestVault, type TestVault } from '../../../test/harness/vault.ts';
import { issueKey } from '../../areas/api-keys/index.ts';
import { addTrustedIssuer, createProject } from '../../areas/projects/index.ts';
import { aUsBody } from '../testing/methods-kit.ts';

const path = '/unstable/payment-methods';
let vault: TestVault;
let other: { readonly projectId: string; readonly serverKey: string };
let noScope: string;
let method: Record<string, unknown> & { paymentMethodId: string };
let theirs: string;
const jwts: Record<'alice' | 'mallory' | 'byEmail' | 'unverified', string> = {
  alice: '',
  mallory: '',
  byEmail: '',
  unverified: '',
};

beforeAll(async () => {
  vault = await startTestVault();
  const { api } = vault;
  const project = await createProject(api.ctx, { name: 'Other' });
  const key = await issueKey(api.ctx, { projectId: project.id, kind: 'server' });
  other = { projectId: project.id, serverKey: key.key };
  noScope = (
    await issueKey(api.ctx, {
      projectId: api.projectId,
      kind: 'server',
      scopes: ['orders', 'users.read'],
    })
  ).key;
  await addTrustedIssuer(api.ctx, {
    projectId: project.id,
    issuer: 'https://other.test',
    algorithm: 'ES256',
    jwks: { keys: [await aPublicJwk()] },
  });
  await vault.directory.run();
  jwts.alice = await api.userJwt('alice');
  jwts.mallory = await api.userJwt('mallory');
  jwts.byEmail = await api.userJwt('someone', { email: 'a.l.ice@gmail.com', email_verified: true });
  jwts.unverified = await api.userJwt('someone-else', {
    email: 'alice@gmail.com',
    email_verified: false,
  });
  method = (await vault.call('POST', path, { body: aUsBody() })).body;
  theirs = (await vault.call('POST', path, { key: other.serverKey, body: aUsBody() })).body
    .paymentMethodId;
});
afterAll(() => vault?.close());

async function aPublicJwk() {
  return exportJWK((await generateKeyPair('ES256')).publicKey);
}

const asClient = (jwt: string | undefined): CallOptions => ({ key: vault.api.clientKey, jwt });

/** Every way to ask without the right to, and what it may be told. */
const strangers: readonly (readonly [
  who: string,
  options: () => CallOptions,
  byId: number,
  list: number,
  create: number,
])[] = [
  ['no key', () => ({ key: null }), 401, 401, 401],
  ['a malformed key', () => ({ key: 'sk_staging_x' }), 401, 401, 401],
  [
    'a key that the service never issued',
    () => ({ key: `${vault.api.serverKey.slice(0, -6)}AAAAAA` }),
    401,
    401,
    401,
  ],
  ['a key without the scope', () => ({ key: noScope }), 403, 403, 403],
  ['another project’s key', () => ({ key: other.serverKey }), 404, 200, 201],
  ['another user’s JWT', () => asClient(jwts.mallory), 404, 404, 404],
  ['a JWT whose e-mail is not verified', () => asClient(jwts.unverified), 404, 404, 404],
  ['a client key without a JWT', () => asClient(undefined), 401, 401, 401],
  ['a JWT that nobody signed', () => asClient(`${jwts.alice.slice(0, -8)}AAAAAAAA`), 401, 401, 401],
];

describe.each(strangers)('with %s', (_who, options, byId, list, create) => {
  const hosts = () => [vault.call, vault.api.call] as const;
  const same = async (verb: string, body?: object) => {
    for (const call of hosts()) {
      const [known, unknown] = [method.paymentMethodId, randomUUID()].map((id) =>
        call(verb, `${path}/${id}`, { ...options(), body }),
      );
      const [at, nowhere] = [await known!, await unknown!];
      expect([verb, at.status, at.text]).toEqual([verb, byId, nowhere.text]);
      expect(nowhere.status).toBe(byId);
      expect(at.text).not.toContain('Example');
    }
  };

  it(`GET by id is ${byId}, the same as for an id that never was`, () => same('GET'));
  it(`PATCH is ${byId}, and changes nothing`, () =>
    same('PATCH', { billing: { name: 'Mallory' } }));
  it(`DELETE is ${byId}, and deletes nothing`, () => same('DELETE'));
  it(`the list of the user is ${list}, and shows nothing of them`, async () => {
    for (const call of hosts()) {
      const answer = await call('GET', `${path}?userLocator=userId:alice`, options());
      expect(answer.status).toBe(list);
      expect(answer.text).not.toContain(method.paymentMethodId);
    }
  });
  it(`creating for the user is ${create}, and never tells that the account is known`, async () => {
    const answer = await vault.call('POST', path, {
      ...options(),
      body: aUsBody({}, { accountNumber: '5550001111' }),
    });
    expect(answer.status).toBe(create);
    if (create === 201)
      await vault.call('DELETE', `${path}/${answer.body.paymentMethodId}`, options());
  });
  it('the method is as it was', async () => {
    expect((await vault.call('GET', `${path}/${method.paymentMethodId}`)).body).toEqual(method);
    expect((await vault.call('GET', `${path}/${theirs}`, { key: other.serverKey })).status).toBe(
      200,
    );
  });
});

describe('a client key with a JWT', () => {
  it('creates, reads, changes and deletes the methods of its user, without a locator', async () => {
    const created = await vault.call('POST', path, {
      ...asClient(jwts.alice),
      body: aUsBody({ userLocator: undefined }, { accountNumber: '98765432' }),
    });
    expect(created.status).toBe(201);
    const at = `${path}/${created.body.paymentMethodId}`;
    const list = await vault.api.call('GET', path, asClient(jwts.alice));
    expect(list.body.data.map((one: { paymentMethodId: string }) => one.paymentMethodId)).toEqual([
      created.body.paymentMethodId,
      method.paymentMethodId,
    ]);
    expect((await vault.call('GET', at, asClient(jwts.alice))).status).toBe(200);
    expect(
      (
        await vault.api.call('PATCH', at, {
          ...asClient(jwts.alice),
          body: { billing: { name: 'Alice C.' } },
        })
      ).status,
    ).toBe(200);
    expect((await vault.call('DELETE', at, asClient(jwts.mallory))).status).toBe(404);
    expect((await vault.call('DELETE', at, asClient(jwts.alice))).status).toBe(204);
  });

  it('reaches what is saved under its verified e-mail address', async () => {
    const created = await vault.call('POST', path, {
      body: aUsBody({ userLocator: 'email:alice@gmail.com' }),
    });
    const at = `${path}/${created.body.paymentMethodId}`;
    expect((await vault.call('GET', at, asClient(jwts.byEmail))).status).toBe(200);
    expect((await vault.call('GET', at, asClient(jwts.unverified))).status).toBe(404);
    expect((await vault.call('GET', at, asClient(jwts.alice))).status).toBe(404);
  });

  it('may name its own user and nobody else', async () => {
    const own = await vault.call('POST', path, { ...asClient(jwts.alice), body: aUsBody() });
    expect([own.status, own.body.paymentMethodId]).toEqual([200, method.paymentMethodId]);
    const foreign = await vault.call('POST', path, { ...asClient(jwts.mallory), body: aUsBody() });
    expect([foreign.status, foreign.body.code]).toEqual([404, 'user-not-found']);
    const nobody = await vault.call('POST', path, {
      ...asClient(jwts.mallory),
      body: aUsBody({ userLocator: 'userId:never-was' }),
    });
    expect([nobody.status, nobody.body]).toEqual([404, foreign.body]);
  });
});

describe('deleted, foreign and unknown methods', () => {
  it('are told apart by nothing: status, body and headers are the same', async () => {
    const gone = (await vault.call('POST', path, { body: aUsBody({ userLocator: 'userId:gone' }) }))
      .body.paymentMethodId as string;
    await vault.call('DELETE', `${path}/${gone}`);
    const answers = [];
    for (const id of [gone, theirs, randomUUID(), 'not-a-uuid'])
      for (const call of [vault.call, vault.api.call]) {
        const { status, body, headers } = await call('GET', `${path}/${id}`);
        // The vault ends its connections; whom it asked the caller knows.
        answers.push({
          status,
          body,
          headers: [...headers.keys()].filter(
            (name) => !/^(date|x-request-id|keep-alive)$/.test(name),
          ),
        });
      }
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]).toMatchObject({
      status: 404,
      body: { error: true, code: 'payment-method-not-found' },
    });
  });

  it('are looked up by one statement, whichever they are', async () => {
    const { store } = vault.ctx;
    const counted: string[] = [];
    const original = store.query;
    store.query = ((statement) => {
      // Not what the vault does beside it, at times of its own.
      if (/^(internal-nonce|payment-method|user-key|owner|person)/.test(statement.name ?? ''))
        counted.push(statement.name!);
      return original(statement);
    }) as typeof original;
    try {
      const seen = [];
      for (const id of [theirs, randomUUID()]) {
        counted.length = 0;
        await vault.clients.api
          .getPaymentMethod({ projectId: vault.api.projectId, id })
          .catch(() => undefined);
        seen.push(counted.join(' '));
      }
      expect(seen[0]).toBe(seen[1]);
      expect(seen[0]).toContain('payment-method-by-id');
    } finally {
      store.query = original;
    }
  });
});
