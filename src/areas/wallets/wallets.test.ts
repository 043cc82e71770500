import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { evmParts } from '../../../test/harness/evm.ts';
import { startTestApi, type TestApi } from '../../../test/harness/http.ts';
import { walletRoutes } from './routes.ts';

const admin = '0xabCDeF0123456789AbcdEf0123456789aBCDEF01';
const external = { type: 'external-wallet', address: admin };
const wallets = '/2025-06-09/wallets';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ routes: walletRoutes, ...evmParts });
});
afterAll(() => api.close());

function evm(fields: Record<string, unknown> = {}) {
  return { chainType: 'evm', type: 'smart', config: { adminSigner: external }, ...fields };
}
const create = (body: unknown, options: object = {}) =>
  api.call('POST', wallets, { body, ...options });
const read = (locator: string, options: object = {}) =>
  api.call('GET', `${wallets}/${locator}`, options);

describe('create wallet', () => {
  it('answers 201 with the wallet, which echoes the admin signer exactly and carries no error', async () => {
    const { status, body } = await create(evm({ owner: 'userId:ann' }));
    expect(status).toBe(201);
    expect(body).toMatchObject({
      chainType: 'evm',
      type: 'smart',
      owner: 'userId:ann',
      config: {
        adminSigner: {
          type: 'external-wallet',
          address: admin,
          locator: `external-wallet:${admin}`,
        },
        delegatedSigners: [],
      },
    });
    expect(body.address).toMatch(/^0x[0-9a-fA-F]{40}$/);
    expect(body.createdAt).toMatch(/Z$/);
    expect(body).not.toHaveProperty('error');
  });

  it('answers 200 with the existing wallet when the owner has one; config is not applied again', async () => {
    const first = await create(evm({ owner: 'userId:ben' }));
    const again = await create(
      evm({ owner: 'userId:ben', config: { adminSigner: { type: 'server', address: admin } } }),
    );
    expect(again.status).toBe(200);
    expect(again.body).toEqual(first.body);
  });

  it('refuses an admin whose mixed-case address has a wrong checksum, and takes one case as well as the right mix', async () => {
    const of = (address: string) =>
      create(evm({ config: { adminSigner: { type: 'external-wallet', address } } }));
    const mistyped = await of(admin.replace('C', 'c'));
    expect([mistyped.status, mistyped.body.code]).toEqual([400, 'validation-error']);
    expect(mistyped.body.message).toMatch(/^config\.adminSigner\.address: has a wrong checksum/);
    for (const address of [admin, admin.toLowerCase(), `0x${admin.slice(2).toUpperCase()}`]) {
      const { status, body } = await of(address);
      expect([status, body.config.adminSigner.address]).toEqual([201, address]);
    }
  });

  it('gives an owner another wallet for another alias', async () => {
    const plain = await create(evm({ owner: 'userId:cy' }));
    const alias = await create(
      evm({ owner: 'userId:cy', alias: 's-0123456789abcdef0123456789abcdef01' }),
    );
    expect(alias.status).toBe(201);
    expect(alias.body.address).not.toBe(plain.body.address);
  });

  it('gives 50 concurrent calls for one owner one wallet', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => create(evm({ owner: 'userId:crowd' }))),
    );
    expect(new Set(answers.map(({ body }) => body.address)).size).toBe(1);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(49);
  });

  it('sees one person behind two spellings of an e-mail, and of a handle', async () => {
    const first = await create(evm({ owner: 'email:Jo.Doe@GoogleMail.com' }));
    const second = await create(evm({ owner: 'email:jodoe@gmail.com' }));
    expect([second.status, second.body.address]).toEqual([200, first.body.address]);
    const x = await create(evm({ owner: 'x:Purser' }));
    const twitter = await create(evm({ owner: 'twitter:purser' }));
    expect([twitter.status, twitter.body.address]).toEqual([200, x.body.address]);
  });

  it('derives the address from seed and signers: same again is 400 wallet-already-exists, another seed another address', async () => {
    const one = await create(evm({ config: { adminSigner: external, creationSeed: 'one' } }));
    const again = await create(evm({ config: { adminSigner: external, creationSeed: 'one' } }));
    const two = await create(evm({ config: { adminSigner: external, creationSeed: 'two' } }));
    expect([again.status, again.body.code]).toEqual([400, 'wallet-already-exists']);
    expect(two.body.address).not.toBe(one.body.address);
  });

  it('makes a new wallet each time when neither owner nor alias is given', async () => {
    const [one, two] = [await create(evm()), await create(evm())];
    expect(one.body.address).not.toBe(two.body.address);
    expect(one.body).not.toHaveProperty('owner');
  });

  it('takes an api-key admin signer without any field and names its address', async () => {
    const { status, body } = await create(evm({ config: { adminSigner: { type: 'api-key' } } }));
    expect(status).toBe(201);
    const { adminSigner } = body.config as { adminSigner: Record<string, string> };
    expect(adminSigner).toEqual({
      type: 'api-key',
      address: expect.stringMatching(/^0x/),
      locator: `api-key:${adminSigner['address']}`,
    });
  });

  it('returns 200 with that wallet for a repeated idempotency key', async () => {
    const headers = { 'x-idempotency-key': 'make-me-once' };
    const first = await create(evm(), { headers });
    const second = await create(evm(), { headers });
    expect([first.status, second.status]).toEqual([201, 200]);
    expect(second.body).toEqual(first.body);
  });

  it('answers 422 for a repeated idempotency key with another body, whatever the first answer was', async () => {
    await create(evm({ owner: 'userId:known' }));
    const send = (key: string, body: unknown) =>
      create(body, { headers: { 'x-idempotency-key': key } });
    expect((await send('k-existing', evm({ owner: 'userId:known' }))).status).toBe(200);
    expect((await send('k-existing', evm({ owner: 'userId:another' }))).body.code).toBe(
      'idempotency-key-reused',
    );
    expect((await send('k-refused', { chainType: 'evm' })).status).toBe(400);
    expect((await send('k-refused', evm())).body.code).toBe('idempotency-key-reused');
    expect((await read('userId:another:evm')).status).toBe(404);
  });

  it('answers the owner as it was asked for, also when it is another spelling', async () => {
    const first = await create(evm({ owner: 'x:@FooBar' }));
    const second = await create(evm({ owner: 'twitter:foobar' }));
    expect([second.status, second.body.address, second.body.owner]).toEqual([
      200,
      first.body.address,
      'twitter:foobar',
    ]);
  });

  it('refuses a wallet locator as owner: it would be another user', async () => {
    for (const owner of [
      'userId:ann:evm',
      'userId:ann:evm:smart',
      'userId:ann:solana:smart:alias:main',
      'userId:ann:smart',
    ]) {
      const { status, body } = await create(evm({ owner }));
      expect([owner, status, body.code]).toEqual([owner, 400, 'invalid-locator']);
      expect(body.message).toContain('userId:ann');
    }
  });

  it.each([
    ['no chainType', { type: 'smart' }, 400, 'validation-error'],
    ['an unknown chainType', { ...evm(), chainType: 'bitcoin' }, 400, 'validation-error'],
    ['an unknown type', { ...evm(), type: 'hot' }, 400, 'validation-error'],
    ['no config', { chainType: 'evm', type: 'smart' }, 400, 'validation-error'],
    [
      'an unknown config field',
      evm({ config: { adminSigner: external, extra: 1 } }),
      400,
      'validation-error',
    ],
    [
      'a malformed address',
      evm({ config: { adminSigner: { type: 'server', address: '0x12' } } }),
      400,
      'validation-error',
    ],
    [
      'a missing address',
      evm({ config: { adminSigner: { type: 'server' } } }),
      400,
      'validation-error',
    ],
    ['a bad alias', evm({ alias: 'a b' }), 400, 'validation-error'],
    ['a bad owner', evm({ owner: 'nobody' }), 400, 'invalid-locator'],
    [
      'a device admin signer',
      evm({ config: { adminSigner: { type: 'device', publicKey: { x: '1', y: '2' } } } }),
      400,
      'DEVICE_SIGNER_NOT_SUPPORTED',
    ],
    [
      'a smart wallet on sui',
      { chainType: 'sui', type: 'smart' },
      400,
      'WALLET_TYPE_NOT_SUPPORTED',
    ],
    [
      'a smart wallet on aptos',
      { chainType: 'aptos', type: 'smart' },
      400,
      'WALLET_TYPE_NOT_SUPPORTED',
    ],
    ['a family that is not served', { ...evm(), chainType: 'solana' }, 400, 'chain-not-supported'],
  ])('refuses %s', async (_name, body, status, code) => {
    const answer = await create(body);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect(answer.body.error).toBe(true);
    expect(answer.body.message).toBeTruthy();
  });

  it('is for server keys: a client key creates on /wallets/me', async () => {
    const answer = await create(evm(), { key: api.clientKey, jwt: await api.userJwt('dora') });
    expect(answer.status).toBe(403);
  });
});

