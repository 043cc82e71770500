import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { RequestCtx } from '../../context.ts';
import { ServiceError } from '../../lib/errors.ts';
import { issueKey } from '../api-keys/index.ts';
import { findWallet, insertWallets } from '../wallets/index.ts';
import { addSigner } from './add.ts';
import {
  callsOf,
  chainA,
  chainB,
  codeOf,
  type SignersWorld,
  startSignersWorld,
  usdc,
} from './test-kit.ts';

let world: SignersWorld;
beforeAll(async () => {
  world = await startSignersWorld();
});
afterAll(() => world.close());
beforeEach(() => {
  world.outage = false;
  world.beforePrepare = undefined;
});

const { fresh, aWallet, add, read, remove, approve, call, create } = callsOf(() => world);
const publicKey = {
  x: '48439561293906451759052585252797914202762949526041747995844080717082404635286',
  y: '36134250956749795798585127919587881956611106672985015071877198253568414405109',
};

async function anMpcWallet() {
  const address = fresh('mpc');
  const { ctx, api, clock } = world;
  const setup = {
    id: ctx.ids.uuid(),
    projectId: api.projectId,
    chainType: 'evm' as const,
    type: 'mpc' as const,
    address,
    setup: {},
  };
  const adminSigner = { type: 'api-key' as const, locator: 'api-key' };
  await insertWallets(ctx.store, [
    { ...setup, adminSigner, addressKey: address, createdAt: clock.now() },
  ]);
  return { address };
}

