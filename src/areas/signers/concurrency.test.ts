import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callsOf, chainA, type SignersWorld, startSignersWorld } from './test-kit.ts';

let world: SignersWorld;
beforeAll(async () => {
  world = await startSignersWorld();
});
afterAll(() => world.close());

const { fresh, aWallet, add, read, remove, approve } = callsOf(() => world);
const anApiKeyWallet = () => aWallet({ adminSigner: { type: 'api-key' } });
const times = <T>(count: number, work: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)));

/** Numbers without bias towards an order, the same in every run. */
function shuffled<T>(items: readonly T[], seed: number): T[] {
  let state = seed;
  const next = () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state;
  };
  return items
    .map((item) => ({ item, at: next() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}

/** What the service answers and what the chain has must be one. */
async function expectOneTruth(wallet: { address: string }, locator: string): Promise<void> {
  const signer = {
    type: 'external-wallet' as const,
    locator,
    address: locator.slice('external-wallet:'.length),
  };
  const terms = world.onChain.get(world.chainKey(chainA, wallet.address, signer));
  const onChain = terms !== undefined && terms !== 'removed';
  const { status, body } = await read(wallet, locator);
  expect(status === 200 && body.chains[chainA]?.status === 'success').toBe(onChain);
  const spend = await world.api.call('POST', `/2025-06-09/wallets/${wallet.address}/transactions`, {
    body: { params: { chain: chainA, signer: locator } },
  });
  expect(spend.status).toBe(onChain ? 201 : 400);
}

describe('calls that arrive together', () => {
  it('20 equal adds make one registration', async () => {
    const wallet = await aWallet();
    const signer = `external-wallet:${fresh('crowd')}`;
    const answers = await times(20, () => add(wallet, { signer }));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(answers.map(({ body }) => body.chains[chainA].id)).size).toBe(1);
    const { rows } = await world.ctx.store.query({
      text: `select c.id from signer_changes c join wallet_signers s on s.id = c.signer_id join wallets w on w.id = s.wallet_id where w.address = $1`,
      values: [wallet.address],
    });
    expect(rows).toHaveLength(1);
    await approve(wallet, 'signatures', answers[0]!.body.chains[chainA]);
    await world.land();
    await expectOneTruth(wallet, signer);
  });

  it('20 equal removals make one transaction', async () => {
    const wallet = await aWallet();
    const signer = `external-wallet:${fresh('crowd')}`;
    const added = await add(wallet, { signer });
    await approve(wallet, 'signatures', added.body.chains[chainA]);
    await world.land();
    const answers = await times(20, () => remove(wallet, signer));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    await approve(wallet, 'transactions', answers[0]!.body);
    await world.land();
    await expectOneTruth(wallet, signer);
    expect((await read(wallet, signer)).status).toBe(404);
  });

  it('20 adds with other settings each leave one that counts, the last one that the chain took', {
    tags: 'slow',
  }, async () => {
    const wallet = await aWallet();
    const signer = `external-wallet:${fresh('crowd')}`;
    const expiries = Array.from(
      { length: 20 },
      (_, index) => `2027-01-${String(index + 1).padStart(2, '0')}T00:00:00Z`,
    );
    const answers = await Promise.all(
      expiries.map((expiresAt) => add(wallet, { signer, expiresAt })),
    );
    expect(answers.every(({ status }) => status === 201 || status === 409)).toBe(true);
    const { body } = await read(wallet, signer);
    expect(expiries).toContain(body.expiresAt);
    // Requests that were replaced can still be approved: whatever lands last is what the chain has.
    const requests = (
      await world.api.call('GET', `/2025-06-09/wallets/${wallet.address}/signatures?perPage=50`)
    ).body.signatures;
    for (const request of requests)
      expect((await approve(wallet, 'signatures', request)).status).toBe(201);
    const order = shuffled(requests.map(({ id }: { id: string }) => id) as string[], 7);
    await world.land({ only: order });
    await expectOneTruth(wallet, signer);
    const winner = answers.find((answer) => answer.body.chains?.[chainA].id === order.at(-1));
    if (winner) expect((await read(wallet, signer)).body.expiresAt).toBe(winner.body.expiresAt);
  });

  it('20 adds and removals at once end in one truth, which is the chain’s, in whatever order they land', {
    tags: 'slow',
  }, async () => {
    for (const seed of [1, 2, 3, 4]) {
      const wallet = await anApiKeyWallet();
      const signer = `external-wallet:${fresh('crowd')}`;
      for (let round = 0; round < 3; round++) {
        const answers = await times(20, (index) =>
          index % 2 === 0 ? add(wallet, { signer }) : remove(wallet, signer),
        );
        for (const { status } of answers) expect([200, 201, 400, 404, 409]).toContain(status);
        await world.land({
          only: shuffled(
            world.queue.map(({ operationId }) => operationId),
            seed + round,
          ),
        });
        await expectOneTruth(wallet, signer);
      }
    }
  });
});
