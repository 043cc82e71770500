import { randomBytes } from 'node:crypto';
import { encodeFunctionData, toHex } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { testTokenAbi } from '../../../../../contracts/index.ts';
import { balanceOf, type TestWallet } from '../../../../../contracts/test/chain.ts';
import type { Hex } from '../../abi/words.ts';
import { enqueueTreasuryCall, readTreasuryCall, relayStatus } from '../index.ts';
import { chainName, type RelayTestChain, startRelayTestChain } from '../testing/chain.ts';
import { readOutcomes } from '../testing/relay.ts';
import { anItem, aWorld, someWallets, type World } from '../testing/world.ts';

const ether = 10n ** 18n;

let chain: RelayTestChain;
let world: World;
let wallets: TestWallet[];
beforeAll(async () => {
  chain = await startRelayTestChain();
  wallets = await someWallets(chain, 2);
});
afterAll(() => chain.stop());
afterEach(() => world.close());

async function aTreasury(balanceWei: bigint): Promise<{ key: Hex; address: Hex }> {
  const key = toHex(randomBytes(32));
  const address = privateKeyToAddress(key).toLowerCase() as Hex;
  await chain.setBalance(address, balanceWei);
  return { key, address };
}

async function alarmOf(address: string): Promise<string | null | undefined> {
  return (await relayStatus(world.database.store)).accounts.find(
    (account) => account.address === address,
  )?.alarm;
}

describe('executor balances', () => {
  it('an executor without money is left out, the others go on', { tags: 'slow' }, async () => {
    world = await aWorld(chain, { executors: 2 });
    await chain.setBalance(world.executors[0]!, 0n);
    await world.enqueue(
      await Promise.all(
        Array.from({ length: 12 }, (_, index) => anItem(world, wallets[index % 2]!)),
      ),
    );
    await world.start({ relay: { batchSizeMax: 4, executorBalanceMinWei: ether.toString() } });
    for (const outcome of (await world.settled()).values()) expect(outcome.status).toBe('success');
    const { rows } = await world.database.store.query({
      text: 'select distinct account from evm_sends',
    });
    expect(rows).toEqual([{ account: world.executors[1] }]);
  });

  it('without money and treasury work waits with an alarm, whatever the minimum, and goes on once there is money', {
    tags: 'slow',
  }, async () => {
    world = await aWorld(chain, { balanceWei: 0n });
    await world.enqueue([await anItem(world, wallets[0]!)]);
    await world.start({ relay: { executorBalanceMinWei: '0' } });
    await expect
      .poll(() => alarmOf(world.executors[0]!), { timeout: 30_000 })
      .toMatch(/no treasury is configured: send funds to 0x/);
    expect(await readOutcomes(world.database.store)).toEqual([]);
    await chain.setBalance(world.executors[0]!, 2n * ether);
    for (const outcome of (await world.settled()).values()) expect(outcome.status).toBe('success');
    await expect.poll(() => alarmOf(world.executors[0]!), { timeout: 30_000 }).toBeNull();
  });

  it('the treasury tops an executor up to twice the minimum, once', { tags: 'slow' }, async () => {
    world = await aWorld(chain, { balanceWei: 0n });
    const treasury = await aTreasury(100n * ether);
    await world.enqueue([await anItem(world, wallets[0]!)]);
    await world.start({
      treasuryKey: treasury.key,
      relay: { executorBalanceMinWei: ether.toString() },
    });
    for (const outcome of (await world.settled()).values()) expect(outcome.status).toBe('success');
    const { rows } = await world.database.store.query<{ value: string; status: string }>({
      text: 'select value_wei as value, status from evm_treasury_calls',
    });
    expect(rows).toEqual([{ value: (2n * ether).toString(), status: 'done' }]);
    expect(await chain.balanceOf(treasury.address)).toBeGreaterThan(97n * ether);
  });

  it('top-ups stop at the ceiling of a day, with an alarm', { tags: 'slow' }, async () => {
    world = await aWorld(chain, { balanceWei: 0n });
    const treasury = await aTreasury(100n * ether);
    const topUpDayMaxWei = (3n * ether).toString();
    await world.enqueue([await anItem(world, wallets[0]!)]);
    await world.start({
      treasuryKey: treasury.key,
      bounds: { topUpDayMaxWei },
      relay: { executorBalanceMinWei: ether.toString() },
    });
    await world.settled();
    await chain.setBalance(world.executors[0]!, 0n);
    await expect
      .poll(() => alarmOf(world.executors[0]!), { timeout: 30_000 })
      .toMatch(
        /not topped up\. Executors got 2000000000000000000 wei in 24 hours.*EVM_TOP_UP_DAY_MAX_WEI_BASE_SEPOLIA/,
      );
    expect((await relayStatus(world.database.store)).chains[0]!.alarm).toMatch(/Executors got/);
    expect(await chain.balanceOf(world.executors[0]!)).toBe(0n);
  });

  it('no more is given than that, whatever is written into or deleted from the database', async () => {
    world = await aWorld(chain, { balanceWei: 0n });
    const treasury = await aTreasury(100n * ether);
    const topUpDayMaxWei = (3n * ether).toString();
    await world.enqueue([await anItem(world, wallets[0]!)]);
    await world.start({
      treasuryKey: treasury.key,
      bounds: { topUpDayMaxWei },
      relay: { executorBalanceMinWei: ether.toString() },
    });
    await world.settled();
    const sql = (text: string, ...values: unknown[]) =>
      world.database.store.query<{ status: string; error: string }>({ text, values });
    await sql('delete from evm_treasury_calls');
    await sql(
      `insert into evm_treasury_calls (reference, top_up_of, chain, to_address, value_wei, data) values ('thief', $1, $2, $1, $3, '')`,
      world.executors[0],
      chainName,
      (2n * ether).toString(),
    );
    const ended = async () =>
      (await sql(`select status, error from evm_treasury_calls where reference = 'thief'`)).rows[0];
    await expect
      .poll(async () => (await ended())?.status, { timeout: 30_000 })
      .toMatch(/done|failed/);
    expect(await ended()).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('written behind it'),
    });
    expect(await chain.balanceOf(treasury.address)).toBeGreaterThan(97n * ether);
  });

  it('with an empty treasury the other executors go on', { tags: 'slow' }, async () => {
    world = await aWorld(chain, { executors: 2 });
    await chain.setBalance(world.executors[0]!, 0n);
    const treasury = await aTreasury(0n);
    await world.enqueue(
      await Promise.all(
        Array.from({ length: 6 }, (_, index) => anItem(world, wallets[index % 2]!)),
      ),
    );
    await world.start({
      treasuryKey: treasury.key,
      relay: { batchSizeMax: 1, inFlightMax: 1, executorBalanceMinWei: ether.toString() },
    });
    for (const outcome of (await world.settled()).values()) expect(outcome.status).toBe('success');
  });

  it('an empty treasury is an alarm that says what to do, and a filled one heals it', {
    tags: 'slow',
  }, async () => {
    world = await aWorld(chain, { balanceWei: 0n });
    const treasury = await aTreasury(0n);
    await world.enqueue([await anItem(world, wallets[0]!)]);
    await world.start({
      treasuryKey: treasury.key,
      relay: { executorBalanceMinWei: ether.toString() },
    });
    await expect
      .poll(() => alarmOf(treasury.address), { timeout: 30_000 })
      .toMatch(/The treasury cannot pay \d+ wei: send funds to 0x/);
    expect(await readOutcomes(world.database.store)).toEqual([]);
    await chain.setBalance(treasury.address, 10n * ether);
    for (const outcome of (await world.settled()).values()) expect(outcome.status).toBe('success');
    await expect.poll(() => alarmOf(treasury.address), { timeout: 30_000 }).toBeNull();
  });
});

