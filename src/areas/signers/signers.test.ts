import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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

const wallets = '/2025-06-09/wallets';
const { fresh, aWallet, add, read, remove, approve, call } = callsOf(() => world);
const anApiKeyWallet = () => aWallet({ adminSigner: { type: 'api-key' } });

describe('add signer, signature flow', () => {
  it('asks the admin for a signature of the operation; approved it goes to the chain, which makes it success', async () => {
    const wallet = await aWallet();
    const address = fresh('delegate');
    const locator = `external-wallet:${address}`;
    expect(codeOf(await read(wallet, locator))).toEqual([404, 'signer-not-found']);
    const added = await add(wallet, { signer: locator });
    expect(added.status).toBe(201);
    expect(added.body).toMatchObject({ type: 'external-wallet', address, locator });
    expect(added.body).not.toHaveProperty('error');
    const entry = added.body.chains[chainA];
    expect(entry).toMatchObject({ status: 'awaiting-approval', id: expect.any(String) });
    expect(entry).not.toHaveProperty('onChain');
    expect(entry.approvals.pending[0].signer.locator).toBe(wallet.config.adminSigner.locator);

    const signature = await world.api.call(
      'GET',
      `${wallets}/${wallet.address}/signatures/${entry.id}`,
    );
    expect(signature.body).toMatchObject({
      id: entry.id,
      type: 'typed-data',
      status: 'awaiting-approval',
      approvals: entry.approvals,
    });
    const approved = await approve(wallet, 'signatures', entry);
    expect([approved.status, approved.body.status]).toEqual([201, 'pending']);
    expect((await read(wallet, locator)).body.chains[chainA]).toMatchObject({
      status: 'pending',
      id: entry.id,
    });

    await world.land();
    const done = await world.api.call('GET', `${wallets}/${wallet.address}/signatures/${entry.id}`);
    expect(done.body).toMatchObject({
      status: 'success',
      outputSignature: expect.stringMatching(/^0x/),
    });
    expect((await read(wallet, locator)).body).toEqual({
      type: 'external-wallet',
      address,
      locator,
      chains: { [chainA]: { status: 'success' } },
    });
  });

  it('advances by itself with an api-key admin', async () => {
    const wallet = await anApiKeyWallet();
    const locator = `server:${fresh('server')}`;
    const { body } = await add(wallet, { signer: locator });
    expect(body.chains[chainA]).toMatchObject({ status: 'pending', approvals: { pending: [] } });
    await world.land();
    expect((await read(wallet, locator)).body.chains).toEqual({ [chainA]: { status: 'success' } });
  });

  it('names a server signer with the checksum, everybody else as sent', async () => {
    const wallet = await anApiKeyWallet();
    const mixed = `0xAb${fresh('mixed').slice(4)}`;
    expect((await add(wallet, { signer: `server:${mixed}` })).body.locator).toBe(
      `server:0x${mixed.slice(2).toUpperCase()}`,
    );
    const other = `0xAb${fresh('mixed').slice(4)}`;
    expect((await add(wallet, { signer: `external-wallet:${other}` })).body.locator).toBe(
      `external-wallet:${other}`,
    );
  });

  it('shows expiresAt and scopes as sent, and hands the chain amounts in the smallest unit', async () => {
    const wallet = await anApiKeyWallet();
    const scopes = [
      {
        type: 'transfer',
        tokenLocator: `${chainA}:USDC`,
        recipients: [fresh('shop').toUpperCase().replace('0X', '0x')],
        spendingLimit: { amount: '12.50', interval: 86_400 },
      },
    ];
    const expiresAt = '2026-02-01T00:00:00Z';
    const locator = `external-wallet:${fresh('agent')}`;
    const { body } = await add(wallet, { signer: locator, scopes, expiresAt });
    expect(body).toMatchObject({ scopes, expiresAt });
    await world.land();
    expect((await read(wallet, locator)).body).toMatchObject({
      scopes,
      expiresAt,
      chains: { [chainA]: { status: 'success' } },
    });
    const [terms] = [...world.onChain]
      .filter(([key]) => key.includes(wallet.address))
      .map(([, value]) => value);
    expect(terms).toContain(usdc);
    expect(terms).toContain('12500000');
    const { body: stored } = await world.api.call('GET', `${wallets}/${wallet.address}`);
    expect(stored.config.delegatedSigners).toMatchObject([{ locator, scopes, expiresAt }]);
  });

  it('takes every type of signer', async () => {
    const wallet = await aWallet();
    const publicKey = {
      x: '48439561293906451759052585252797914202762949526041747995844080717082404635286',
      y: '36134250956749795798585127919587881956611106672985015071877198253568414405109',
    };
    const inputs = [
      { type: 'external-wallet', address: fresh('a') },
      { type: 'server', address: fresh('b') },
      { type: 'api-key' },
      { type: 'passkey', id: 'cred-1', name: 'Phone', publicKey },
      { type: 'device', publicKey, name: 'Watch' },
      { type: 'email', email: 'Jo.Doe@GoogleMail.com' },
      { type: 'phone', phone: '+14155550123' },
      {
        type: 'quorum',
        threshold: 1,
        members: [
          { type: 'server', address: fresh('c') },
          { type: 'email', email: 'a@b.example' },
        ],
      },
    ];
    for (const signer of inputs) {
      const { status, body } = await add(wallet, { signer });
      expect([signer.type, status, body.message]).toEqual([signer.type, 201, undefined]);
      expect(body.type).toBe(signer.type);
      expect(JSON.stringify(body)).not.toContain('keyId');
      expect((await read(wallet, body.locator)).body).toEqual(body);
    }
    const { body } = await world.api.call('GET', `${wallets}/${wallet.address}`);
    expect(body.config.delegatedSigners.map(({ type }: { type: string }) => type)).toEqual(
      inputs.map(({ type }) => type),
    );
    expect(body.config.delegatedSigners).toContainEqual(
      expect.objectContaining({
        type: 'email',
        email: 'jodoe@gmail.com',
        locator: 'email:jodoe@gmail.com',
      }),
    );
  });
});

