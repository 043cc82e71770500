import { setTimeout as delay } from 'node:timers/promises';
import { numberToHex } from 'viem';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { addresses } from '../../../../../contracts/index.ts';
import { executeData } from '../../../../../contracts/test/chain.ts';
import { type RelayTestChain, startRelayTestChain } from '../testing/chain.ts';
import { readOutcomes } from '../testing/relay.ts';
import { anItem, aWorld, countExecutions, someWallets, type World } from '../testing/world.ts';

let chain: RelayTestChain;
let world: World;
beforeAll(async () => {
  chain = await startRelayTestChain();
});
afterAll(() => chain.stop());
afterEach(async () => {
  await chain.call('evm_setAutomine', [true]);
  await chain.call('anvil_dropAllTransactions');
  await chain.call('anvil_setNextBlockBaseFeePerGas', [numberToHex(1_000_000_000)]);
  await chain.call('anvil_mine', ['0x1']);
  await world.close();
});

async function until<T>(read: () => Promise<T | undefined>): Promise<T> {
  for (let tries = 0; tries < 1_200; tries++) {
    const value = await read();
    if (value !== undefined) return value;
    await delay(50);
  }
  throw new Error('It did not happen in time.');
}

interface SendRow {
  nonce: string;
  kind: string;
  status: string;
  bumps: number;
  cancelled: boolean;
}

async function readSends(): Promise<SendRow[]> {
  return (
    await world.database.store.query<SendRow>({
      text: 'select nonce, kind, status, bumps, cancelled from evm_sends order by nonce',
    })
  ).rows;
}

async function expectAllOnce(): Promise<void> {
  const outcomes = await world.settled();
  const executions = await countExecutions(chain, world.items);
  for (const item of world.items) {
    expect(outcomes.get(item.operationId)!.status).toBe('success');
    expect(executions.get(item.operationHash)).toEqual([
      outcomes.get(item.operationId)!.onChain.txId,
    ]);
  }
}