describe('add signer refuses', () => {
  const delegate = `external-wallet:${fresh('delegate')}`;
  const transfer = { type: 'transfer', tokenLocator: `${chainA}:usdc` };
  it.each([
    ['no signer', {}, 'validation-error'],
    ['no chain', { signer: delegate, chain: undefined }, 'validation-error'],
    ['an unknown chain', { signer: delegate, chain: 'solana' }, 'chain-not-supported'],
    ['a locator that cannot be read', { signer: 'somebody' }, 'invalid-locator'],
    ['a locator with a bad address', { signer: 'server:0x12' }, 'invalid-locator'],
    ['an unknown type', { signer: { type: 'fax', number: '1' } }, 'validation-error'],
    ['a passkey as a locator', { signer: 'passkey:never-seen' }, 'validation-error'],
    ['a quorum as a locator', { signer: 'quorum:never-seen' }, 'validation-error'],
    [
      'a device key off the curve',
      { signer: { type: 'device', publicKey: { x: '1', y: '2' } } },
      'validation-error',
    ],
    [
      'a passkey off the curve',
      { signer: { type: 'passkey', id: 'c', name: 'n', publicKey: { ...publicKey, y: '5' } } },
      'validation-error',
    ],
    ['a device locator that is no key', { signer: 'device:AAAA' }, 'validation-error'],
    [
      'a key in hex',
      { signer: { type: 'device', publicKey: { x: '0x12', y: '0x13' } } },
      'validation-error',
    ],
    ['an e-mail that is none', { signer: 'email:nobody' }, 'invalid-locator'],
    [
      'a quorum of one',
      {
        signer: {
          type: 'quorum',
          threshold: 1,
          members: [{ type: 'server', address: fresh('m') }],
        },
      },
      'validation-error',
    ],
    [
      'an expiry in the past',
      { signer: delegate, expiresAt: '2020-01-01T00:00:00Z' },
      'validation-error',
    ],
    [
      'an expiry without Z',
      { signer: delegate, expiresAt: '2030-01-01T00:00:00+02:00' },
      'validation-error',
    ],
    ['no scopes at all', { signer: delegate, scopes: [] }, 'validation-error'],
    [
      'a scope of another type',
      { signer: delegate, scopes: [{ ...transfer, type: 'swap' }] },
      'validation-error',
    ],
    [
      'a misspelt limit',
      { signer: delegate, scopes: [{ ...transfer, spendinglimit: { amount: '1' } }] },
      'validation-error',
    ],
    [
      'a misspelt limit inside the signer',
      {
        signer: {
          type: 'external-wallet',
          address: fresh('d'),
          scopes: [{ ...transfer, spendinglimit: { amount: '1' } }],
        },
      },
      'validation-error',
    ],
    [
      'a token of another chain',
      { signer: delegate, scopes: [{ ...transfer, tokenLocator: `${chainB}:usdc` }] },
      'validation-error',
    ],
    [
      'a token that is not there',
      { signer: delegate, scopes: [{ ...transfer, tokenLocator: `${chainA}:doge` }] },
      'token-not-supported',
    ],
    [
      'a token id',
      { signer: delegate, scopes: [{ ...transfer, tokenLocator: `${chainA}:${usdc}:7` }] },
      'validation-error',
    ],
    [
      'a recipient that is none',
      { signer: delegate, scopes: [{ ...transfer, recipients: ['userId:ann'] }] },
      'validation-error',
    ],
    [
      'an empty list of recipients',
      { signer: delegate, scopes: [{ ...transfer, recipients: [] }] },
      'validation-error',
    ],
    [
      'a limit of nothing',
      { signer: delegate, scopes: [{ ...transfer, spendingLimit: { amount: '0' } }] },
      'validation-error',
    ],
    [
      'more decimals than the token has',
      { signer: delegate, scopes: [{ ...transfer, spendingLimit: { amount: '0.0000001' } }] },
      'validation-error',
    ],
    [
      'an interval of 0',
      { signer: delegate, scopes: [{ ...transfer, spendingLimit: { amount: '1', interval: 0 } }] },
      'validation-error',
    ],
    [
      'an approver where there is one method',
      { signer: delegate, approver: 'api-key' },
      'approver-invalid',
    ],
  ])('%s', async (_name, body, code) => {
    const wallet = await aWallet({ adminSigner: { type: 'api-key' } });
    const answer = await add(wallet, body);
    expect(codeOf(answer)).toEqual([400, code]);
    expect(answer.body).toMatchObject({ error: true, message: expect.stringMatching(/\w/) });
    expect((await call('GET', wallet)).body.config.delegatedSigners).toEqual([]);
  });

  it.each([
    [
      { type: 'server', address: fresh('d'), colour: 'red' },
      'body.signer: has a field that is not known: leave out "colour"',
    ],
    [{ type: 'passkey', id: 'c', publicKey: { x: '1' } }, 'body.signer: publicKey.y: '],
    [
      5,
      'body.signer: must be a signer locator, e.g. "external-wallet:<address>", or a signer with its type',
    ],
  ])('a signer that cannot be read, and say what is wrong with it: %j', async (signer, message) => {
    const answer = await add(await aWallet({ adminSigner: { type: 'api-key' } }), { signer });
    expect([answer.status, answer.body.message]).toEqual([400, expect.stringContaining(message)]);
  });

  it('a wallet that is not there, and one that is no smart wallet', async () => {
    expect(codeOf(await add({ address: fresh('no wallet') }, { signer: delegate }))).toEqual([
      404,
      'wallet-not-found',
    ]);
    expect(codeOf(await add(await anMpcWallet(), { signer: delegate }))).toEqual([
      400,
      'WALLET_TYPE_NOT_SUPPORTED',
    ]);
    expect(codeOf(await remove(await anMpcWallet(), delegate))).toEqual([
      400,
      'signer-not-removable',
    ]);
  });

  it('the admin signer as a delegate, however it is called', async () => {
    const address = fresh('admin');
    const wallet = await aWallet({ adminSigner: { type: 'external-wallet', address } });
    for (const signer of [
      `external-wallet:${address}`,
      `server:${address.toUpperCase().replace('0X', '0x')}`,
    ])
      expect(codeOf(await add(wallet, { signer }))).toEqual([400, 'validation-error']);
  });

  it('the wallet as its own delegate', async () => {
    const wallet = await aWallet({ adminSigner: { type: 'api-key' } });
    expect(
      codeOf(await add(wallet, { signer: `external-wallet:${wallet.address.toLowerCase()}` })),
    ).toEqual([400, 'validation-error']);
  });

  it('one key under two names, and one name for two keys', async () => {
    const wallet = await aWallet({ adminSigner: { type: 'api-key' } });
    const address = fresh('delegate');
    await add(wallet, { signer: `external-wallet:${address}` });
    const twice = await add(wallet, { signer: `server:${address}` });
    expect(codeOf(twice)).toEqual([400, 'validation-error']);
    expect(twice.body.message).toContain(`external-wallet:${address}`);
    await add(wallet, { signer: { type: 'passkey', id: 'cred', name: 'a', publicKey } });
    const negated = (
      2n ** 256n -
      2n ** 224n +
      2n ** 192n +
      2n ** 96n -
      1n -
      BigInt(publicKey.y)
    ).toString();
    const other = await add(wallet, {
      signer: { type: 'passkey', id: 'cred', name: 'b', publicKey: { ...publicKey, y: negated } },
    });
    expect(codeOf(other)).toEqual([400, 'validation-error']);
    expect(other.body.message).toContain('another key');
  });

  it('what a type of signer a family does not take', async () => {
    const { family } = world;
    const kept = family.delegates!.delegatedSignerTypes;
    Object.assign(family.delegates!, { delegatedSignerTypes: ['server'] });
    try {
      const wallet = await aWallet();
      expect(codeOf(await add(wallet, { signer: { type: 'device', publicKey } }))).toEqual([
        400,
        'DEVICE_SIGNER_NOT_SUPPORTED',
      ]);
      expect(codeOf(await add(wallet, { signer: 'email:a@b.example' }))).toEqual([
        400,
        'signer-type-not-supported',
      ]);
    } finally {
      Object.assign(family.delegates!, { delegatedSignerTypes: kept });
    }
  });

  it('other settings while a registration is on its way to the chain, and any while a removal is', async () => {
    const wallet = await aWallet({ adminSigner: { type: 'api-key' } });
    const signer = `external-wallet:${fresh('delegate')}`;
    await add(wallet, { signer });
    const other = await add(wallet, { signer, expiresAt: '2030-01-01T00:00:00Z' });
    expect(codeOf(other)).toEqual([409, 'conflict']);
    await world.land();
    await remove(wallet, signer);
    expect(codeOf(await add(wallet, { signer, expiresAt: '2030-01-01T00:00:00Z' }))).toEqual([
      409,
      'conflict',
    ]);
    await world.land();
    expect((await add(wallet, { signer, expiresAt: '2030-01-01T00:00:00Z' })).status).toBe(201);
  });

  it('and answers 502 while the node does not answer, leaving nothing behind', async () => {
    const wallet = await aWallet();
    world.outage = true;
    expect(codeOf(await add(wallet, { signer: delegate }))).toEqual([502, 'upstream-error']);
    expect(codeOf(await read(wallet, delegate))).toEqual([404, 'signer-not-found']);
  });
});

