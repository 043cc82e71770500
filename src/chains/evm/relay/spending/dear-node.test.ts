/** @module-tag slow */

import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { TestWallet } from '../../../../../contracts/test/chain.ts';
import { relayStatus } from '../index.ts';
import { type RelayTestChain, startRelayTestChain } from '../testing/chain.ts';
import { type FaultProxy, type ProxiedCall, startFaultProxy } from '../testing/fault-proxy.ts';
import { anItem, aWorld, someWallets, type World } from '../testing/world.ts';

/** A node that names prices, and may belong to who is paid them. */

const gwei = 10n ** 9n;
const milliether = 10n ** 15n;

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

const hex = (wei: bigint) => `0x${wei.toString(16)}`;

function nameTip(tipWei: bigint): void {
  proxy.lie = (call: ProxiedCall, result) => {
    if (call.method === 'eth_maxPriorityFeePerGas') return hex(tipWei);
    if (call.method !== 'eth_feeHistory') return result;
    return { ...(result as object), reward: Array.from({ length: 5 }, () => [hex(tipWei)]) };
  };
}

async function send(): Promise<void> {
  await world.enqueue(await Promise.all(wallets.map((wallet) => anItem(world, wallet))));
}

const spent = async () => 10n ** 20n - (await chain.balanceOf(world.executors[0]!));

it('a node that names a tip of 10,000 gwei gets no more than the largest of the settings', async () => {
  world = await aWorld(chain);
  nameTip(10_000n * gwei);
  await send();
  await world.start({ rpcUrl: proxy.url });
  for (const { status } of (await world.settled()).values()) expect(status).toBe('success');
  // 250,000 gas at 20 gwei and a base fee of about one.
  expect(await spent()).toBeLessThan(8n * milliether);
});

it('what was usual in the last hours bounds the tip too, whatever the node says from one look to the next', async () => {
  world = await aWorld(chain);
  await world.database.store.query({
    text: `insert into evm_tips (chain, minute, tip_wei) select 'base-sepolia', now() - n * interval '1 minute', $1 from generate_series(1, 20) as n`,
    values: [gwei.toString()],
  });
  nameTip(15n * gwei);
  await send();
  await world.start({ rpcUrl: proxy.url });
  await world.settled();
  const { rows } = await world.database.store.query<{ tip: string }>({
    text: 'select tip_wei as tip from evm_attempts',
  });
  expect(rows.map(({ tip }) => BigInt(tip))).toEqual([5n * gwei]);
});

it('while the base fee is above the largest fee of the settings nothing is sent, with an alarm; then it goes on', async () => {
  world = await aWorld(chain);
  await send();
  proxy.lie = (call, result) =>
    call.method === 'eth_getBlockByNumber'
      ? { ...(result as object), baseFeePerGas: hex(501n * gwei) }
      : result;
  let looks = 0;
  proxy.rule = () => {
    looks++;
    return 'pass';
  };
  await world.start({ rpcUrl: proxy.url });
  await expect.poll(() => looks, { timeout: 10_000 }).toBeGreaterThan(6);
  await expect
    .poll(async () => (await relayStatus(world.database.store)).chains[0]?.alarm, {
      timeout: 10_000,
    })
    .toMatch(/base fee of 501000000000 wei.*EVM_FEE_MAX_WEI_BASE_SEPOLIA/);
  expect((await world.database.store.query({ text: 'select 1 from evm_sends' })).rows).toEqual([]);
  proxy.lie = (_call, result) => result;
  for (const { status } of (await world.settled()).values()) expect(status).toBe('success');
  await expect
    .poll(async () => (await relayStatus(world.database.store)).chains[0]?.alarm, {
      timeout: 10_000,
    })
    .toBeUndefined();
});

it('spending of an hour above what is usual is an alarm, and the sum is what receipts say', async () => {
  world = await aWorld(chain);
  await send();
  await world.start({ bounds: { spendingAlarmWei: '1' } });
  await world.settled();
  await expect
    .poll(async () => (await relayStatus(world.database.store)).chains[0]?.alarm, {
      timeout: 15_000,
    })
    .toMatch(/in the last hour.*EVM_SPENDING_ALARM_WEI_BASE_SEPOLIA/);
  expect((await relayStatus(world.database.store)).chains[0]!.spentHourWei).toBe(await spent());
});