describe('a stuck nonce', () => {
  it('is bumped when the base fee has left its fee behind, and whichever attempt lands counts', async () => {
    world = await aWorld(chain);
    const [wallet] = await someWallets(chain, 1);
    await chain.call('evm_setAutomine', [false]);
    await world.start({ relay: { bumpAfterMs: 500 } });
    await world.enqueue([await anItem(world, wallet!)]);
    await until(async () => ((await readSends()).length === 1 ? true : undefined));
    for (let blocks = 0; blocks < 400 && (await readSends())[0]!.status === 'pending'; blocks++) {
      // 100 gwei is far above what was paid at first.
      await chain.call('anvil_setNextBlockBaseFeePerGas', [numberToHex(100_000_000_000)]);
      await chain.call('anvil_mine', ['0x1']);
      await delay(200);
    }
    await expectAllOnce();
    const [send] = await readSends();
    expect(send!.bumps).toBeGreaterThan(0);
    const { rows } = await world.database.store.query<{ fee: string }>({
      text: 'select max_fee_wei as fee from evm_attempts order by created_at',
    });
    for (let index = 1; index < rows.length; index++)
      expect(BigInt(rows[index]!.fee) * 1000n).toBeGreaterThanOrEqual(
        BigInt(rows[index - 1]!.fee) * 1125n,
      );
  });

  it('dropped by the node, it is broadcast again', { tags: 'slow' }, async () => {
    world = await aWorld(chain);
    const [wallet] = await someWallets(chain, 1);
    await chain.call('evm_setAutomine', [false]);
    await world.start({ relay: { bumpAfterMs: 1_000 } });
    await world.enqueue([await anItem(world, wallet!)]);
    await until(async () => ((await readSends()).length === 1 ? true : undefined));
    await delay(200);
    await chain.call('anvil_dropAllTransactions');
    await chain.call('evm_setAutomine', [true]);
    await expectAllOnce();
  });

  it('nonces handed out without a transaction are filled with no-ops when one beyond them was signed', async () => {
    world = await aWorld(chain);
    const [wallet] = await someWallets(chain, 1);
    await world.start();
    await chain.call('evm_setAutomine', [false]);
    await world.enqueue([await anItem(world, wallet!)]);
    await until(async () => ((await readSends()).length === 1 ? true : undefined));
    await world.database.store.query({
      text: 'update evm_accounts set next_nonce = next_nonce + 2',
    });
    await world.enqueue([await anItem(world, wallet!), await anItem(world, wallet!)]);
    await until(async () => ((await readSends()).length === 2 ? true : undefined));
    await chain.call('evm_setAutomine', [true]);
    await chain.call('anvil_mine', ['0x1']);
    await expectAllOnce();
    expect((await readSends()).map((send) => send.kind)).toEqual([
      'batch',
      'filler',
      'filler',
      'batch',
    ]);
  });

  it('taken by a foreign transaction of the same key, its operations run with another nonce', {
    tags: 'slow',
  }, async () => {
    world = await aWorld(chain);
    const [wallet] = await someWallets(chain, 1);
    await chain.call('evm_setAutomine', [false]);
    await world.start({ finalBlocks: 1, relay: { bumpAfterMs: 60_000 } });
    await world.enqueue([await anItem(world, wallet!)]);
    await until(async () => ((await readSends()).length === 1 ? true : undefined));
    await delay(200);
    await chain.call('anvil_dropAllTransactions');
    await chain.call('eth_sendTransaction', [
      {
        from: world.executors[0],
        to: world.executors[0],
        value: '0x1',
        nonce: '0x0',
        gas: '0x5208',
      },
    ]);
    await chain.call('anvil_mine', ['0x1']);
    await chain.call('evm_setAutomine', [true]);
    await expectAllOnce();
    expect((await readSends()).map((send) => send.status)).toEqual(['displaced', 'included']);
  });

  it('an operation whose transaction is stuck until after its validity is told as expired once the chain is past it', {
    tags: 'slow',
  }, async () => {
    world = await aWorld(chain);
    const [wallet] = await someWallets(chain, 1);
    await chain.call('evm_setAutomine', [false]);
    const { timestamp } = (await chain.call('eth_getBlockByNumber', ['latest', false])) as {
      timestamp: string;
    };
    const item = await anItem(world, wallet!, {
      validUntil: Math.max(Number(timestamp), Math.floor(Date.now() / 1000)) + 30,
    });
    await world.start({ relay: { bumpAfterMs: 60_000 } });
    await world.enqueue([item]);
    await until(async () => ((await readSends()).length === 1 ? true : undefined));
    await delay(200);
    await chain.call('anvil_dropAllTransactions');
    expect(await readOutcomes(world.database.store)).toEqual([]);
    await chain.call('evm_increaseTime', [120]);
    await chain.call('anvil_mine', ['0x1']);
    expect((await world.settled()).get(item.operationId)).toMatchObject({
      status: 'failed',
      error: { reason: 'failed_to_land_on_chain' },
    });
    // Landing now, its transaction cannot execute it any more, and nothing is told again.
    await chain.call('evm_setAutomine', [true]);
    await world.database.store.query({
      text: "update evm_accounts set lease_until = '1970-01-01Z', fence = fence + 1",
    });
    await until(async () => ((await readSends())[0]!.status === 'included' ? true : undefined));
    expect((await countExecutions(chain, [item])).get(item.operationHash)).toEqual([]);
    expect((await readOutcomes(world.database.store)).length).toBe(1);
  });

  it('a raised counter of the chain is followed, never a lower one', { tags: 'slow' }, async () => {
    world = await aWorld(chain);
    const [wallet] = await someWallets(chain, 1);
    await chain.call('eth_sendTransaction', [
      { from: world.executors[0], to: world.executors[0], value: '0x1', gas: '0x5208' },
    ]);
    await chain.call('eth_sendTransaction', [
      { from: world.executors[0], to: world.executors[0], value: '0x1', gas: '0x5208' },
    ]);
    await until(async () =>
      (await chain.call('eth_getTransactionCount', [world.executors[0], 'latest'])) === '0x2'
        ? true
        : undefined,
    );
    await world.start();
    await world.enqueue([await anItem(world, wallet!)]);
    await expectAllOnce();
    expect((await readSends()).map((send) => send.nonce)).toEqual(['2']);
  });
});

describe('an operation that somebody else submitted', { tags: 'slow' }, () => {
  it('is told as it ended there, with that transaction', async () => {
    world = await aWorld(chain);
    const [wallet] = await someWallets(chain, 1);
    const item = await anItem(world, wallet!);
    const txId = await chain.call('eth_sendTransaction', [
      {
        from: chain.accounts[0],
        to: addresses.walletModule,
        data: executeData(item.op, item.signature),
        gas: numberToHex(1_000_000),
      },
    ]);
    await until(async () =>
      (await chain.call('eth_getTransactionReceipt', [txId])) !== null ? true : undefined,
    );
    await world.enqueue([item]);
    await world.start();
    const outcome = (await world.settled()).get(item.operationId)!;
    expect(outcome).toMatchObject({ status: 'success', onChain: { txId } });
  });
});