describe('a change of signers', () => {
  it('is 422 when its simulation fails, and leaves nothing behind', async () => {
    const wallet = await aWallet({ adminSigner: { type: 'api-key' } });
    const [known, other] = [
      `external-wallet:${fresh('delegate')}`,
      `external-wallet:${fresh('delegate')}`,
    ];
    await add(wallet, { signer: known });
    await world.land();
    const error = { reason: 'execution_reverted', message: 'The wallet refuses.' };
    world.beforePrepare = async () => {
      throw new ServiceError('transaction-simulation-failed', {
        message: error.message,
        details: { error, message: error.message },
      });
    };
    for (const answer of [
      await add(wallet, { signer: other }),
      await add(wallet, { signer: other, deployImmediately: true }),
      await remove(wallet, known),
    ]) {
      expect(answer.status).toBe(422);
      expect(answer.body).toMatchObject({ error, message: error.message });
    }
    world.beforePrepare = undefined;
    expect(codeOf(await read(wallet, other))).toEqual([404, 'signer-not-found']);
    expect((await read(wallet, known)).body.chains).toEqual({ [chainA]: { status: 'success' } });
  });

  it('is 502 while the node does not answer', async () => {
    const wallet = await aWallet({ adminSigner: { type: 'api-key' } });
    const signer = `external-wallet:${fresh('delegate')}`;
    await add(wallet, { signer });
    await world.land();
    world.outage = true;
    expect(codeOf(await remove(wallet, signer))).toEqual([502, 'upstream-error']);
  });

  it('is 409 when others change the same signer all the time', async () => {
    const methods = Array.from({ length: 3 }, () => ({
      type: 'external-wallet',
      address: fresh('m'),
    }));
    const locators = methods.map(({ address }) => `external-wallet:${address}`);
    const wallet = await aWallet({ recoveryMethods: methods });
    const signer = `external-wallet:${fresh('delegate')}`;
    const added = await add(wallet, { signer, approver: locators[0] });
    await approve(wallet, 'signatures', added.body.chains[chainA]);
    await world.land();
    const removeAs = (nr: number) =>
      remove(wallet, signer, `?chain=${chainA}&approver=${encodeURIComponent(locators[nr]!)}`);
    let nested = false;
    let round = 0;
    world.beforePrepare = async () => {
      if (nested) return;
      nested = true;
      expect((await removeAs(1 + (round++ % 2))).status).toBe(200);
      nested = false;
    };
    expect(codeOf(await removeAs(0))).toEqual([409, 'conflict']);
    expect(round).toBe(5);
    round = 0;
    world.beforePrepare = async () => {
      if (nested) return;
      nested = true;
      const expiresAt = `203${round++}-01-01T00:00:00Z`;
      expect((await add(wallet, { signer, approver: locators[0], expiresAt })).status).toBe(201);
      nested = false;
    };
    expect(
      (await add(wallet, { signer, approver: locators[0], expiresAt: '2040-01-01T00:00:00Z' }))
        .status,
    ).toBe(201);
  });
});