describe('add signer, transaction flow', () => {
  it('shows the whole transaction until it has succeeded', async () => {
    const wallet = await aWallet();
    const locator = `external-wallet:${fresh('delegate')}`;
    const { status, body } = await add(wallet, { signer: locator, deployImmediately: true });
    const entry = body.chains[chainA];
    expect([status, entry.status]).toEqual([201, 'awaiting-approval']);
    expect(entry).toMatchObject({
      id: expect.any(String),
      chainType: 'evm',
      walletType: 'smart',
      onChain: expect.any(Object),
    });
    const transaction = await world.api.call(
      'GET',
      `${wallets}/${wallet.address}/transactions/${entry.id}`,
    );
    expect(transaction.body).toEqual(entry);
    expect((await approve(wallet, 'transactions', entry)).body.status).toBe('pending');
    await world.land();
    expect((await read(wallet, locator)).body.chains).toEqual({ [chainA]: { status: 'success' } });
  });
});

describe('add signer, again', () => {
  it('answers signer-already-exists once the same settings are in force', async () => {
    const wallet = await anApiKeyWallet();
    const signer = `external-wallet:${fresh('delegate')}`;
    await add(wallet, { signer });
    await world.land();
    const { status, body } = await add(wallet, { signer });
    expect([status, body.code]).toEqual([400, 'signer-already-exists']);
    expect(body.message).toBe('Delegated signer is already approved');
    expect((await add(wallet, { signer, chain: chainB })).status).toBe(201);
  });

  it('answers the registration that is under way when asked for the same, and makes another for other settings', async () => {
    const wallet = await aWallet();
    const signer = `external-wallet:${fresh('delegate')}`;
    const first = await add(wallet, { signer });
    const again = await add(wallet, { signer });
    expect([again.status, again.body]).toEqual([201, first.body]);
    const other = await add(wallet, { signer, expiresAt: '2026-03-01T00:00:00Z' });
    expect(other.body.chains[chainA].id).not.toBe(first.body.chains[chainA].id);
    expect(other.body.expiresAt).toBe('2026-03-01T00:00:00Z');
  });

  it('replaces settings that are in force: the old ones hold until the chain has the new ones', async () => {
    const wallet = await aWallet();
    const signer = `external-wallet:${fresh('delegate')}`;
    const first = await add(wallet, { signer });
    await approve(wallet, 'signatures', first.body.chains[chainA]);
    await world.land();
    const expiresAt = '2026-03-01T00:00:00Z';
    const update = await add(wallet, { signer, expiresAt });
    expect(update.body.chains[chainA].status).toBe('awaiting-approval');
    await approve(wallet, 'signatures', update.body.chains[chainA]);
    await world.land({ fail: true });
    expect((await read(wallet, signer)).body).toMatchObject({
      chains: { [chainA]: { status: 'success' } },
    });
    expect((await read(wallet, signer)).body).not.toHaveProperty('expiresAt');
    const second = await add(wallet, { signer, expiresAt });
    await approve(wallet, 'signatures', second.body.chains[chainA]);
    await world.land();
    expect((await read(wallet, signer)).body).toMatchObject({
      expiresAt,
      chains: { [chainA]: { status: 'success' } },
    });
  });

  it('lets a failed registration be repeated, and shows it as failed until then', async () => {
    const wallet = await anApiKeyWallet();
    const signer = `external-wallet:${fresh('delegate')}`;
    const first = await add(wallet, { signer });
    await world.land({ fail: true });
    expect((await read(wallet, signer)).body.chains[chainA]).toMatchObject({
      status: 'failed',
      id: first.body.chains[chainA].id,
    });
    const again = await add(wallet, { signer });
    expect([again.status, again.body.chains[chainA].status]).toEqual([201, 'pending']);
    await world.land();
    expect((await read(wallet, signer)).body.chains).toEqual({ [chainA]: { status: 'success' } });
  });

  it('lets a registration that nobody approved in 24 hours be repeated', async () => {
    const { closeSignatureWindows } = await import('../signatures/index.ts');
    const { closeSignerChanges } = await import('./index.ts');
    for (const sweep of [true, false]) {
      const wallet = await aWallet();
      const signer = `external-wallet:${fresh('delegate')}`;
      const first = await add(wallet, { signer });
      world.clock.advance(25 * 3_600_000);
      await closeSignatureWindows(world.ctx);
      expect((await read(wallet, signer)).body.chains[chainA]).toMatchObject({
        status: 'failed',
        id: first.body.chains[chainA].id,
      });
      if (sweep) expect(await closeSignerChanges(world.ctx)).toBeGreaterThan(0);
      expect((await read(wallet, signer)).body.chains[chainA].status).toBe('failed');
      const again = await add(wallet, { signer });
      expect([again.status, again.body.chains[chainA].status]).toEqual([201, 'awaiting-approval']);
      expect(again.body.chains[chainA].id).not.toBe(first.body.chains[chainA].id);
    }
  });

  it('lets an expired signer be added anew', async () => {
    const wallet = await anApiKeyWallet();
    const signer = `external-wallet:${fresh('delegate')}`;
    const expiresAt = new Date(world.clock.now().getTime() + 60_000).toISOString();
    await add(wallet, { signer, expiresAt });
    await world.land();
    world.clock.advance(61_000);
    expect((await read(wallet, signer)).body.chains[chainA].status).toBe('success');
    const spend = () =>
      world.api.call('POST', `${wallets}/${wallet.address}/transactions`, {
        body: { params: { chain: chainA, signer } },
      });
    expect(codeOf(await spend())).toEqual([400, 'signer-expired']);
    const again = await add(wallet, {
      signer,
      expiresAt: new Date(world.clock.now().getTime() + 60_000).toISOString(),
    });
    expect(again.status).toBe(201);
    await world.land();
    expect((await spend()).status).toBe(201);
  });
});

