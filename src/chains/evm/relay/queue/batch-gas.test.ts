import { parseTransaction } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adminSignerId } from '../../../../../contracts/index.ts';
import {
  anOperation,
  type BatchItem,
  deploy,
  executeBatch,
  readFailed,
} from '../../../../../contracts/test/chain.ts';
import { testArtifact } from '../../../../../contracts/test/hostile.ts';
import { hexOf } from '../../abi/words.ts';
import { type RelayTestChain, startRelayTestChain } from '../testing/chain.ts';
import { startFaultProxy } from '../testing/fault-proxy.ts';
import { anItem, aWorld, someWallets } from '../testing/world.ts';
import { batchGas, encodeBatch, encodeItem, itemGas } from './batch.ts';

let chain: RelayTestChain;
beforeAll(async () => {
  chain = await startRelayTestChain();
});
afterAll(() => chain.stop());

/** An operation of a wallet that burns all it gets and refuses. */
async function aBurner(callCount: number, dataBytes: number, gasLimit: bigint): Promise<BatchItem> {
  const address = await deploy(chain, testArtifact('FakeSafe'), [burns]);
  const calls = Array.from({ length: callCount }, () => ({
    to: address,
    value: 0n,
    data: `0x${'5a'.repeat(dataBytes)}` as const,
  }));
  return {
    op: anOperation(chain, { address }, { calls }),
    signature: adminSignerId,
    deployment: '0x',
    gasLimit,
  };
}

const burns = 3;

describe('the gas of a batch of refused operations', () => {
  it.each([
    [100, 0, 6],
    [1, 0, 20],
    [20, 1_000, 3],
    [1, 30_000, 2],
    [200, 4, 3],
    [700, 0, 1],
    [40, 4, 15],
  ])(
    'of %i calls with %i bytes each is enough for all %i of them: nobody else is undone',
    async (callCount, dataBytes, itemCount) => {
      const gasLimit = 700_000n;
      const items: BatchItem[] = [];
      for (let count = 0; count < itemCount; count++)
        items.push(await aBurner(callCount, dataBytes, gasLimit));
      const encoded = items.map((item) => encodeItem(item));
      const gas = batchGas(
        encoded.reduce((sum, item) => sum + itemGas(item, { gasLimit, callCount }), 0n),
        gasLimit,
      );
      expect(`0x${encodeBatch(encoded).toString('hex')}`.length).toBeLessThan(250_000);
      const { status, error, receipt } = await executeBatch(chain, items, gas);
      expect([status, error]).toEqual(['success', undefined]);
      expect(readFailed(receipt)).toHaveLength(itemCount);
    },
  );
});

it('no batch asks for more gas than a transaction may have, also one that once missed', async () => {
  const proxy = await startFaultProxy(chain.url);
  proxy.rule = (methods) => (methods.includes('eth_estimateGas') ? 'rpc-error' : 'pass');
  const world = await aWorld(chain);
  try {
    const [wallet] = await someWallets(chain, 1);
    await world.enqueue([
      await anItem(world, wallet!, { gasLimit: 14_000_000n }),
      await anItem(world, wallet!, { gasLimit: 2_000_000n }),
    ]);
    await world.database.store.query({ text: 'update evm_operations set tries = 1' });
    await world.start({ rpcUrl: proxy.url });
    for (const { status } of (await world.settled()).values()) expect(status).toBe('success');
    const { rows } = await world.database.store.query<{ raw: Buffer }>({
      text: 'select raw from evm_attempts',
    });
    const limits = rows.map(({ raw }) => parseTransaction(hexOf(raw)).gas!);
    for (const limit of limits) expect(limit).toBeLessThanOrEqual(16_777_216n);
  } finally {
    await world.close();
    await proxy.close();
  }
});
