import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  callsOf,
  chainA,
  chainB,
  codeOf,
  type SignersWorld,
  startSignersWorld,
} from '../signers/test-kit.ts';

let world: SignersWorld;
beforeAll(async () => {
  world = await startSignersWorld();
});
afterAll(() => world.close());

const { fresh, create, aWallet, add, call } = callsOf(() => world);
const publicKey = {
  x: '48439561293906451759052585252797914202762949526041747995844080717082404635286',
  y: '36134250956749795798585127919587881956611106672985015071877198253568414405109',
};
const external = () => ({ type: 'external-wallet', address: fresh('w') });
const make = (config: object, fields: object = {}) =>
  create({ chainType: 'evm', type: 'smart', config, ...fields });
const act = (wallet: { address: string }, signer?: string, chain: string | undefined = chainA) =>
  call('POST', wallet, '/transactions', {
    body: { params: { chain, ...(signer === undefined ? {} : { signer }) } },
  });

describe('admin signers', () => {
  it('of every type echo what was sent, e-mail addresses after normalisation', async () => {
    const mixed = `0xAb${fresh('w').slice(4)}`;
    const expected: [object, object][] = [
      [
        { type: 'external-wallet', address: mixed },
        { type: 'external-wallet', address: mixed, locator: `external-wallet:${mixed}` },
      ],
      [
        { type: 'server', address: mixed },
        { type: 'server', address: mixed, locator: `server:${mixed}` },
      ],
      [
        { type: 'api-key' },
        {
          type: 'api-key',
          address: expect.stringMatching(/^0x/),
          locator: expect.stringMatching(/^api-key:0x/),
        },
      ],
      [
        { type: 'email', email: 'Jo.Doe@GoogleMail.com' },
        {
          type: 'email',
          email: 'jodoe@gmail.com',
          locator: 'email:jodoe@gmail.com',
          address: expect.stringMatching(/^0x/),
        },
      ],
      [
        { type: 'phone', phone: '+14155550123' },
        {
          type: 'phone',
          phone: '+14155550123',
          locator: 'phone:+14155550123',
          address: expect.stringMatching(/^0x/),
        },
      ],
      [
        { type: 'passkey', id: 'cred', name: 'Laptop', publicKey },
        {
          type: 'passkey',
          id: 'cred',
          name: 'Laptop',
          publicKey,
          locator: 'passkey:cred',
          validatorContractVersion: '1',
        },
      ],
    ];
    for (const [adminSigner, echo] of expected) {
      const { status, body } = await make({ adminSigner });
      expect([status, body.config]).toEqual([201, { adminSigner: echo, delegatedSigners: [] }]);
      expect((await call('GET', body)).body).toEqual(body);
    }
  });

  it.each([
    ['a device', { type: 'device', publicKey }, 'DEVICE_SIGNER_NOT_SUPPORTED'],
    [
      'a passkey off the curve',
      { type: 'passkey', id: 'c', publicKey: { x: '1', y: '1' } },
      'validation-error',
    ],
    [
      'a coordinate with leading zeros',
      { type: 'passkey', id: 'c', publicKey: { ...publicKey, x: `0${publicKey.x}` } },
      'validation-error',
    ],
    [
      'a credential id that is no text',
      { type: 'passkey', id: 'a b', publicKey },
      'validation-error',
    ],
    [
      'a coordinate beyond the field',
      { type: 'passkey', id: 'c', publicKey: { x: publicKey.x, y: '9'.repeat(78) } },
      'validation-error',
    ],
    ['an api-key of somebody else', { type: 'api-key', address: fresh('w') }, 'validation-error'],
    [
      'an e-mail with an address that is not its own',
      { type: 'email', email: 'a@b.example', address: fresh('w') },
      'validation-error',
    ],
    [
      'a phone with an address that is not its own',
      { type: 'phone', phone: '+14155550123', address: fresh('w') },
      'validation-error',
    ],
    [
      'terms, which only delegated signers have',
      { type: 'api-key', scopes: [] },
      'validation-error',
    ],
    ['a phone number that is none', { type: 'phone', phone: '0155' }, 'validation-error'],
    ['an e-mail that is none', { type: 'email', email: 'jo' }, 'validation-error'],
  ])('refuse %s', async (_name, adminSigner, code) => {
    expect(codeOf(await make({ adminSigner }))).toEqual([400, code]);
  });
});

