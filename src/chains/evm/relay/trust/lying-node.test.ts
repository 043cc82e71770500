import { decodeFunctionData, encodeFunctionResult, toFunctionSelector } from 'viem/utils';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { addresses, batchExecutorAbi } from '../../../../../contracts/index.ts';
import { executeOk, type TestWallet } from '../../../../../contracts/test/chain.ts';
import { keccak256 } from '../../abi/keccak.ts';
import { type Hex, hexOf } from '../../abi/words.ts';
import { forgetNextNonce, relayStatus, resumeOperations } from '../index.ts';
import { executedTopic } from '../queue/outcomes.ts';
import { type RelayTestChain, startRelayTestChain } from '../testing/chain.ts';
import { type FaultProxy, type ProxiedCall, startFaultProxy } from '../testing/fault-proxy.ts';
import { readOutcomes } from '../testing/relay.ts';
import { anItem, aWorld, someWallets, type World } from '../testing/world.ts';
import type { RelayItem } from '../types.ts';

/** A node that tells untruths costs time, not money. */

let chain: RelayTestChain;
let proxy: FaultProxy;
let world: World;
let wallets: TestWallet[];
beforeAll(async () => {
  chain = await startRelayTestChain();
  proxy = await startFaultProxy(chain.url);
  wallets = await someWallets(chain, 3);
});
afterAll(async () => {
  await proxy.close();
  await chain.stop();
});
afterEach(async () => {
  proxy.lie = (_call, result) => result;
  await world.close();
});

const counted = (call: ProxiedCall) => call.method === 'eth_getTransactionCount';

async function send(count = 3): Promise<void> {
  await world.enqueue(
    await Promise.all(
      Array.from({ length: count }, (_, index) => anItem(world, wallets[index % wallets.length]!)),
    ),
  );
}

async function sendsOf(kind: string): Promise<number> {
  const { rows } = await world.database.store.query<{ n: string }>({
    text: 'select count(*) as n from evm_sends where kind = $1',
    values: [kind],
  });
  return Number(rows[0]!.n);
}

const successes = async () =>
  [...(await world.settled()).values()].filter(({ status }) => status === 'success').length;
const account = async () => (await relayStatus(world.database.store)).accounts[0]!;

describe('a node that lies about the nonce', () => {
  it('once, at the first look: nothing is filled, and the operations run', {
    tags: 'slow',
  }, async () => {
    world = await aWorld(chain);
    let lies = 0;
    proxy.lie = (call, result) => (counted(call) && lies++ === 0 ? '0xf4240' : result);
    await send();
    await world.start({ rpcUrl: proxy.url });
    expect(await successes()).toBe(3);
    expect([await sendsOf('filler'), (await account()).nextNonce]).toEqual([
      0,
      BigInt(await sendsOf('batch')),
    ]);
  });

  it('once, in the middle of the work: nothing is filled, and the operations run', async () => {
    world = await aWorld(chain);
    await world.start({ rpcUrl: proxy.url });
    await send();
    await world.settled();
    let lies = 0;
    proxy.lie = (call, result) => (counted(call) && lies++ === 0 ? '0xf4240' : result);
    await expect.poll(() => lies, { timeout: 10_000 }).toBeGreaterThan(1);
    await send();
    expect(await successes()).toBe(6);
    expect([await sendsOf('filler'), (await account()).nextNonce]).toEqual([
      0,
      BigInt(await sendsOf('batch')),
    ]);
  });

  it('again and again: the account pauses with an alarm, and works again when the node tells the truth', {
    tags: 'slow',
  }, async () => {
    world = await aWorld(chain);
    await world.start({ rpcUrl: proxy.url });
    await send();
    await world.settled();
    proxy.lie = (call, result) => (counted(call) ? '0xf4240' : result);
    await expect
      .poll(async () => (await account()).alarm, { timeout: 15_000 })
      .toMatch(/counts 1000000 transactions/);
    await send();
    proxy.lie = (_call, result) => result;
    expect(await successes()).toBe(6);
    expect([await sendsOf('filler'), (await account()).nextNonce]).toEqual([
      0,
      BigInt(await sendsOf('batch')),
    ]);
    await expect.poll(async () => (await account()).alarm, { timeout: 15_000 }).toBeNull();
  });

  it('what an earlier lie left in the database ends without a no-op too', async () => {
    world = await aWorld(chain);
    const relay = await world.start({ rpcUrl: proxy.url });
    await send();
    await world.settled();
    await relay.stop();
    await world.database.store.query({ text: 'update evm_accounts set next_nonce = 1000000' });
    await world.start({ rpcUrl: proxy.url });
    await send();
    expect(await successes()).toBe(6);
    expect(await sendsOf('filler')).toBe(0);
  });

  it('a key that is used elsewhere as well is believed: its next transactions go on from there', async () => {
    world = await aWorld(chain);
    await world.start({ rpcUrl: proxy.url });
    await send();
    await world.settled();
    for (let times = 0; times < 3; times++)
      await chain.call('eth_sendTransaction', [
        { from: world.executors[0], to: world.executors[0], value: '0x0' },
      ]);
    const used = BigInt(await sendsOf('batch')) + 3n;
    await expect.poll(async () => (await account()).nextNonce, { timeout: 10_000 }).toBe(used);
    await send();
    expect(await successes()).toBe(6);
    expect(await sendsOf('filler')).toBe(0);
  });
});

