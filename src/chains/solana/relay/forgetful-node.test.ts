/** @module-tag slow */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SolanaConnection } from '../rpc/connections.ts';
import { newAddress, openWorld, type World } from '../testing/world.ts';
import { relayLimits } from './limits.ts';

/** A node that says other things than its chain knows. */

let world: World;
let lie: ((method: string, ask: () => Promise<unknown>) => Promise<unknown>) | undefined;

beforeAll(async () => {
  world = await openWorld();
  const { connection } = world;
  const lying: SolanaConnection = {
    ...connection,
    rpc: {
      ...connection.rpc,
      async request(method, params) {
        const ask = () => connection.rpc.request(method, params);
        return lie ? lie(method, ask) : ask();
      },
    },
  };
  await world.start({ connect: async () => lying });
});
afterAll(() => world?.close());

const column = async (name: 'misses' | 'status', operationId: string) => {
  const { rows } = await world.database.store.query<Record<string, unknown>>({
    text: `select ${name} as value from solana_operations where operation_id = $1`,
    values: [operationId],
  });
  return rows[0]?.value;
};

const inContext = (value: unknown) => ({ context: { slot: 1 }, value });

describe('a node that lies', () => {
  it('by not knowing a transaction that landed does not make it a failed one, which somebody would make again', async () => {
    const [wallet, recipient] = [await world.aWallet({ tokens: 1_000n }), newAddress()];
    const prepared = await world.prepareTransfer(wallet, 400n, recipient);
    lie = async (method, ask) => {
      if (method === 'getTransaction') return null;
      return method === 'getSignatureStatuses' ? inContext([null]) : ask();
    };
    const id = await world.submit(wallet, prepared);
    await world.until(
      async () =>
        Number(await column('misses', id)) > relayLimits.missesMax || world.outcomes.length > 0,
      'looks for nothing',
    );
    expect(await world.tokensOf(recipient)).toBe(400n);
    expect(world.outcomes).toEqual([]);
    lie = undefined;
    expect(await world.outcomeOf(id)).toMatchObject({ status: 'success', executed: true });
  });

  it('by knowing one that it did not pass on does not make it a success', async () => {
    const [wallet, recipient] = [await world.aWallet({ tokens: 1_000n }), newAddress()];
    const prepared = await world.prepareTransfer(wallet, 400n, recipient);
    let told = 0;
    lie = async (method, ask) => {
      if (method === 'sendTransaction') return '1'.repeat(88);
      if (method !== 'getSignatureStatuses') return ask();
      told += 1;
      return inContext([
        { slot: 1, confirmations: null, err: null, confirmationStatus: 'finalized' },
      ]);
    };
    const id = await world.submit(wallet, prepared);
    await world.until(() => told > 3, 'several looks');
    expect(world.outcomes.some(({ operationId }) => operationId === id)).toBe(false);
    lie = undefined;
    expect(await world.outcomeOf(id)).toMatchObject({ status: 'success' });
    expect(await world.tokensOf(recipient)).toBe(400n);
  });
});