describe('recovery methods', () => {
  it('give the quorum an id, keep the locators of its members, and repeat the first as adminSigner', async () => {
    const [one, two] = [external(), { type: 'email', email: 'A.B@gmail.com' }];
    const { status, body } = await make({
      recoveryMethods: [{ type: 'quorum', threshold: 2, members: [one, two] }],
    });
    expect(status).toBe(201);
    const [quorum] = body.config.recoveryMethods;
    expect(quorum).toMatchObject({
      type: 'quorum',
      threshold: 2,
      locator: expect.stringMatching(/^quorum:[0-9a-f-]{36}$/),
    });
    expect(quorum.members.map(({ locator }: { locator: string }) => locator)).toEqual([
      `external-wallet:${one.address}`,
      'email:ab@gmail.com',
    ]);
    expect(body.config.adminSigner).toEqual(quorum);
    expect(JSON.stringify(body)).not.toContain('keyId');
    expect((await call('GET', body)).body).toEqual(body);
  });

  it('may be a quorum sent as adminSigner, and an adminSigner that repeats the first of them, as answers do', async () => {
    const quorum = { type: 'quorum', threshold: 1, members: [external(), external()] };
    const { body } = await make({ adminSigner: quorum });
    expect(body.config.recoveryMethods).toEqual([body.config.adminSigner]);
    const again = await make({
      adminSigner: body.config.adminSigner,
      recoveryMethods: body.config.recoveryMethods,
    });
    const { locator: _, ...same } = body.config.adminSigner;
    expect([again.status, again.body.config.recoveryMethods]).toEqual([
      201,
      [{ ...same, locator: expect.stringMatching(/^quorum:/) }],
    ]);
  });

  it.each([
    ['plugins, which only stellar wallets have', () => ({ adminSigner: external(), plugins: [] })],
    [
      'an admin beside recovery methods that is not the first of them',
      () => ({ adminSigner: external(), recoveryMethods: [external()] }),
    ],
    ['neither', () => ({})],
    [
      'a signer whose locator is of another address',
      () => ({ adminSigner: { ...external(), locator: `external-wallet:${external().address}` } }),
    ],
    [
      'a signer whose locator is of another type',
      () => ({ adminSigner: { ...external(), locator: 'email:jo@example.com' } }),
    ],
    [
      'an e-mail signer whose locator is of somebody else',
      () => ({
        adminSigner: { type: 'email', email: 'jo@example.com', locator: 'email:flo@example.com' },
      }),
    ],
    ['none', () => ({ recoveryMethods: [] })],
    [
      'a quorum of one member',
      () => ({ recoveryMethods: [{ type: 'quorum', threshold: 1, members: [external()] }] }),
    ],
    [
      'eleven members',
      () => ({
        recoveryMethods: [
          { type: 'quorum', threshold: 1, members: Array.from({ length: 11 }, external) },
        ],
      }),
    ],
    [
      'a threshold of 0',
      () => ({
        recoveryMethods: [{ type: 'quorum', threshold: 0, members: [external(), external()] }],
      }),
    ],
    [
      'a threshold above the members',
      () => ({
        recoveryMethods: [{ type: 'quorum', threshold: 3, members: [external(), external()] }],
      }),
    ],
    [
      'a fraction',
      () => ({
        recoveryMethods: [{ type: 'quorum', threshold: 1.5, members: [external(), external()] }],
      }),
    ],
    [
      'a member without a type',
      () => ({ recoveryMethods: [{ type: 'quorum', threshold: 1, members: [external(), {}] }] }),
    ],
    [
      'a member twice, under another name',
      () => {
        const { address } = external();
        const members = [
          { type: 'server', address: address.toUpperCase().replace('0X', '0x') },
          { type: 'external-wallet', address },
        ];
        return { recoveryMethods: [{ type: 'quorum', threshold: 1, members }] };
      },
    ],
    [
      'a method twice',
      () => {
        const one = external();
        return { recoveryMethods: [one, one] };
      },
    ],
  ])('refuse %s', async (_name, config) => {
    const answer = await make(config());
    expect(codeOf(answer)).toEqual([400, 'validation-error']);
    expect(answer.body.message).toMatch(/^config/);
  });

  it.each([
    ['device', { type: 'device', publicKey }, 'DEVICE_SIGNER_NOT_SUPPORTED'],
    [
      'quorum',
      { type: 'quorum', threshold: 1, members: [external(), external()] },
      'signer-type-not-supported',
    ],
  ])('refuse a %s in a quorum', async (_name, member, code) => {
    expect(
      codeOf(
        await make({
          recoveryMethods: [{ type: 'quorum', threshold: 1, members: [external(), member] }],
        }),
      ),
    ).toEqual([400, code]);
  });
});