describe('a batch whose bytes somebody changed in the database, once it has landed', () => {
  /** A batch that has landed while no relay ran, and whose stored bytes are others. */
  async function aChangedBatch(): Promise<void> {
    world = await aWorld(chain);
    await chain.call('evm_setAutomine', [false]);
    const relay = await world.start({ rpcUrl: proxy.url });
    await send();
    const pending = async () =>
      ((await chain.call('txpool_status')) as { pending: string }).pending;
    await expect.poll(pending, { timeout: 20_000 }).not.toBe('0x0');
    await relay.stop();
    await chain.call('anvil_mine', ['0x2']);
    await chain.call('evm_setAutomine', [true]);
    await world.database.store.query({
      text: `update evm_attempts set raw = '\\x02c0' from evm_sends s where s.id = send_id and s.kind = 'batch'`,
    });
  }

  it('ends by the bytes that the chain has, which its hash and our signature stand for', async () => {
    await aChangedBatch();
    await world.start({ rpcUrl: proxy.url });
    expect(await successes()).toBe(3);
    const { rows } = await world.database.store.query<{ hash: Hex; raw: Buffer }>({
      text: 'select hash, raw from evm_attempts',
    });
    for (const { hash, raw } of rows) expect(hexOf(keccak256(raw))).toBe(hash);
  });

  it('waits while no node tells them, refuses to, or tells others, and the account goes on', {
    tags: 'slow',
  }, async () => {
    await aChangedBatch();
    const lies: unknown[] = [null, { type: '0x2' }];
    let times = 0;
    proxy.rule = (methods) => (methods.includes('eth_getTransactionByHash') ? 'rpc-error' : 'pass');
    proxy.lie = (call, result) =>
      call.method === 'eth_getTransactionByHash' ? lies[times++ % lies.length] : result;
    await world.start({ rpcUrl: proxy.url });
    await send();
    await expect
      .poll(async () => (await readOutcomes(world.database.store)).length, { timeout: 20_000 })
      .toBe(3);
    proxy.rule = () => 'pass';
    await expect.poll(() => times, { timeout: 20_000 }).toBeGreaterThan(3);
    expect((await relayStatus(world.database.store)).chains).toMatchObject([
      { alarm: expect.stringContaining('its bytes were changed where they are stored') },
    ]);
    proxy.lie = (_call, result) => result;
    expect(await successes()).toBe(6);
  });
});