describe('get signer', () => {
  it('answers 404 for the admin signer, a stranger and an unknown wallet, 400 for no locator', async () => {
    const wallet = await aWallet();
    expect(codeOf(await read(wallet, wallet.config.adminSigner.locator))).toEqual([
      404,
      'signer-not-found',
    ]);
    expect(codeOf(await read(wallet, `server:${fresh('x')}`))).toEqual([404, 'signer-not-found']);
    expect(codeOf(await read({ address: fresh('no wallet') }, `server:${fresh('x')}`))).toEqual([
      404,
      'wallet-not-found',
    ]);
    expect(codeOf(await read(wallet, 'nobody'))).toEqual([400, 'invalid-locator']);
  });

  it('finds a signer under every spelling of its locator, percent-encoded as a whole', async () => {
    const wallet = await aWallet({ adminSigner: { type: 'api-key' } });
    const address = fresh('delegate');
    const point = Buffer.from(
      `04${[publicKey.x, publicKey.y].map((one) => BigInt(one).toString(16).padStart(64, '0')).join('')}`,
      'hex',
    );
    const spellings: [object | string, string[]][] = [
      [
        `external-wallet:${address}`,
        [`external-wallet:${address}`, `external-wallet:0x${address.slice(2).toUpperCase()}`],
      ],
      ['email:Jo.Doe@GoogleMail.com', ['email:jodoe@gmail.com', 'email:JO.DOE@gmail.com']],
      ['phone:+14155550123', ['phone:+14155550123']],
      [{ type: 'passkey', id: 'cred/+=', name: 'p', publicKey }, ['passkey:cred/+=']],
      [
        { type: 'device', publicKey },
        [
          `device:${point.toString('base64')}`,
          `device:${point.toString('base64url')}`,
          `device:${point.subarray(1).toString('base64')}`,
          `device:${Buffer.concat([Buffer.from('3059301306072a8648ce3d020106082a8648ce3d030107034200', 'hex'), point]).toString('base64')}`,
          `device:${Buffer.concat([Buffer.of(2 + (point.at(-1)! & 1)), point.subarray(1, 33)]).toString('base64')}`,
        ],
      ],
    ];
    for (const [signer, locators] of spellings) {
      const { status, body } = await add(wallet, { signer });
      expect(status).toBe(201);
      for (const locator of [...locators, body.locator]) {
        const found = await read(wallet, locator);
        expect([locator, found.status, found.body]).toEqual([locator, 200, body]);
      }
    }
    // The whole locator is one path segment: `/` and `+` in it arrive as sent.
    expect((await call('GET', wallet, '/signers/passkey%3Acred%2F%2B%3D')).status).toBe(200);
  });

  it('keeps the locator of a device as the caller writes its key', async () => {
    const wallet = await aWallet();
    const hex = [publicKey.x, publicKey.y]
      .map((one) => BigInt(one).toString(16).padStart(64, '0'))
      .join('');
    const locator = `device:${Buffer.from(hex, 'hex').toString('base64')}`;
    expect(
      (await add(wallet, { signer: { type: 'device', publicKey, locator } })).body.locator,
    ).toBe(locator);
    const strange = await add(await aWallet(), {
      signer: { type: 'device', publicKey, locator: 'device:AAAA' },
    });
    expect(strange.body.locator).toBe(
      `device:${Buffer.from(`04${hex}`, 'hex').toString('base64')}`,
    );
  });
});