describe('delegated signers of the config', () => {
  it('appear with the locators that were sent, in their order, without an approval', async () => {
    const [one, two] = [`0xAb${fresh('w').slice(4)}`, `0xAb${fresh('w').slice(4)}`];
    const expiresAt = '2030-01-01T00:00:00Z';
    const delegatedSigners = [
      { signer: `external-wallet:${one}`, expiresAt },
      { signer: `server:${two}` },
      { signer: 'email:Jo.Doe@gmail.com' },
      { signer: 'phone:+14155550123' },
      { signer: 'api-key' },
      { signer: { type: 'passkey', id: 'cred', name: 'Phone', publicKey } },
      { signer: { type: 'device', publicKey, name: 'Watch' } },
    ];
    const wallet = await aWallet({ adminSigner: external(), delegatedSigners });
    const shown = wallet.config.delegatedSigners as { locator: string }[];
    expect(shown.map(({ locator }) => locator)).toEqual([
      `external-wallet:${one}`,
      `server:0x${two.slice(2).toUpperCase()}`,
      'email:jodoe@gmail.com',
      'phone:+14155550123',
      'api-key',
      'passkey:cred',
      expect.stringMatching(/^device:[A-Za-z0-9+/]{87}=$/),
    ]);
    expect(shown[0]).toMatchObject({ expiresAt, address: one });
    expect((await call('GET', wallet)).body).toEqual(wallet);
    for (const { locator } of shown) {
      const { status, body } = await call('GET', wallet, `/signers/${encodeURIComponent(locator)}`);
      expect([status, body.locator, body.chains]).toEqual([200, locator, {}]);
    }
    expect((await act(wallet, `external-wallet:${one}`, chainB)).status).toBe(201);
  });

  it('are part of the address, as the seed and the admin are', async () => {
    const adminSigner = external();
    const delegate = `server:${fresh('w')}`;
    const config = { adminSigner, creationSeed: 'seed', delegatedSigners: [{ signer: delegate }] };
    const first = await make(config);
    expect(codeOf(await make(config))).toEqual([400, 'wallet-already-exists']);
    const other = await make({ ...config, delegatedSigners: [] });
    expect([other.status, other.body.address === first.body.address]).toEqual([201, false]);
    expect((await make({ ...config, creationSeed: 'another' })).status).toBe(201);
  });

  it('are not applied to the wallet that an owner has already', async () => {
    const config = {
      adminSigner: external(),
      delegatedSigners: [{ signer: `server:${fresh('w')}` }],
    };
    const first = await make(config, { owner: 'userId:dee' });
    const again = await make(
      { ...config, delegatedSigners: [{ signer: `server:${fresh('w')}` }] },
      { owner: 'userId:dee' },
    );
    expect([again.status, again.body]).toEqual([200, first.body]);
  });

  it.each([
    [
      'scopes',
      () => [
        {
          signer: `server:${fresh('w')}`,
          scopes: [{ type: 'transfer', tokenLocator: `${chainA}:usdc` }],
        },
      ],
      'validation-error',
    ],
    [
      'an expiry in the past',
      () => [{ signer: `server:${fresh('w')}`, expiresAt: '2020-01-01T00:00:00Z' }],
      'validation-error',
    ],
    [
      'an unknown field',
      () => [{ signer: `server:${fresh('w')}`, limit: '1' }],
      'validation-error',
    ],
    ['a passkey as a locator', () => [{ signer: 'passkey:cred' }], 'validation-error'],
    ['text that is no locator', () => [{ signer: 'somebody' }], 'invalid-locator'],
    [
      'a device off the curve',
      () => [{ signer: { type: 'device', publicKey: { x: '1', y: '2' } } }],
      'validation-error',
    ],
    [
      'one key twice',
      () => {
        const address = fresh('w');
        return [{ signer: `server:${address}` }, { signer: `external-wallet:${address}` }];
      },
      'validation-error',
    ],
    [
      '21 signers',
      () => Array.from({ length: 21 }, () => ({ signer: `server:${fresh('w')}` })),
      'validation-error',
    ],
  ])('refuse %s', async (_name, delegatedSigners, code) => {
    expect(
      codeOf(await make({ adminSigner: external(), delegatedSigners: delegatedSigners() })),
    ).toEqual([400, code]);
  });

  it('refuse the admin signer itself', async () => {
    const adminSigner = external();
    const answer = await make({
      adminSigner,
      delegatedSigners: [{ signer: `server:${adminSigner.address}` }],
    });
    expect(codeOf(answer)).toEqual([400, 'validation-error']);
    expect(answer.body.message).toContain(`external-wallet:${adminSigner.address}`);
  });
});

