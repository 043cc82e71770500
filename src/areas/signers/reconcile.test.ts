import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { compareSigners } from './index.ts';
import {
  callsOf,
  chainA,
  chainB,
  codeOf,
  type SignersWorld,
  startSignersWorld,
} from './test-kit.ts';

let world: SignersWorld;
beforeAll(async () => {
  world = await startSignersWorld();
});
afterAll(() => world.close());
beforeEach(() => {
  world.outage = false;
});

const { fresh, aWallet, add, read, remove } = callsOf(() => world);
const day = 24 * 3_600_000;

/** Looks at everything that is due, and again what was doubted. */
async function compare(): Promise<number> {
  let corrected = await compareSigners(world.ctx);
  for (let round = 0; round < 3; round++) {
    world.clock.advance(4_000);
    corrected += await compareSigners(world.ctx);
  }
  return corrected;
}

async function aRegistered(config: object = {}) {
  const wallet = await aWallet({ adminSigner: { type: 'api-key' }, ...config });
  const address = fresh('delegate');
  const locator = `external-wallet:${address}`;
  await add(wallet, { signer: locator });
  await world.land();
  const key = world.chainKey(chainA, wallet.address, { type: 'external-wallet', locator, address });
  expect(world.onChain.has(key)).toBe(true);
  return { wallet, locator, key };
}
const spend = (wallet: { address: string }, signer: string, chain: string = chainA) =>
  world.api.call('POST', `/2025-06-09/wallets/${wallet.address}/transactions`, {
    body: { params: { chain, signer } },
  });