describe('recovery methods', () => {
  const members = () => [
    { type: 'external-wallet', address: fresh('m') },
    { type: 'server', address: fresh('m') },
    { type: 'external-wallet', address: fresh('m') },
  ];

  it('a quorum approves as one: two of three members sign, then the operation goes to the chain', async () => {
    const wallet = await aWallet({
      recoveryMethods: [{ type: 'quorum', threshold: 2, members: members() }],
    });
    expect(wallet.config.adminSigner).toEqual(wallet.config.recoveryMethods[0]);
    expect(wallet.config.adminSigner).toMatchObject({
      type: 'quorum',
      locator: expect.stringMatching(/^quorum:/),
      threshold: 2,
    });
    const signer = `external-wallet:${fresh('delegate')}`;
    const { body } = await add(wallet, { signer });
    const [entry] = body.chains[chainA].approvals.pending;
    expect(entry.signer).toMatchObject({
      type: 'quorum',
      locator: wallet.config.adminSigner.locator,
    });
    for (const nr of [0, 1]) {
      const { pending } = entry.quorumApprovals;
      const id = body.chains[chainA].id;
      const answer = await approve(wallet, 'signatures', {
        id,
        approvals: { pending: [pending[nr]] },
      });
      expect([answer.status, answer.body.status]).toEqual([
        201,
        nr === 0 ? 'awaiting-approval' : 'pending',
      ]);
    }
    await world.land();
    expect((await read(wallet, signer)).body.chains).toEqual({ [chainA]: { status: 'success' } });
  });

  it('several of them need an approver, which is shown as it was sent', async () => {
    const [first, second] = members();
    const wallet = await aWallet({ recoveryMethods: [first, second] });
    const signer = `external-wallet:${fresh('delegate')}`;
    expect(codeOf(await add(wallet, { signer }))).toEqual([400, 'approver-required']);
    expect(codeOf(await add(wallet, { signer, approver: signer }))).toEqual([
      400,
      'approver-invalid',
    ]);
    const approver = `server:0x${second!.address.slice(2).toUpperCase()}`;
    const { body } = await add(wallet, { signer, approver });
    const [pending] = body.chains[chainA].approvals.pending;
    expect(pending.signer.locator).toBe(approver);
    // The approval is of the signer under whichever spelling.
    expect((await approve(wallet, 'signatures', body.chains[chainA])).status).toBe(201);
    await world.land();
    expect(codeOf(await remove(wallet, signer))).toEqual([400, 'approver-required']);
    expect(
      codeOf(
        await remove(wallet, signer, `?chain=${chainA}&approver=${encodeURIComponent(signer)}`),
      ),
    ).toEqual([400, 'approver-invalid']);
    const one = await remove(
      wallet,
      signer,
      `?chain=${chainA}&approver=${encodeURIComponent(approver)}`,
    );
    const other = await remove(
      wallet,
      signer,
      `?chain=${chainA}&approver=${encodeURIComponent(`external-wallet:${first!.address}`)}`,
    );
    expect([one.status, other.status]).toEqual([200, 200]);
    expect(other.body.id).not.toBe(one.body.id);
    expect(codeOf(await remove(wallet, wallet.config.recoveryMethods[1].locator))).toEqual([
      400,
      'signer-not-removable',
    ]);
  });
});