describe('an account whose key was used elsewhere a hundred times', { tags: 'slow' }, () => {
  it('rests with an alarm, and goes on once its operator lets it count anew', async () => {
    world = await aWorld(chain);
    await world.start({ rpcUrl: proxy.url });
    await send();
    await world.settled();
    const address = world.executors[0]!;
    await chain.call('anvil_setNonce', [address, '0x65']);
    await expect
      .poll(async () => (await account()).alarm, { timeout: 15_000 })
      .toMatch(/purser chains recount base-sepolia/);
    expect(
      await forgetNextNonce(
        world.database.store,
        'base-sepolia',
        '0x00000000000000000000000000000000000000ff',
      ),
    ).toBe(false);
    expect(await forgetNextNonce(world.database.store, 'base-sepolia', address)).toBe(true);
    await send();
    expect([await successes(), await sendsOf('filler')]).toEqual([6, 0]);
  });
});

describe('a node that lies about what a transaction cost', () => {
  const dear = `0x${(10n ** 24n).toString(16)}`;
  const status = async () => (await relayStatus(world.database.store)).chains[0];
  const spentWei = async () => (await status())?.spentHourWei ?? 0n;

  it.each([
    ['its price', { effectiveGasPrice: dear }],
    ['its gas', { gasUsed: dear }],
    ['the fee of its bytes, which nothing that is signed bounds', { l1Fee: dear }],
    ['whose receipt it is', { transactionHash: `0x${'1'.repeat(64)}` }],
  ])(
    '%s: nothing is spent or told, with an alarm, until it tells the truth',
    { tags: 'slow' },
    async (_, untrue) => {
      world = await aWorld(chain);
      proxy.lie = (call, result) =>
        call.method === 'eth_getTransactionReceipt' && result !== null
          ? { ...(result as object), ...untrue }
          : result;
      await send();
      await world.start({ rpcUrl: proxy.url });
      await expect
        .poll(async () => (await status())?.alarm, { timeout: 15_000 })
        .toMatch(/receipt of 0x.* is not believed/);
      if ('l1Fee' in untrue)
        expect((await status())?.alarm).toContain('raise EVM_FEE_MAX_WEI_BASE_SEPOLIA');
      expect([await spentWei(), (await readOutcomes(world.database.store)).length]).toEqual([
        0n,
        0,
      ]);
      proxy.lie = (_call, result) => result;
      expect(await successes()).toBe(3);
      const spent = await spentWei();
      expect([spent > 0n, spent < 10n ** 17n]).toEqual([true, true]);
    },
  );

  it.each([
    ['', {}],
    [', also where little is paid per gas', { feeMaxWei: (5n * 10n ** 9n).toString() }],
  ])(
    'the fee of its bytes within what Ethereum would take for them: it is believed%s',
    async (_, bounds) => {
      world = await aWorld(chain);
      const feeWei = 10n ** 15n;
      proxy.lie = (call, result) =>
        call.method === 'eth_getTransactionReceipt' && result !== null
          ? { ...(result as object), l1Fee: `0x${feeWei.toString(16)}` }
          : result;
      await send(1);
      await world.start({ rpcUrl: proxy.url, bounds });
      expect([await successes(), (await spentWei()) > feeWei]).toEqual([1, true]);
    },
  );
});

describe('a node that answers for another chain', { tags: 'slow' }, () => {
  it('nothing is sent there, and the work goes on when it is the right one again', async () => {
    world = await aWorld(chain);
    await world.start({ rpcUrl: proxy.url });
    await send();
    await world.settled();
    const before = await sendsOf('batch');
    let asked = 0;
    proxy.lie = (call, result) => {
      if (call.method !== 'eth_chainId') return result;
      asked++;
      return '0x1';
    };
    await expect.poll(() => asked, { timeout: 10_000 }).toBeGreaterThan(1);
    await send();
    const seen = asked;
    await expect.poll(() => asked, { timeout: 10_000 }).toBeGreaterThan(seen + 2);
    expect(await sendsOf('batch')).toBe(before);
    proxy.lie = (_call, result) => result;
    expect(await successes()).toBe(6);
  });
});