describe('comparing signers with the chain', () => {
  it('leaves alone what agrees', async () => {
    const { wallet, locator } = await aRegistered();
    world.clock.advance(day);
    expect(await compare()).toBe(0);
    expect((await read(wallet, locator)).body.chains).toEqual({ [chainA]: { status: 'success' } });
  });

  it('forgets a signer that was removed behind the service’s back', async () => {
    const { wallet, locator, key } = await aRegistered();
    world.onChain.set(key, 'removed');
    world.clock.advance(day);
    expect(await compare()).toBe(1);
    expect((await read(wallet, locator)).status).toBe(404);
    expect(codeOf(await spend(wallet, locator))).toEqual([400, 'transaction-invalid']);
    // The chain was not touched.
    expect(world.onChain.get(key)).toBe('removed');
    expect((await add(wallet, { signer: locator })).status).toBe(201);
  });

  it('takes back a signer that was added again behind the service’s back', async () => {
    const { wallet, locator, key } = await aRegistered();
    const terms = world.onChain.get(key)!;
    await remove(wallet, locator);
    await world.land();
    expect((await read(wallet, locator)).status).toBe(404);
    world.onChain.set(key, terms);
    world.clock.advance(day);
    expect(await compare()).toBe(1);
    expect((await read(wallet, locator)).body.chains).toEqual({ [chainA]: { status: 'success' } });
    expect((await spend(wallet, locator)).status).toBe(201);
  });

  it('shows a signer with settings that were never asked for here as failed, until it is added again', async () => {
    const { wallet, locator, key } = await aRegistered();
    world.onChain.set(key, 'settings of somebody else');
    world.clock.advance(day);
    expect(await compare()).toBe(1);
    expect((await read(wallet, locator)).body.chains[chainA].status).toBe('failed');
    const refused = await spend(wallet, locator);
    expect(codeOf(refused)).toEqual([400, 'transaction-invalid']);
    expect(refused.body.message).toContain('add it again');
    expect((await remove(wallet, locator)).status).toBe(200);
    world.queue.length = 0;
    expect((await add(wallet, { signer: locator })).status).toBe(409);
  });

  it('recognises settings of an earlier registration', async () => {
    const { wallet, locator, key } = await aRegistered();
    const first = world.onChain.get(key)!;
    const expiresAt = '2030-01-01T00:00:00Z';
    await add(wallet, { signer: locator, expiresAt });
    await world.land();
    expect((await read(wallet, locator)).body.expiresAt).toBe(expiresAt);
    world.onChain.set(key, first);
    world.clock.advance(day);
    expect(await compare()).toBe(1);
    expect((await read(wallet, locator)).body).not.toHaveProperty('expiresAt');
  });

  it('finds a signer of the set-up that was removed on a chain the wallet uses', async () => {
    const address = fresh('delegate');
    const locator = `external-wallet:${address}`;
    const wallet = await aWallet({
      adminSigner: { type: 'api-key' },
      delegatedSigners: [{ signer: locator }],
    });
    expect((await spend(wallet, locator)).status).toBe(201);
    world.queue.length = 0;
    world.onChain.set(
      world.chainKey(chainA, wallet.address, { type: 'external-wallet', locator, address }),
      'removed',
    );
    world.clock.advance(day);
    expect(await compare()).toBe(1);
    expect((await read(wallet, locator)).body.chains).toEqual({ [chainB]: { status: 'success' } });
    expect(codeOf(await spend(wallet, locator))).toEqual([400, 'transaction-invalid']);
    expect((await spend(wallet, locator, chainB)).status).toBe(201);
    world.queue.length = 0;
  });

  it('believes a chain that contradicts twice, not a node that lags once', async () => {
    const { wallet, locator, key } = await aRegistered();
    const terms = world.onChain.get(key)!;
    world.onChain.set(key, 'removed');
    world.clock.advance(day);
    expect(await compareSigners(world.ctx)).toBe(0);
    world.onChain.set(key, terms);
    world.clock.advance(4_000);
    expect(await compareSigners(world.ctx)).toBe(0);
    expect((await read(wallet, locator)).body.chains[chainA].status).toBe('success');
  });

  it('corrects nothing that has changed while the chain was read', async () => {
    const { wallet, locator, key } = await aRegistered();
    world.onChain.set(key, 'removed');
    world.clock.advance(day);
    await compareSigners(world.ctx);
    world.clock.advance(4_000);
    world.afterRead = async () => {
      world.clock.advance(1);
      await add(wallet, { signer: locator, expiresAt: '2031-01-01T00:00:00Z' });
      await world.land();
    };
    expect(await compareSigners(world.ctx)).toBe(0);
    expect((await read(wallet, locator)).body).toMatchObject({
      expiresAt: '2031-01-01T00:00:00Z',
      chains: { [chainA]: { status: 'success' } },
    });
  });

  it('looks again later when the node does not answer', async () => {
    const { wallet, locator, key } = await aRegistered();
    world.onChain.set(key, 'removed');
    world.clock.advance(day);
    world.outage = true;
    expect(await compare()).toBe(0);
    expect((await read(wallet, locator)).status).toBe(200);
    world.outage = false;
    world.clock.advance(300_000);
    expect(await compare()).toBe(1);
    expect((await read(wallet, locator)).status).toBe(404);
  });

  it('heals what a reorganisation undid: the outcome is told anew, and the chain is read', async () => {
    const { wallet, locator, key } = await aRegistered();
    const { rows } = await world.ctx.store.query<{ id: string }>({
      text: 'select id from signer_changes where wallet_id = (select id from wallets where address = $1)',
      values: [wallet.address],
    });
    world.onChain.set(key, 'removed');
    await world.settle(rows[0]!.id, 'failed');
    expect(await compare()).toBe(1);
    expect((await read(wallet, locator)).body.chains[chainA]).toMatchObject({
      status: 'failed',
      id: rows[0]!.id,
    });
    world.onChain.set(key, '[null,[]]');
    await world.settle(rows[0]!.id, 'success');
    expect((await read(wallet, locator)).body.chains).toEqual({ [chainA]: { status: 'success' } });
  });

  it('follows the chain where outcomes were told in another order than it took the operations', async () => {
    const { wallet, locator, key } = await aRegistered();
    const removal = await remove(wallet, locator);
    await world.land();
    const again = await add(wallet, { signer: locator });
    await world.land();
    // The chain took the removal last.
    world.onChain.set(key, 'removed');
    expect((await read(wallet, locator)).body.chains[chainA].status).toBe('success');
    await world.settle(removal.body.id, 'success');
    await world.settle(again.body.chains[chainA].id, 'success');
    expect((await read(wallet, locator)).body.chains[chainA].status).toBe('success');
    world.clock.advance(4_000);
    expect(await compare()).toBe(1);
    expect((await read(wallet, locator)).status).toBe(404);
  });

  it('is bounded: a round takes at most 50 rows, and the next goes on', async () => {
    const later = new Date(world.clock.now().getTime() + 10 * day);
    await world.ctx.store.query({
      text: 'update wallet_signer_chains set check_at = $1',
      values: [later],
    });
    const wallet = await aWallet({ adminSigner: { type: 'api-key' } });
    for (let nr = 0; nr < 60; nr++)
      await add(wallet, { signer: `external-wallet:${fresh('many')}` });
    await world.land();
    for (const key of world.onChain.keys())
      if (key.includes(wallet.address)) world.onChain.set(key, 'removed');
    const dueCount = async () => {
      const { rows } = await world.ctx.store.query<{ count: number }>({
        text: 'select count(*)::int as count from wallet_signer_chains where check_at <= $1',
        values: [world.clock.now()],
      });
      return rows[0]!.count;
    };
    world.clock.advance(5_000);
    expect(await dueCount()).toBe(60);
    await compareSigners(world.ctx);
    expect(await dueCount()).toBe(10);
    await compareSigners(world.ctx);
    expect(await dueCount()).toBe(0);
  });
});