describe('treasury calls', { tags: 'slow' }, () => {
  it('happen once per reference, and answer their transaction', async () => {
    world = await aWorld(chain);
    const treasury = await aTreasury(10n * ether);
    const owner = chain.accounts[0]!;
    const to = toHex(randomBytes(20));
    await chain.call('eth_sendTransaction', [{ from: owner, to: treasury.address, value: '0x1' }]);
    const data = encodeFunctionData({
      abi: testTokenAbi,
      functionName: 'transfer',
      args: [to, 5n],
    });
    await chain.call('eth_sendTransaction', [
      {
        from: owner,
        to: chain.token,
        data: encodeFunctionData({
          abi: testTokenAbi,
          functionName: 'mint',
          args: [treasury.address, 100n],
        }),
        gas: '0x30000',
      },
    ]);
    await world.start({ treasuryKey: treasury.key });
    for (let times = 0; times < 3; times++) {
      await world.database.store.transaction((tx) =>
        enqueueTreasuryCall(tx, {
          reference: 'gift-1',
          chain: chainName,
          to: chain.token,
          valueWei: 0n,
          data,
        }),
      );
    }
    await expect
      .poll(async () => (await readTreasuryCall(world.database.store, 'gift-1'))?.status, {
        timeout: 30_000,
      })
      .toBe('done');
    expect((await readTreasuryCall(world.database.store, 'gift-1'))?.txHash).toMatch(
      /^0x[0-9a-f]{64}$/,
    );
    expect(await balanceOf(chain, to)).toBe(5n);
  });

  it('one that would fail says why and does not stop the next', async () => {
    world = await aWorld(chain);
    const treasury = await aTreasury(10n * ether);
    const bad = encodeFunctionData({
      abi: testTokenAbi,
      functionName: 'transfer',
      args: [chain.accounts[0]!, 5n],
    });
    await world.start({ treasuryKey: treasury.key });
    await world.database.store.transaction(async (tx) => {
      await enqueueTreasuryCall(tx, {
        reference: 'bad',
        chain: chainName,
        to: chain.token,
        valueWei: 0n,
        data: bad,
      });
      await enqueueTreasuryCall(tx, {
        reference: 'good',
        chain: chainName,
        to: toHex(randomBytes(20)),
        valueWei: 0n,
        data: '0x',
      });
    });
    await expect
      .poll(async () => (await readTreasuryCall(world.database.store, 'good'))?.status, {
        timeout: 30_000,
      })
      .toBe('done');
    expect((await readTreasuryCall(world.database.store, 'bad'))?.error).toMatch(
      /would fail: ERC20InsufficientBalance/,
    );
  });
});