describe('a node that tells untruths of a treasury’s transfer', () => {
  const treasury = { subject: 'treasury-transfer' };
  const ended = async () =>
    (await readOutcomes(world.database.store)).map(({ operationId }) => operationId);
  const over = async (wallet: TestWallet) => ({
    ...(await anItem(world, wallet)),
    ...treasury,
    validUntil: new Date(0),
  });
  const alarm = async () => (await relayStatus(world.database.store)).chains[0]?.alarm;
  const nonceUsed = toFunctionSelector('isNonceUsed(address,uint256)');
  let nonceLooks = 0;

  /** Lies, and counts how often it is asked whether a nonce is used. */
  const lie = (untruth: FaultProxy['lie']): FaultProxy['lie'] => {
    nonceLooks = 0;
    return (call, result) => {
      const [asked] = (call.params ?? []) as [{ data?: string }?];
      if (call.method === 'eth_call' && asked?.data?.startsWith(nonceUsed)) nonceLooks++;
      return untruth(call, result);
    };
  };
  const untilLookedTwice = () =>
    expect.poll(() => nonceLooks, { timeout: 20_000 }).toBeGreaterThan(1);

  /** The module's log of an operation that reverted, as if it stood in the last block. */
  const madeUpRevert = ({ op, operationHash }: RelayItem): FaultProxy['lie'] =>
    lie((call, result) => {
      const [filter] = (call.params ?? []) as [{ topics?: unknown[] }?];
      if (call.method !== 'eth_getLogs' || filter?.topics?.[0] !== executedTopic) return result;
      return [
        {
          address: addresses.walletModule,
          topics: [executedTopic, `0x${word(BigInt(op.wallet))}`, operationHash],
          data: `0x${word(0n)}${word(0x40n)}${word(0n)}`,
          transactionHash: `0x${'1'.repeat(64)}`,
          blockNumber: '0x1',
        },
      ];
    });

  it('its time is believed to be over neither before the service’s clock says so, nor before a final block does', {
    tags: 'slow',
  }, async () => {
    world = await aWorld(chain, { balanceWei: 0n });
    const early = { ...(await over(wallets[1]!)), validUntil: new Date(Date.now() + 3_600_000) };
    const item = await over(wallets[2]!);
    proxy.lie = lie((call, result) => {
      if (call.method !== 'eth_getBlockByNumber') return result;
      const timestamp = call.params?.[0] === 'latest' ? '0xffffffff' : '0x0';
      return { ...(result as object), timestamp };
    });
    await world.enqueue([early, item]);
    await world.start({ rpcUrl: proxy.url });
    await untilLookedTwice();
    expect(await ended()).toEqual([]);
    expect(await alarm()).toContain(`(${item.operationId}) is past its validity`);
    proxy.lie = (call, result) =>
      call.method === 'eth_getBlockByNumber'
        ? { ...(result as object), timestamp: '0xffffffff' }
        : result;
    await expect.poll(ended, { timeout: 20_000 }).toEqual([item.operationId]);
  });

  it('its end is not believed where the nonce of what it hides is used, with an alarm', {
    tags: 'slow',
  }, async () => {
    world = await aWorld(chain, { balanceWei: 0n });
    const item = await over(wallets[1]!);
    await executeOk(chain, wallets[1]!, item.op);
    await chain.call('anvil_mine', ['0x60']);
    proxy.lie = lie((call, result) => (call.method === 'eth_getLogs' ? [] : result));
    await world.enqueue([item]);
    await world.start({ rpcUrl: proxy.url });
    await untilLookedTwice();
    expect(await ended()).toEqual([]);
    expect(await alarm()).toContain(`(${item.operationId}) has run, by its nonce`);
    proxy.lie = (_call, result) => result;
    await expect.poll(ended, { timeout: 20_000 }).toEqual([item.operationId]);
    expect(await alarm()).toBeUndefined();
  });

  it('a receipt of what no block has ends it for an hour: then it is taken up again, and runs once', async () => {
    world = await aWorld(chain);
    const item = { ...(await anItem(world, wallets[2]!)), ...treasury };
    await world.enqueue([item]);
    await world.start({ rpcUrl: proxy.url });
    await world.settled();
    await chain.call('anvil_mine', ['0x60']);
    const { store } = world.database;
    const resume = () => store.transaction((tx) => resumeOperations(tx, [item.operationId]));
    await store.query({ text: "update evm_sends set status = 'final'" });
    await store.query({
      text: 'insert into evm_watched_chains (chain, next_height) select chain, mined_block + 1 from evm_sends',
    });
    expect(await resume()).toEqual([]);
    await store.query({
      text: "update evm_operations set settled_at = settled_at - interval '1 hour'",
    });
    expect(await resume()).toEqual([item.operationId]);
    const isOpen = async () => (await relayStatus(store)).queues.length > 0;
    await expect.poll(isOpen, { timeout: 20_000 }).toBe(false);
    expect(new Set((await readOutcomes(store)).map(({ status }) => status))).toEqual(
      new Set(['success']),
    );
    expect(await resume()).toEqual([]);
  });

  it('a second node that answers for another chain says nothing of it', async () => {
    world = await aWorld(chain, { balanceWei: 0n });
    const item = await over(wallets[1]!);
    proxy.lie = lie((call, result) => (call.method === 'eth_chainId' ? '0x1' : result));
    await world.enqueue([item]);
    await world.start({ secondRpcUrl: proxy.url });
    await untilLookedTwice();
    expect(await ended()).toEqual([]);
    proxy.lie = (_call, result) => result;
    await expect.poll(ended, { timeout: 20_000 }).toEqual([item.operationId]);
  });

  it('a log that says that it reverted ends it only where its nonce is used: it is told as expired', async () => {
    world = await aWorld(chain, { balanceWei: 0n });
    const item = await over(wallets[0]!);
    proxy.lie = madeUpRevert(item);
    await world.enqueue([item]);
    await world.start({ rpcUrl: proxy.url });
    expect([...(await world.settled()).values()]).toMatchObject([
      { status: 'failed', error: { reason: 'failed_to_land_on_chain' } },
    ]);
  });

  it('a log that says that it reverted, beside a refused simulation, keeps it open: it is sent later', async () => {
    world = await aWorld(chain);
    const item = { ...(await anItem(world, wallets[1]!)), ...treasury };
    const revert = madeUpRevert(item);
    proxy.lie = (call, result) => {
      const [asked] = (call.params ?? []) as [{ to?: string; data?: string }?];
      const isBatch =
        call.method === 'eth_call' &&
        asked?.to?.toLowerCase() === addresses.batchExecutor.toLowerCase();
      return isBatch ? refusedBatch(asked!.data as Hex) : revert(call, result);
    };
    await world.enqueue([item]);
    await world.start({ rpcUrl: proxy.url });
    await expect.poll(alarm, { timeout: 20_000 }).toContain(`${item.operationId}:`);
    expect(await ended()).toEqual([]);
    proxy.lie = (_call, result) => result;
    await world.database.store.query({ text: 'update evm_operations set run_at = now()' });
    expect([...(await world.settled()).values()]).toMatchObject([{ status: 'success' }]);
  });
});

/** A batch of which nothing runs. */
function refusedBatch(data: Hex): Hex {
  const { args } = decodeFunctionData({ abi: batchExecutorAbi, data });
  const refused = { executed: false, success: false, returnData: '0x', gasUsed: 0n } as const;
  return encodeFunctionResult({
    abi: batchExecutorAbi,
    functionName: 'executeBatch',
    result: (args![0] as unknown[]).map(() => refused),
  });
}

const word = (value: bigint) => value.toString(16).padStart(64, '0');