describe('remove signer', () => {
  it('keeps the signer until the transaction has succeeded; gone from the last chain it is 404', async () => {
    const wallet = await aWallet();
    const signer = `external-wallet:${fresh('delegate')}`;
    for (const chain of [chainA, chainB]) {
      const { body } = await add(wallet, { signer, chain });
      await approve(wallet, 'signatures', body.chains[chain]);
    }
    await world.land();
    const removal = await remove(wallet, signer);
    expect([removal.status, removal.body.status]).toEqual([200, 'awaiting-approval']);
    expect((await remove(wallet, signer)).body).toEqual(removal.body);
    expect((await read(wallet, signer)).body.chains[chainA]).toEqual({ status: 'success' });
    await approve(wallet, 'transactions', removal.body);
    await world.land();
    expect((await read(wallet, signer)).body.chains).toEqual({ [chainB]: { status: 'success' } });
    expect(codeOf(await remove(wallet, signer))).toEqual([404, 'signer-not-found']);
    const last = await remove(wallet, signer, '?chain=optimism');
    await approve(wallet, 'transactions', last.body);
    await world.land();
    expect(codeOf(await read(wallet, signer))).toEqual([404, 'signer-not-found']);
    expect(
      (await world.api.call('GET', `${wallets}/${wallet.address}`)).body.config.delegatedSigners,
    ).toEqual([]);
    expect((await add(wallet, { signer })).status).toBe(201);
  });

  it('takes a signer of the set-up from one chain, and leaves it on all others', async () => {
    const address = fresh('delegate');
    const wallet = await aWallet({
      adminSigner: { type: 'api-key' },
      delegatedSigners: [{ signer: `external-wallet:${address}` }],
    });
    const signer = `external-wallet:${address}`;
    expect((await read(wallet, signer)).body).toEqual({
      type: 'external-wallet',
      address,
      locator: signer,
      chains: {},
    });
    expect((await remove(wallet, signer)).status).toBe(200);
    await world.land();
    expect((await read(wallet, signer)).body.chains).toEqual({ [chainB]: { status: 'success' } });
    expect((await remove(wallet, signer, `?chain=${chainB}`)).status).toBe(200);
    await world.land();
    expect((await read(wallet, signer)).status).toBe(404);
  });

  it('refuses the admin signer, what is not there, and a call without a chain', async () => {
    const wallet = await aWallet();
    const signer = `external-wallet:${fresh('stranger')}`;
    expect(codeOf(await remove(wallet, wallet.config.adminSigner.locator))).toEqual([
      400,
      'signer-not-removable',
    ]);
    expect(codeOf(await remove(wallet, signer))).toEqual([404, 'signer-not-found']);
    expect(codeOf(await remove(wallet, signer, ''))).toEqual([400, 'validation-error']);
    expect(codeOf(await remove(wallet, signer, '?chain=solana'))).toEqual([
      400,
      'chain-not-supported',
    ]);
    expect(codeOf(await remove(wallet, 'nobody'))).toEqual([400, 'invalid-locator']);
    expect(codeOf(await remove({ address: fresh('no wallet') }, signer))).toEqual([
      404,
      'wallet-not-found',
    ]);
  });

  it('takes no approval of a signature that the signer was asked for before it was removed or got scopes', async () => {
    const wallet = await anApiKeyWallet();
    const signer = `external-wallet:${fresh('delegate')}`;
    const ask = async () => {
      await add(wallet, { signer });
      await world.land();
      const params = { chain: chainA, message: 'hello', signer };
      return (await call('POST', wallet, '/signatures', { body: { type: 'message', params } }))
        .body;
    };
    const asked = await ask();
    await remove(wallet, signer);
    await world.land();
    expect(codeOf(await approve(wallet, 'signatures', asked))).toEqual([
      400,
      'signer-not-approver',
    ]);
    const again = await ask();
    await add(wallet, { signer, scopes: [{ type: 'transfer', tokenLocator: `${chainA}:usdc` }] });
    await world.land();
    expect(codeOf(await approve(wallet, 'signatures', again))).toEqual([
      400,
      'signer-scope-violation',
    ]);
    await add(wallet, { signer });
    await world.land();
    expect((await approve(wallet, 'signatures', again)).body.status).toBe('success');
  });

  it('leaves the signer in force when the removal fails', async () => {
    const wallet = await anApiKeyWallet();
    const signer = `external-wallet:${fresh('delegate')}`;
    await add(wallet, { signer });
    await world.land();
    await remove(wallet, signer);
    await world.land({ fail: true });
    expect((await read(wallet, signer)).body.chains).toEqual({ [chainA]: { status: 'success' } });
    expect((await remove(wallet, signer)).body.status).toBe('pending');
  });
});