describe('create my wallet', () => {
  it('takes the owner from the JWT', async () => {
    const { status, body } = await api.call('POST', `${wallets}/me`, {
      key: api.clientKey,
      jwt: await api.userJwt('eve'),
      body: evm(),
    });
    expect([status, body.owner]).toEqual([201, 'userId:eve']);
  });

  it('refuses an owner in the body', async () => {
    const { status } = await api.call('POST', `${wallets}/me`, {
      key: api.clientKey,
      jwt: await api.userJwt('eve'),
      body: evm({ owner: 'userId:mallory' }),
    });
    expect(status).toBe(400);
  });

  it('answers 401 not-authorized without a JWT', async () => {
    const { status, body } = await api.call('POST', `${wallets}/me`, {
      key: api.clientKey,
      body: evm(),
    });
    expect([status, body.code]).toEqual([401, 'not-authorized']);
  });
});

describe('get wallet', () => {
  it('finds it by address in any case, by owner, by alias, by me', async () => {
    const jwt = await api.userJwt('finn');
    const { body: wallet } = await create(evm({ owner: 'userId:finn', alias: 'main' }));
    const { body: company } = await create(evm({ alias: 'treasury' }));
    const address = String(wallet.address);
    for (const locator of [
      address,
      address.toLowerCase(),
      'userId:finn:evm:alias:main',
      'userId:finn:evm:smart:alias:main',
    ]) {
      expect([locator, (await read(locator)).body]).toEqual([locator, wallet]);
    }
    expect((await read('evm:alias:treasury')).body).toEqual(company);
    expect((await read('evm:smart:alias:treasury')).body).toEqual(company);
    expect((await read('me:evm:smart:alias:main', { key: api.clientKey, jwt })).body).toEqual(
      wallet,
    );
    expect((await read(encodeURIComponent('userId:finn:evm:smart:alias:main'))).body).toEqual(
      wallet,
    );
  });

  it('says which chains an address may be of that fits two families', async () => {
    const { status, body } = await read(`0x${'aB'.repeat(32)}`);
    expect([status, body.code, body.message]).toEqual([
      404,
      'wallet-not-found',
      expect.stringContaining('aptos or sui'),
    ]);
    expect((await read(`0x${'aB'.repeat(20)}`)).body.message).toBe('Wallet not found.');
  });

  it('shows a client key only the wallets of its user: others do not exist', async () => {
    const { body: other } = await create(evm({ owner: 'userId:gus' }));
    const jwt = await api.userJwt('heidi');
    for (const locator of [String(other.address), 'userId:gus:evm']) {
      const answer = await read(locator, { key: api.clientKey, jwt });
      expect([answer.status, answer.body.code]).toEqual([404, 'wallet-not-found']);
    }
  });

  it('counts the e-mail claim only when it is verified', async () => {
    const { body: wallet } = await create(evm({ owner: 'email:ivan@example.com' }));
    const seen = await read('email:ivan@example.com:evm', {
      key: api.clientKey,
      jwt: await api.userJwt('u-1', { email: 'Ivan@Example.com', email_verified: true }),
    });
    const unseen = await read('email:ivan@example.com:evm', {
      key: api.clientKey,
      jwt: await api.userJwt('u-2', { email: 'ivan@example.com' }),
    });
    expect(seen.body).toEqual(wallet);
    expect(unseen.status).toBe(404);
  });

  it.each([
    ['an unknown owner', 'userId:nobody:evm', 404, 'wallet-not-found'],
    ['an unknown address', '0x000000000000000000000000000000000000dEaD', 404, 'wallet-not-found'],
    ['a locator that cannot be read', 'what:is:this', 400, 'invalid-locator'],
    ['me with a server key', 'me:evm:smart', 400, 'invalid-locator'],
  ])('refuses %s', async (_name, locator, status, code) => {
    const answer = await read(locator);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  });
});
