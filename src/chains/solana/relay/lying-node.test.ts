import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RpcClient } from '../../../lib/net/json-rpc.ts';
import { newAddress, openWorld, type World } from '../testing/world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
  // Nonces are made through a node that drops what makes them; what the tests lie about comes
  // after.
  let dropped = 0;
  const rpc: RpcClient = {
    ...world.rpc,
    request: async (method, params = []) =>
      method === 'sendTransaction' && ++dropped <= 3
        ? '1'.repeat(64)
        : world.rpc.request(method, params),
  };
  const relay = await world.start({ connect: async () => ({ network: world.network, rpc }) });
  await world.until(
    async () => (await freeNonces()) >= 12,
    'nonces that were dropped are made again',
  );
  sentForNonces = dropped;
  await relay.stop();
});
let sentForNonces = 0;
async function freeNonces(): Promise<number> {
  const { rows } = await world.database.store.query<{ count: string }>({
    text: `select count(*) from solana_nonces where status = 'free'`,
  });
  return Number(rows[0]!.count);
}
afterAll(() => world?.close());

type Lie = (
  method: string,
  params: readonly unknown[],
  honest: () => Promise<unknown>,
) => Promise<unknown>;

/** One transfer through a relay whose node lies; the outcome, and what the chain says. */
async function transferThrough(lie: Lie) {
  const honest = world.rpc;
  const rpc: RpcClient = {
    ...honest,
    request: (method, params = []) => lie(method, params, () => honest.request(method, params)),
  };
  const relay = await world.start({
    connect: async () => ({ network: world.network, rpc }),
    settings: { ...world.relayDeps().settings, resendAfterMs: 300 },
  });
  const [wallet, recipient] = [await world.aWallet({ tokens: 10n }), newAddress()];
  const prepared = await world.prepareTransfer(wallet, 4n, recipient);
  const id = await world.submit(wallet, prepared);
  return {
    id,
    recipient,
    wallet,
    stop: () => relay.stop(),
    outcome: () => world.outcomeOf(id),
    told: () => world.outcomes.filter(({ operationId }) => operationId === id),
  };
}

describe('a node that lies', () => {
  it('drops what makes the nonces: they are made once more, and not at each look', () => {
    expect(sentForNonces).toBeGreaterThan(3);
    expect(sentForNonces).toBeLessThanOrEqual(9);
  });

  it('drops what it is given, and later takes it: it happens once', { tags: 'slow' }, async () => {
    let dropped = 0;
    const run = await transferThrough(async (method, _params, honest) => {
      if (method !== 'sendTransaction' || ++dropped > 3) return honest();
      return '1'.repeat(64);
    });
    expect((await run.outcome()).status).toBe('success');
    expect(dropped).toBeGreaterThan(3);
    expect(await world.tokensOf(run.recipient)).toBe(4n);
    await run.stop();
  });

  it('takes a transaction and says that it did not, or takes it twice: it happens once', async () => {
    const run = await transferThrough(async (method, _params, honest) => {
      if (method !== 'sendTransaction') return honest();
      await honest();
      await honest();
      throw new Error('connection lost');
    });
    expect((await run.outcome()).status).toBe('success');
    expect(await world.tokensOf(run.recipient)).toBe(4n);
    expect(run.told()).toHaveLength(1);
    await run.stop();
  });

  it('tells of a success that no block has: nothing is told before it is there', {
    tags: 'slow',
  }, async () => {
    let isLying = true;
    const run = await transferThrough(async (method, params, honest) => {
      if (isLying && method === 'sendTransaction') return '1'.repeat(64);
      if (isLying && method === 'getSignatureStatuses') {
        const [signatures] = params as [string[]];
        const value = signatures.map(() => ({
          slot: 1,
          confirmations: null,
          err: null,
          confirmationStatus: 'finalized',
        }));
        return { context: { slot: 1 }, value };
      }
      return honest();
    });
    let looks = 0;
    await world.until(() => ++looks > 40, 'some looks');
    expect(run.told()).toEqual([]);
    isLying = false;
    expect((await run.outcome()).status).toBe('success');
    expect(await world.tokensOf(run.recipient)).toBe(4n);
    await run.stop();
  });

  it.each([
    ['a fortune', (before: number) => before - 9_000_000_000, 20_000_000n],
    ['nothing', (before: number) => before, 20_000_000n],
  ])('tells that it cost %s: what the bytes allow is charged', async (_, after, most) => {
    let lies = 0;
    const run = await transferThrough(async (method, _params, honest) => {
      const answer = (await honest()) as {
        meta?: { preBalances: number[]; postBalances: number[] };
      } | null;
      if (method !== 'getTransaction' || !answer?.meta) return answer;
      lies += 1;
      const { meta } = answer;
      return {
        ...answer,
        meta: {
          ...meta,
          postBalances: [after(meta.preBalances[0]!), ...meta.postBalances.slice(1)],
        },
      };
    });
    const { costMinor } = await run.outcome();
    expect(lies).toBeGreaterThan(0);
    expect(costMinor).toBeGreaterThanOrEqual(10_000n);
    expect(costMinor).toBeLessThan(most);
    await run.stop();
  });

  it('tells of a failure where the block has a success, and of nothing where it has one: the block counts', {
    tags: 'slow',
  }, async () => {
    let lies = 0;
    const run = await transferThrough(async (method, params, honest) => {
      if (method !== 'getSignatureStatuses' || ++lies > 6) return honest();
      const [signatures] = params as [string[]];
      const status = {
        slot: 1,
        confirmations: null,
        err: { InstructionError: [0, { Custom: 1 }] },
        confirmationStatus: 'finalized',
      };
      return {
        context: { slot: 1 },
        value: signatures.map(() => (lies % 2 === 0 ? null : status)),
      };
    });
    expect((await run.outcome()).status).toBe('success');
    expect(run.told()).toHaveLength(1);
    expect(await world.tokensOf(run.recipient)).toBe(4n);
    await run.stop();
  });
});