describe('names of signers', () => {
  const point = {
    x: '48439561293906451759052585252797914202762949526041747995844080717082404635286',
    y: '36134250956749795798585127919587881956611106672985015071877198253568414405109',
  };
  const opposite = {
    ...point,
    y: (2n ** 256n - 2n ** 224n + 2n ** 192n + 2n ** 96n - 1n - BigInt(point.y)).toString(),
  };
  const gone = async (wallet: { address: string }, locator: string) => {
    await world.land();
    await remove(wallet, locator);
    await world.land();
    expect((await read(wallet, locator)).status).toBe(404);
  };

  it('may be given to another key, and a key another name, once the signer is gone', async () => {
    const wallet = await anApiKeyWallet();
    await add(wallet, { signer: { type: 'passkey', id: 'cred', name: 'one', publicKey: point } });
    await gone(wallet, 'passkey:cred');
    const { status, body } = await add(wallet, {
      signer: { type: 'passkey', id: 'cred', name: 'two', publicKey: opposite },
    });
    expect([status, body.publicKey, body.name]).toEqual([201, opposite, 'two']);
    const address = fresh('delegate');
    await add(wallet, { signer: `external-wallet:${address}` });
    await gone(wallet, `external-wallet:${address}`);
    expect((await add(wallet, { signer: `server:${address}` })).status).toBe(201);
    expect((await read(wallet, `external-wallet:${address}`)).status).toBe(404);
    await world.land();
  });

  it('that are long arrive whole', async () => {
    const wallet = await anApiKeyWallet();
    const id = 'Az09-_'.repeat(220);
    expect(
      (await add(wallet, { signer: { type: 'passkey', id, name: 'long', publicKey: point } }))
        .status,
    ).toBe(201);
    expect((await read(wallet, `passkey:${id}`)).body.id).toBe(id);
    await world.land();
  });

  it('of a passkey and a quorum suffice on a second chain', async () => {
    const wallet = await anApiKeyWallet();
    const members = [
      { type: 'server', address: fresh('m') },
      { type: 'email', email: 'a@b.example' },
      { type: 'passkey', id: 'p', publicKey: point },
    ];
    const first = [
      await add(wallet, {
        signer: { type: 'passkey', id: 'cred', name: 'one', publicKey: opposite },
      }),
      await add(wallet, { signer: { type: 'quorum', threshold: 2, members } }),
    ];
    await world.land();
    for (const { body } of first) {
      const second = await add(wallet, { signer: body.locator, chain: chainB });
      expect([second.status, second.body.locator, Object.keys(second.body.chains)]).toEqual([
        201,
        body.locator,
        [chainA, chainB],
      ]);
    }
    // The same members in another order are the same quorum.
    await world.land();
    const again = await add(wallet, {
      signer: { type: 'quorum', threshold: 2, members: members.toReversed() },
    });
    expect(codeOf(again)).toEqual([400, 'signer-already-exists']);
  });

  it('are at most 200 in the life of a wallet; those that it knows can still be changed', async () => {
    const wallet = await anApiKeyWallet();
    const signer = `external-wallet:${fresh('delegate')}`;
    await add(wallet, { signer });
    await world.land();
    await world.ctx.store.query({
      text: `insert into wallet_signers (id, wallet_id, signer_key, key_id, signer, with_wallet, asked, created_at, check_at)
        select gen_random_uuid(), w.id, 'server:' || n, 'address:' || n, '{}', false, '{}', now(), now() from wallets w, generate_series(1, 199) n where w.address = $1`,
      values: [wallet.address],
    });
    const refused = await add(wallet, { signer: `external-wallet:${fresh('delegate')}` });
    expect(codeOf(refused)).toEqual([400, 'validation-error']);
    expect(refused.body.message).toContain('200');
    expect((await add(wallet, { signer, expiresAt: '2031-01-01T00:00:00Z' })).status).toBe(201);
  });
});
