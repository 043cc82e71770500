import { encodeFunctionData, zeroAddress } from 'viem';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addresses, walletModuleAbi } from '../../../../contracts/index.ts';
import { startTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts';
import {
  localNetwork,
  logFloodCode,
  type PlannedOperation,
  planTestWallet,
  startWatchedChain,
  type TestWallet,
  tokenTransfer,
  usdcAddress,
  type WatchedChain,
} from '../../../../test/harness/watched-chain.ts';
import {
  caughtUp,
  insertTestWallet,
  readActivity,
  readEventTypes,
  realEntrances,
  runTestWatcher,
} from '../../../../test/harness/watcher-world.ts';
import type { Running } from '../../family.ts';
import { checksumAddress } from '../abi/words.ts';
import { enqueueOperation } from '../relay/queue/queue.ts';
import { createRpc, type RpcClient } from '../rpc/rpc.ts';
import { watchChain, watchTokens } from './index.ts';

const chainName = 'base-sepolia';
const outsider = '0x00000000000000000000000000000000000000ff';
const networks = [localNetwork()];

let chain: WatchedChain;
let database: TestDatabase;
let running: Running;
/** How many addresses each lookup asked for. */
let lookups: number[];
let second: RpcClient | undefined;
const reverted: string[] = [];

beforeAll(async () => {
  [chain, database] = await Promise.all([startWatchedChain(), startTestDatabase()]);
  await watchChain(database.store, chainName);
  lookups = [];
  const real = realEntrances(networks);
  running = await runTestWatcher({
    store: database.store,
    networks,
    rpc: () => chain.rpc,
    secondRpc: async () => second,
    entrances: {
      recordOperations: (tx, operations) => {
        for (const { operationId, succeeded } of operations)
          if (!succeeded) reverted.push(operationId);
        return real.recordOperations(tx, operations);
      },
      ownAddresses: (tx, addresses) => {
        lookups.push(addresses.length);
        return real.ownAddresses(tx, addresses);
      },
    },
  });
});
afterAll(async () => {
  await running?.stop();
  await database?.close();
  await chain?.stop();
});

interface KnownWallet extends TestWallet {
  readonly id: string;
  readonly projectId: string;
}

async function aWallet(projectId?: string): Promise<KnownWallet> {
  const plan = planTestWallet();
  return {
    ...plan,
    ...(await insertTestWallet(database.store, {
      address: plan.address,
      ...(projectId === undefined ? {} : { projectId }),
    })),
  };
}

const settled = async () => caughtUp(database.store, chainName, await chain.height());

const handOver = (
  operation: PlannedOperation,
  whose: { readonly operationId: string; readonly subject: string; readonly projectId: string },
) =>
  database.store.transaction((tx) =>
    enqueueOperation(tx, { ...operation, ...whose, chain: chainName, validUntil: new Date() }),
  );

async function activityOf(wallet: KnownWallet): Promise<string[]> {
  const rows = await readActivity(database.store, wallet.id);
  return rows.map((row) => `${row.direction} ${row.amount_minor} ${row.token_symbol}`);
}

describe('native money', () => {
  it('that reaches a wallet which is not deployed is seen', async () => {
    const wallet = await aWallet();
    const hash = await chain.send({ to: wallet.address, value: 5n });
    await settled();
    const [row] = await readActivity(database.store, wallet.id);
    expect(row).toMatchObject({
      direction: 'in',
      amount_minor: '5',
      token_symbol: 'eth',
      tx_id: hash,
      recipient: wallet.address,
    });
    expect(await readEventTypes(database.store, wallet.projectId)).toEqual([
      'wallets.transfer.in 5',
    ]);
  });

  it('that reaches a deployed wallet is seen once, although the transaction and the wallet both tell of it', async () => {
    const wallet = await aWallet();
    await chain.execute({ wallet, calls: [] });
    await chain.send({ to: wallet.address, value: 7n });
    await settled();
    expect(await activityOf(wallet)).toEqual(['in 7 eth']);
  });

  it('in a transaction that failed is not seen', async () => {
    const wallet = await aWallet();
    await chain.execute({ wallet, calls: [] });
    // enableModule is for the wallet itself only.
    await chain.send({
      to: wallet.address,
      value: 9n,
      data: '0x610b59250000000000000000000000000000000000000000000000000000000000000001',
      gas: 200_000n,
      allowFailure: true,
    });
    await settled();
    expect(await activityOf(wallet)).toEqual([]);
  });

  it('that leaves a wallet is seen, each payment of an operation by itself', async () => {
    const wallet = await aWallet();
    await chain.send({ to: wallet.address, value: 100n });
    const hash = await chain.execute({
      wallet,
      calls: [
        { to: outsider, value: 10n },
        { to: outsider, value: 10n },
        { to: outsider, value: 3n },
      ],
    });
    await settled();
    expect(await activityOf(wallet)).toEqual([
      'in 100 eth',
      'out 10 eth',
      'out 10 eth',
      'out 3 eth',
    ]);
    const rows = await readActivity(database.store, wallet.id);
    expect(new Set(rows.map((row) => row.seen_id)).size).toBe(4);
    expect(rows[1]).toMatchObject({
      tx_id: hash,
      sender: wallet.address,
      recipient: checksumAddress(outsider),
    });
  });

  it('of an operation whose calls failed stays where it is, and nothing is seen', async () => {
    const wallet = await aWallet();
    await chain.send({ to: wallet.address, value: 4n });
    await chain.execute({ wallet, calls: [{ to: outsider, value: 5n }] });
    await settled();
    expect(await activityOf(wallet)).toEqual(['in 4 eth']);
  });

  it('between two own wallets is one out and one in, deployed or not', async () => {
    const payer = await aWallet();
    const deployed = await aWallet(payer.projectId);
    const planned = await aWallet(payer.projectId);
    await chain.send({ to: payer.address, value: 50n });
    await chain.execute({ wallet: deployed, calls: [] });
    await chain.execute({
      wallet: payer,
      calls: [
        { to: deployed.address, value: 20n },
        { to: planned.address, value: 30n },
      ],
    });
    await settled();
    expect(await activityOf(payer)).toEqual(['in 50 eth', 'out 20 eth', 'out 30 eth']);
    expect(await activityOf(deployed)).toEqual(['in 20 eth']);
    expect(await activityOf(planned)).toEqual(['in 30 eth']);
  });

  it('is attributed to the right wallets when one transaction carries operations of several', async () => {
    const [one, two] = [await aWallet(), await aWallet()];
    await chain.send({ to: one.address, value: 11n });
    await chain.send({ to: two.address, value: 22n });
    await chain.execute(
      { wallet: one, calls: [{ to: outsider, value: 1n }] },
      { wallet: two, calls: [{ to: outsider, value: 2n }] },
      { wallet: one, calls: [{ to: outsider, value: 3n }] },
    );
    await settled();
    expect(await activityOf(one)).toEqual(['in 11 eth', 'out 1 eth', 'out 3 eth']);
    expect(await activityOf(two)).toEqual(['in 22 eth', 'out 2 eth']);
  });
});

describe('tokens', () => {
  it('are seen coming in, going out and between two own wallets of different projects', async () => {
    const [payer, payee] = [await aWallet(), await aWallet()];
    await chain.mint(payer.address, 1_000n);
    const hash = await chain.execute({
      wallet: payer,
      calls: [tokenTransfer(payee.address, 300n), tokenTransfer(outsider, 1n)],
    });
    await settled();
    expect(await activityOf(payer)).toEqual(['in 1000 usdc', 'out 300 usdc', 'out 1 usdc']);
    expect(await activityOf(payee)).toEqual(['in 300 usdc']);
    const [minted] = await readActivity(database.store, payer.id);
    const [received] = await readActivity(database.store, payee.id);
    expect(minted!.sender).toBe(zeroAddress);
    expect(received).toMatchObject({
      tx_id: hash,
      sender: payer.address,
      recipient: payee.address,
    });
    expect(await readEventTypes(database.store, payer.projectId)).toEqual([
      'wallets.transfer.in 1000',
      'wallets.transfer.out 300',
      'wallets.transfer.out 1',
    ]);
    expect(await readEventTypes(database.store, payee.projectId)).toEqual([
      'wallets.transfer.in 300',
    ]);
  });

  it('of no amount are not worth a row: anybody can send them in the name of anybody', async () => {
    const wallet = await aWallet();
    await chain.execute({ wallet, calls: [tokenTransfer(outsider, 0n)] });
    await settled();
    expect(await activityOf(wallet)).toEqual([]);
  });

  it('that belong to two projects with the same wallet address are told to both', async () => {
    const plan = planTestWallet();
    const [one, two] = [
      await insertTestWallet(database.store, { address: plan.address }),
      await insertTestWallet(database.store, { address: plan.address }),
    ];
    await chain.mint(plan.address, 8n);
    await settled();
    for (const wallet of [one, two]) {
      expect(await readActivity(database.store, wallet.id)).toHaveLength(1);
      expect(await readEventTypes(database.store, wallet.projectId)).toEqual([
        'wallets.transfer.in 8',
      ]);
    }
  });
});

describe('what a transfer is linked to', () => {
  it('is the transaction of this service that made it, for what left the wallet', async () => {
    const [payer, payee] = [await aWallet(), await aWallet()];
    await chain.mint(payer.address, 10n);
    const { call, operations } = await chain.planBatch([
      { wallet: payer, calls: [tokenTransfer(payee.address, 10n)] },
    ]);
    const operationId = '01890000-0000-7000-8000-000000000001';
    await handOver(operations[0]!, {
      operationId,
      subject: 'transaction',
      projectId: payer.projectId,
    });
    await chain.send(call);
    await settled();
    expect((await readActivity(database.store, payer.id)).map((row) => row.transaction_id)).toEqual(
      [null, operationId],
    );
    expect((await readActivity(database.store, payee.id)).map((row) => row.transaction_id)).toEqual(
      [null],
    );
  });
});

describe('a transfer of a treasury that reverted', () => {
  /** In one transaction with an operation that cancels a nonce. */
  async function aRevert(operationId: string): Promise<void> {
    const [treasury, other] = [await aWallet(), await aWallet()];
    const data = encodeFunctionData({
      abi: walletModuleAbi,
      functionName: 'cancelNonce',
      args: [7_000n],
    });
    const { call, operations } = await chain.planBatch([
      { wallet: treasury, calls: [{ to: outsider, value: 5n }] },
      { wallet: other, calls: [{ to: addresses.walletModule, data }] },
    ]);
    await handOver(operations[0]!, {
      operationId,
      subject: 'treasury-transfer',
      projectId: treasury.projectId,
    });
    await chain.send(call);
  }

  it('is told where both nodes say so, whatever else its transaction did', async () => {
    const operationId = '01890000-0000-7000-8000-000000000002';
    second = chain.rpc;
    await aRevert(operationId);
    await settled();
    expect(reverted).toEqual([operationId]);
  });

  it('is told once the second node answers: until then the chain’s watcher says why it waits', async () => {
    const operationId = '01890000-0000-7000-8000-000000000003';
    const failure = async () =>
      (
        await database.store.query<{ failure: string | null }>({
          text: 'select failure from evm_watched_chains',
        })
      ).rows[0]?.failure;
    second = createRpc({ url: 'http://127.0.0.1:1', timeoutMs: 500 });
    await aRevert(operationId);
    await expect
      .poll(failure, { timeout: 20_000 })
      .toMatch(/second node of "base-sepolia" could not be asked .*EVM_RPC_SECOND_URL/);
    expect(reverted).not.toContain(operationId);
    second.close();
    second = chain.rpc;
    await settled();
    expect(reverted).toContain(operationId);
  });
});

describe('the crowd of a busy chain', () => {
  const flood = '0x00000000000000000000000000000000000f100d';
  beforeEach(async () => {
    await chain.call('anvil_setCode', [flood, logFloodCode]);
    await watchTokens(database.store, chainName, [{ address: flood, symbol: 'usdc', decimals: 2 }]);
  });

  it('costs one look-up for thousands of foreign transfers, and the own one among them is found', async () => {
    // The contract pays each number to itself; number 2,500 is one of our wallets.
    const address = '0x00000000000000000000000000000000000009c4';
    const wallet = await insertTestWallet(database.store, { address });
    const before = lookups.length;
    await chain.send({
      to: flood,
      data: `0x${(3_000).toString(16).padStart(64, '0')}`,
      gas: 15_000_000n,
    });
    await settled();
    expect(lookups.slice(before)).toEqual([3_000]);
    const rows = await readActivity(database.store, wallet.id);
    expect(rows.map((row) => `${row.direction} ${row.amount_minor}`).sort()).toEqual([
      'in 2500',
      'out 2500',
    ]);
  });

  it('cannot pass a contract off as a token of the network by giving it its symbol', async () => {
    const wallet = await insertTestWallet(database.store, {
      address: '0x0000000000000000000000000000000000000001',
    });
    await chain.send({ to: flood, data: `0x${(1).toString(16).padStart(64, '0')}` });
    await settled();
    const rows = await readActivity(database.store, wallet.id);
    expect(rows.length).toBe(2);
    expect(rows.map((row) => row.token_symbol)).toEqual([null, null]);
  });

  it('is nothing that an unknown contract can add to by claiming to be money', async () => {
    const unknown = '0x00000000000000000000000000000000000f100e';
    const wallet = await insertTestWallet(database.store, {
      address: '0x0000000000000000000000000000000000000002',
    });
    await chain.call('anvil_setCode', [unknown, logFloodCode]);
    await chain.send({ to: unknown, data: `0x${(2).toString(16).padStart(64, '0')}` });
    await settled();
    expect(await readActivity(database.store, wallet.id)).toEqual([]);
    expect(usdcAddress).not.toBe(unknown);
  });
});