describe('who acts for a wallet', () => {
  it('is the admin without a name, a recovery method by its name, a delegate where it is in force', async () => {
    const [first, second, third] = [external(), external(), external()];
    const wallet = await aWallet({
      recoveryMethods: [{ type: 'quorum', threshold: 1, members: [first, second] }, third],
    });
    const quorum = wallet.config.adminSigner.locator;
    for (const signer of [undefined, quorum]) {
      const { status, body } = await act(wallet, signer);
      expect([status, body.params.signer.locator]).toEqual([201, quorum]);
    }
    expect((await act(wallet, `external-wallet:${third.address}`)).status).toBe(201);
    // A member alone is no signer of the wallet.
    const member = await act(wallet, `external-wallet:${first.address}`);
    expect(codeOf(member)).toEqual([400, 'transaction-invalid']);
    expect(member.body.message).toContain(quorum);
  });

  it('is named as it was sent, character by character', async () => {
    const address = fresh('w');
    const wallet = await aWallet({
      adminSigner: { type: 'api-key' },
      delegatedSigners: [{ signer: `external-wallet:${address}` }],
    });
    const sent = `external-wallet:0x${address.slice(2).toUpperCase()}`;
    const { body } = await act(wallet, sent);
    expect([body.params.signer.locator, body.approvals.pending[0].signer.locator]).toEqual([
      sent,
      sent,
    ]);
    expect((await act(wallet, 'api-key')).body.params.signer.locator).toBe('api-key');
  });

  it('is no delegate on a chain where it is not registered, not yet, or no more', async () => {
    const wallet = await aWallet();
    const signer = `external-wallet:${fresh('w')}`;
    expect(codeOf(await act(wallet, signer))).toEqual([400, 'transaction-invalid']);
    const { body } = await add(wallet, { signer });
    const waiting = await act(wallet, signer);
    expect(codeOf(waiting)).toEqual([400, 'transaction-invalid']);
    expect(waiting.body.message).toContain(body.chains[chainA].id);
    expect(codeOf(await act(wallet, signer, chainB))).toEqual([400, 'transaction-invalid']);
    expect(codeOf(await act(wallet, 'nonsense'))).toEqual([400, 'transaction-invalid']);
  });

  it('needs a chain for a delegate', async () => {
    const signer = `server:${fresh('w')}`;
    const wallet = await aWallet({ adminSigner: external(), delegatedSigners: [{ signer }] });
    expect(
      codeOf(await call('POST', wallet, '/transactions', { body: { params: { signer } } })),
    ).toEqual([400, 'validation-error']);
    expect(
      codeOf(await call('POST', wallet, '/transactions', { body: { params: { signer: 5 } } })),
    ).toEqual([400, 'validation-error']);
  });
});