describe('who may', () => {
  it('reading needs the scope wallets.read, adding and removing wallets.create', async () => {
    const wallet = await aWallet({ adminSigner: { type: 'api-key' } });
    const signer = `external-wallet:${fresh('delegate')}`;
    await add(wallet, { signer });
    await world.land();
    const keyOf = async (scope: string) => {
      const { key } = await issueKey(world.ctx, {
        projectId: world.api.projectId,
        kind: 'server',
        scopes: [scope],
      });
      return { key };
    };
    const [reader, writer] = [await keyOf('wallets.read'), await keyOf('wallets.create')];
    const other = { signer: `external-wallet:${fresh('delegate')}` };
    expect([
      (await add(wallet, other, reader)).status,
      (await remove(wallet, signer, undefined, reader)).status,
    ]).toEqual([403, 403]);
    expect((await read(wallet, signer, writer)).status).toBe(403);
    expect((await read(wallet, signer, reader)).status).toBe(200);
    expect([
      (await add(wallet, other, writer)).status,
      (await remove(wallet, signer, undefined, writer)).status,
    ]).toEqual([201, 200]);
    await world.land();
  });

  it('client keys reach the signers of their user’s wallets only', async () => {
    const jwt = await world.api.userJwt('ann');
    const asClient = { key: world.api.clientKey, jwt };
    const config = { adminSigner: { type: 'external-wallet', address: fresh('admin') } };
    const own = (await create({ chainType: 'evm', config, owner: 'userId:ann' })).body;
    const other = (await create({ chainType: 'evm', config, owner: 'userId:bob' })).body;
    const signer = `external-wallet:${fresh('delegate')}`;
    expect((await add(own, { signer }, asClient)).status).toBe(201);
    expect((await read(own, signer, asClient)).status).toBe(200);
    expect(
      (
        await world.api.call(
          'GET',
          `/2025-06-09/wallets/me:evm/signers/${encodeURIComponent(signer)}`,
          asClient,
        )
      ).status,
    ).toBe(200);
    expect(codeOf(await add(other, { signer }, asClient))).toEqual([404, 'wallet-not-found']);
    expect((await add(other, { signer })).status).toBe(201);
    expect(codeOf(await read(other, signer, asClient))).toEqual([404, 'wallet-not-found']);
    expect(codeOf(await remove(other, signer, undefined, asClient))).toEqual([
      404,
      'wallet-not-found',
    ]);
    expect(codeOf(await read(own, signer, { key: world.api.clientKey }))).toEqual([
      401,
      'not-authorized',
    ]);
    expect((await read(own, signer, { key: null })).status).toBe(401);
  });
});

describe('idempotency', () => {
  it('answers a repeated add with what the first one made', async () => {
    const wallet = await aWallet();
    const signer = `external-wallet:${fresh('delegate')}`;
    const headers = { 'x-idempotency-key': 'add-once' };
    const first = await add(wallet, { signer }, { headers });
    expect((await add(wallet, { signer }, { headers })).body).toEqual(first.body);
    expect(
      (await add(wallet, { signer, expiresAt: '2030-01-01T00:00:00Z' }, { headers })).status,
    ).toBe(422);
  });

  it('gives the repeat of a call whose process died after its commit the signer it had made, in force by then or not', async () => {
    const { address } = await aWallet({ adminSigner: { type: 'api-key' } });
    const { ctx, api } = world;
    const objectId = ctx.ids.uuid();
    const requestCtx: RequestCtx = {
      ...ctx,
      requestId: 'r',
      caller: {
        projectId: api.projectId,
        environment: 'development',
        keyKind: 'server',
        keyId: 'k',
        scopes: new Set(),
      },
      idempotency: { scope: 's', bodyHash: 'b', objectId, complete: async () => undefined },
    };
    const wallet = await findWallet(requestCtx, address);
    const body = { signer: `external-wallet:${fresh('delegate')}`, chain: chainA };
    const first = await addSigner(requestCtx, { wallet, body });
    await world.land();
    const again = await addSigner(requestCtx, {
      wallet: await findWallet(requestCtx, address),
      body,
    });
    expect(again.id).toBe(first.id);
    expect(world.queue).toEqual([]);
  });
});
