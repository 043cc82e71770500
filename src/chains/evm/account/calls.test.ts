import { setTimeout as delay } from 'node:timers/promises';
import { keccak256, numberToHex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { balanceOf } from '../../../../contracts/test/chain.ts';
import { SigningRefusedError } from '../../../lib/errors.ts';
import { chainName, type RelayTestChain, startRelayTestChain } from '../relay/testing/chain.ts';
import { type FaultProxy, startFaultProxy } from '../relay/testing/fault-proxy.ts';
import { aCallInNoBlock, cheapAgain, mineDear, soon } from './testing/too-dear.ts';
import { type AccountsWorld, anAccountsWorld, type Wallet } from './testing/world.ts';

// Accounts that send by themselves, on a real node of rules before EIP-7702.

let chain: RelayTestChain;
let world: AccountsWorld;
let proxy: FaultProxy;
beforeAll(async () => {
  chain = await startRelayTestChain({ hardfork: 'cancun' });
  proxy = await startFaultProxy(chain.url);
});
afterAll(async () => {
  await proxy?.close();
  await chain?.stop();
});
afterEach(async () => {
  proxy.rule = () => 'pass';
  proxy.lie = (_call, result) => result;
  await chain.call('evm_setAutomine', [true]);
  await world.close();
});

describe('a call of an account', () => {
  it('that no block takes is sent at a higher fee within its cap, and lands once', async () => {
    world = await anAccountsWorld(chain);
    const wallet = await world.aWallet();
    await world.feed(wallet, 10n ** 18n);
    await chain.call('evm_setAutomine', [false]);
    const id = await world.submit(wallet);
    await world.start({ relay: { bumpAfterMs: 500 } });
    await expect
      .poll(async () => (await world.attemptsOf(wallet)).length, { timeout: 20_000 })
      .toBe(1);
    // 90 gwei is far above what was paid at first.
    for (let blocks = 0; blocks < 200 && (await world.attemptsOf(wallet)).length < 2; blocks++) {
      await chain.call('anvil_setNextBlockBaseFeePerGas', [numberToHex(90_000_000_000)]);
      await chain.call('anvil_mine', ['0x1']);
      await delay(100);
    }
    await chain.call('evm_setAutomine', [true]);
    await chain.call('anvil_mine', ['0x1']);
    expect(await world.outcomesOf(id)).toMatchObject([{ status: 'success' }]);
    const [first, ...raised] = await world.attemptsOf(wallet);
    expect(raised.length).toBeGreaterThan(0);
    for (const one of raised) {
      const { nonce, to, data } = first!;
      expect(one).toMatchObject({ to, data, ...(nonce !== undefined && { nonce }) });
      expect(one.maxFeePerGas! > first!.maxFeePerGas!).toBe(true);
      expect(one.maxFeePerGas! <= 200n * 10n ** 9n).toBe(true);
    }
    expect([await balanceOf(chain, world.recipient), await world.countOf(wallet)]).toEqual([1n, 1]);
    expect(await world.topUpsOf(wallet)).toEqual([]);
  });

  const isTold = (id: string) => async () => (await world.outcomesOf(id, 0)).length > 0;
  const hasSigned = (wallet: Wallet, count: number) => async () =>
    (await world.attemptsOf(wallet)).length >= count;

  it('whose price stays above its cap ends with a no-op, and the next one lands', {
    tags: 'slow',
  }, async () => {
    world = await anAccountsWorld(chain);
    const { wallet, id } = await aCallInNoBlock(chain, world, () => world.start(soon));
    await mineDear(chain, isTold(id));
    const [outcome] = await world.outcomesOf(id, 0);
    expect(outcome).toMatchObject({
      status: 'failed',
      error: {
        reason: 'failed_to_land_on_chain',
        message: expect.stringContaining('expired before it was included in a block'),
      },
    });
    expect(outcome).not.toHaveProperty('executed');
    expect([await balanceOf(chain, world.recipient), await world.countOf(wallet)]).toEqual([0n, 1]);
    const noOp = (await world.attemptsOf(wallet)).at(-1)!;
    expect([noOp.to?.toLowerCase(), noOp.value ?? 0n, noOp.data ?? '0x']).toEqual([
      wallet.address,
      0n,
      '0x',
    ]);
    expect(noOp.maxFeePerGas! <= 500n * 10n ** 9n).toBe(true);
    await cheapAgain(chain);
    expect(await world.outcomesOf(await world.submit(wallet))).toMatchObject([
      { status: 'success' },
    ]);
    expect(await chain.balanceOf(wallet.address)).toBe(await world.fundOf(wallet));
  });

  it('that paid the highest tip there is ends with a no-op too', { tags: 'slow' }, async () => {
    world = await anAccountsWorld(chain);
    // The node names as much.
    const bounds = { tipMaxWei: (10n ** 9n).toString() };
    const start = () => world.start({ ...soon, bounds });
    const { wallet, id } = await aCallInNoBlock(chain, world, start);
    expect((await world.attemptsOf(wallet))[0]!.maxPriorityFeePerGas).toBe(10n ** 9n);
    await mineDear(chain, isTold(id));
    expect(await world.outcomesOf(id, 0)).toMatchObject([{ status: 'failed' }]);
    expect([await balanceOf(chain, world.recipient), await world.countOf(wallet)]).toEqual([0n, 1]);
  });

  it('that nothing may end as long as gas is dearer than any no-op raises an alarm, until it has', {
    tags: 'slow',
  }, async () => {
    world = await anAccountsWorld(chain);
    const bounds = { feeMaxWei: (250n * 10n ** 9n).toString() };
    const start = () => world.start({ ...soon, bounds });
    const { wallet, id } = await aCallInNoBlock(chain, world, start);
    const alarms = async () =>
      JSON.stringify(
        await world.query(`select alarm from evm_chain_alarms where kind = 'account-queue'`),
      );
    await mineDear(chain, async () => (await alarms()) !== '[]');
    expect(await alarms()).toContain(`Operations of the account ${wallet.address} wait`);
    expect(await alarms()).toContain('raise EVM_FEE_MAX_WEI_BASE_SEPOLIA');
    expect(await world.outcomesOf(id, 0)).toEqual([]);
    await cheapAgain(chain);
    expect(await world.outcomesOf(id)).toHaveLength(1);
    expect(await alarms()).toBe('[]');
  });

  it('that lands although a no-op was signed in its place has succeeded', {
    tags: 'slow',
  }, async () => {
    world = await anAccountsWorld(chain);
    const { wallet, id } = await aCallInNoBlock(chain, world, () => world.start(soon));
    await mineDear(chain, hasSigned(wallet, 2));
    const [own, noOp] = await world.rawAttemptsOf(wallet);
    expect(noOp).toBeDefined();
    // As it is with a node that never heard of the no-op.
    await world.stop();
    await chain.call('anvil_dropAllTransactions', []);
    await cheapAgain(chain);
    await chain.client.sendRawTransaction({ serializedTransaction: own! });
    await world.start();
    expect(await world.outcomesOf(id)).toMatchObject([{ status: 'success', executed: true }]);
    expect([await balanceOf(chain, world.recipient), await world.countOf(wallet)]).toEqual([1n, 1]);
    expect(await world.outcomesOf(await world.submit(wallet))).toMatchObject([
      { status: 'success' },
    ]);
  });

  it('that is over is not sent again once a no-op was signed in its place', {
    tags: 'slow',
  }, async () => {
    world = await anAccountsWorld(chain);
    const { wallet, id } = await aCallInNoBlock(chain, world, () => world.start(soon));
    await mineDear(chain, hasSigned(wallet, 2));
    // A node that started anew knows neither, and gas is cheap enough for both.
    await world.stop();
    await chain.call('anvil_dropAllTransactions', []);
    const [own] = await world.rawAttemptsOf(wallet);
    const sent: string[] = [];
    proxy.rule = (_methods, body) => {
      if (body.includes('eth_sendRawTransaction')) sent.push(body);
      return 'pass';
    };
    await world.start({ ...soon, rpcUrl: proxy.url });
    await expect.poll(() => sent.length, { timeout: 20_000 }).toBeGreaterThan(2);
    await cheapAgain(chain);
    expect(await world.outcomesOf(id)).toMatchObject([{ status: 'failed' }]);
    expect(sent.filter((body) => body.includes(own!))).toEqual([]);
    expect([await balanceOf(chain, world.recipient), await world.countOf(wallet)]).toEqual([0n, 1]);
  });

  it('of which a node tells that it landed beside the no-op is not told before the truth', {
    tags: 'slow',
  }, async () => {
    world = await anAccountsWorld(chain);
    const start = () => world.start({ ...soon, rpcUrl: proxy.url });
    const { wallet, id } = await aCallInNoBlock(chain, world, start);
    let receipt: object | null = null;
    await mineDear(chain, async () => {
      const [, ...noOps] = await world.rawAttemptsOf(wallet);
      for (const raw of noOps)
        receipt ??= (await chain.call('eth_getTransactionReceipt', [keccak256(raw)])) as
          | object
          | null;
      return receipt !== null;
    });
    const own = keccak256((await world.rawAttemptsOf(wallet))[0]!);
    let lies = 0;
    proxy.lie = ({ method, params }, result) => {
      if (method !== 'eth_getTransactionReceipt' || params![0] !== own) return result;
      lies += 1;
      return { ...receipt, transactionHash: own, effectiveGasPrice: '0x3b9aca00' };
    };
    await mineDear(chain, async () => lies > 2);
    expect([lies > 2, await world.outcomesOf(id, 0)]).toEqual([true, []]);
    proxy.lie = (_call, result) => result;
    await mineDear(chain, isTold(id));
    expect(await world.outcomesOf(id, 0)).toMatchObject([{ status: 'failed' }]);
    expect([await balanceOf(chain, world.recipient), await world.countOf(wallet)]).toEqual([0n, 1]);
  });

  it('pays for the no-op that it waited for, also where charging failed at first', {
    tags: 'slow',
  }, async () => {
    world = await anAccountsWorld(chain);
    const wallet = await world.aWallet();
    await world.feed(wallet, 10n ** 18n);
    await world.query('create sequence test_charges');
    await world.query(`create function test_fail_once() returns trigger language plpgsql as $$
      begin if nextval('test_charges') = 1 then raise exception 'once'; end if; return new; end $$`);
    await world.query(
      'create trigger test_fail before insert on evm_gas_spent for each row execute function test_fail_once()',
    );
    await world.submit(wallet, { validUntil: new Date() });
    const id = await world.submit(wallet);
    await world.start();
    expect(await world.outcomesOf(id)).toMatchObject([{ status: 'success' }]);
    expect(await world.countOf(wallet)).toBe(2);
    const burnedWei = 10n ** 18n - (await chain.balanceOf(wallet.address));
    expect(await world.spentOfOwners()).toBe(burnedWei);
    expect(await world.fundOf(wallet)).toBe(10n ** 18n - burnedWei);
  });

  it('that custody refuses for good ends at once; one that was sent goes on without it', {
    tags: 'slow',
  }, async () => {
    world = await anAccountsWorld(chain);
    const refusal = new SigningRefusedError('Custody does not sign it: its key is another one.');
    const refused = await world.submit(await world.aWallet());
    const relay = await world.start({}, { mayNotSign: () => refusal });
    expect(await world.outcomesOf(refused)).toMatchObject([
      { status: 'failed', onChain: {}, error: { message: refusal.message } },
    ]);
    await relay.stop();
    const { id } = await aCallInNoBlock(chain, world, () => world.start(soon));
    await world.stop();
    let asked = 0;
    const mayNotSign = () => {
      asked++;
      return refusal;
    };
    await world.start(soon, { mayNotSign });
    await mineDear(chain, async () => asked > 1);
    expect([asked > 1, await world.outcomesOf(id, 0)]).toEqual([true, []]);
    await cheapAgain(chain);
    expect(await world.outcomesOf(id)).toMatchObject([{ status: 'success' }]);
  });

  it('is given what its chain takes for data beside gas', async () => {
    world = await anAccountsWorld(chain);
    const wallet = await world.aWallet();
    const oracle = '0x420000000000000000000000000000000000000f';
    await chain.call('anvil_setNextBlockBaseFeePerGas', [numberToHex(10n ** 9n)]);
    await chain.call('anvil_mine', ['0x1']);
    // Answers 10^15 to whatever it is asked.
    const dataWei = 10n ** 15n;
    const word = dataWei.toString(16).padStart(64, '0');
    await chain.call('anvil_setCode', [oracle, `0x7f${word}5f5260205ff3`]);
    const id = await world.submit(wallet);
    await world.start();
    expect(await world.outcomesOf(id)).toMatchObject([{ status: 'success' }]);
    await chain.call('anvil_setCode', [oracle, '0x']);
    const [given] = await world.topUpsOf(wallet);
    expect(BigInt(given!.value_wei) > (dataWei * 5n) / 4n).toBe(true);
    // The local node took none, so that it is left for the next one.
    expect((await world.fundOf(wallet)) > (dataWei * 5n) / 4n).toBe(true);
  });

  it('whose nonce its key has used elsewhere fails with a sentence, and the next one lands', async () => {
    world = await anAccountsWorld(chain);
    const wallet = await world.aWallet();
    const id = await world.submit(wallet);
    const key = privateKeyToAccount(wallet.key);
    await chain.setBalance(wallet.address, 10n ** 18n);
    const raw = await key.signTransaction({
      chainId: chain.chainId,
      to: wallet.address,
      nonce: 0,
      gas: 21_000n,
      maxFeePerGas: 10n ** 12n,
      maxPriorityFeePerGas: 1n,
      type: 'eip1559',
    });
    await chain.client.sendRawTransaction({ serializedTransaction: raw });
    await expect.poll(() => world.countOf(wallet)).toBe(1);
    await world.start();
    expect(await world.outcomesOf(id)).toMatchObject([
      { status: 'failed', error: { message: expect.stringContaining('used the nonce') } },
    ]);
    expect(await world.outcomesOf(await world.submit(wallet))).toMatchObject([
      { status: 'success' },
    ]);
    expect(await balanceOf(chain, world.recipient)).toBe(1n);
  });

  it('that moves native money waits for a top-up under way: none of that is the owner’s', {
    tags: 'slow',
  }, async () => {
    world = await anAccountsWorld(chain);
    const wallet = await world.aWallet();
    const [leftWei, givenWei] = [10n ** 16n, 10n ** 17n];
    // As between the block that has the top-up of an earlier, dearer call and its confirmation.
    await chain.setBalance(wallet.address, leftWei + givenWei);
    await world.credit(wallet, leftWei);
    await world.query(
      `insert into evm_account_top_ups (id, operation_id, project_id, owner, chain, address, value_wei, mac, status)
       values (gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'x', $1, $2, $3, 'x', 'sent')`,
      [chainName, wallet.address, givenWei.toString()],
    );
    const thief = '0x00000000000000000000000000000000000e71f1';
    const id = await world.submit(wallet, { to: thief, valueWei: givenWei, data: '0x' });
    await world.start();
    await delay(3_000);
    expect([await chain.balanceOf(thief), await world.countOf(wallet)]).toEqual([0n, 0]);
    await world.credit(wallet, givenWei);
    await world.query(`update evm_account_top_ups set status = 'done' where address = $1`, [
      wallet.address,
    ]);
    expect(await world.outcomesOf(id)).toMatchObject([
      { status: 'failed', error: { message: expect.stringContaining('0 wei of its own') } },
    ]);
    expect(await chain.balanceOf(thief)).toBe(0n);
  });

  it('is given what is missing when it is asked for, whatever was missing before', {
    tags: 'slow',
  }, async () => {
    world = await anAccountsWorld(chain);
    const wallet = await world.aWallet();
    // As a top-up that lands between the look at the fund and the request.
    await world.credit(wallet, 100n);
    expect([await world.need(wallet, 100n), await world.topUpsOf(wallet)]).toEqual(['open', []]);
    expect(await world.need(wallet, 150n)).toBe('asked');
    expect(await world.topUpsOf(wallet)).toMatchObject([{ value_wei: '50' }]);
  });

  it('is given its gas where a transfer takes more than 21,000', async () => {
    world = await anAccountsWorld(chain);
    const wallet = await world.aWallet();
    const id = await world.submit(wallet);
    // Code that stores a word makes it dear here; elsewhere the data of the chain below does.
    await chain.call('anvil_setCode', [wallet.address, '0x600160005500']);
    await world.start();
    await expect
      .poll(async () => (await world.topUpsOf(wallet)).map(({ status }) => status), {
        timeout: 20_000,
      })
      .toEqual(['done']);
    await chain.call('anvil_setCode', [wallet.address, '0x']);
    expect(await world.outcomesOf(id)).toMatchObject([{ status: 'success' }]);
    expect(await chain.balanceOf(wallet.address)).toBe(await world.fundOf(wallet));
  });

  it('that would pass what all get in a day is given nothing, with an alarm', async () => {
    world = await anAccountsWorld(chain);
    const [wallet, other] = [await world.aWallet(), await world.aWallet()];
    const first = await world.submit(wallet);
    const relay = await world.start();
    await world.outcomesOf(first);
    await relay.stop();
    const [given] = await world.topUpsOf(wallet);
    const topUpDayMaxWei = given!.value_wei;
    await world.start({ bounds: { topUpDayMaxWei } });
    await world.submit(other);
    const alarms = () => world.query<{ alarm: string }>('select alarm from evm_chain_alarms', []);
    await expect
      .poll(async () => JSON.stringify(await alarms()), { timeout: 20_000 })
      .toContain('raise EVM_TOP_UP_DAY_MAX_WEI_BASE_SEPOLIA');
    expect([await world.topUpsOf(other), await world.countOf(other)]).toEqual([[], 0]);
  });
});

describe('accounts of one owner', { tags: 'slow' }, () => {
  it('are given no more in a day than its gas budget, however many there are', async () => {
    world = await anAccountsWorld(chain);
    const [first, second, third] = [
      await world.aWallet(),
      await world.aWallet(),
      await world.aWallet(),
    ];
    const owner = 'userId:many';
    const relay = await world.start();
    expect(await world.outcomesOf(await world.submit(first, {}, owner))).toMatchObject([
      { status: 'success' },
    ]);
    await relay.stop();
    // Burned is less than that, and what was given is not.
    const ownerDayMaxWei = (await world.topUpsOf(first))[0]!.value_wei;
    expect((await world.spentOfOwners()) < BigInt(ownerDayMaxWei)).toBe(true);
    await world.start({ bounds: { ownerDayMaxWei } });
    expect(await world.outcomesOf(await world.submit(second, {}, owner))).toMatchObject([
      {
        status: 'failed',
        error: {
          message: expect.stringMatching(
            /^The gas budget of the owner of the wallet on base-sepolia is used up for today: its accounts got/,
          ),
        },
      },
    ]);
    expect(await world.topUpsOf(second)).toEqual([]);
    expect(await world.outcomesOf(await world.submit(third, {}, 'userId:other'))).toMatchObject([
      { status: 'success' },
    ]);
  });
});

describe('what is written into the database of accounts', () => {
  it('gives no account money: a top-up that nobody sealed, or of another sum, is not sent', async () => {
    world = await anAccountsWorld(chain);
    const [wallet, thief] = [await world.aWallet(), await world.aWallet()];
    await world.query(
      `insert into evm_account_top_ups (id, operation_id, project_id, owner, chain, address, value_wei, mac)
       values (gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'x', $1, $2, 1000, 'x')`,
      [chainName, thief.address],
    );
    const id = await world.submit(wallet);
    await world.start();
    expect(await world.outcomesOf(id)).toMatchObject([{ status: 'success' }]);
    await world.query(
      `insert into evm_account_top_ups (id, operation_id, project_id, owner, chain, address, value_wei, mac)
       select gen_random_uuid(), operation_id, project_id, owner, chain, $1, value_wei, mac from evm_account_top_ups where address = $2`,
      [thief.address, wallet.address],
    );
    await expect
      .poll(async () => (await world.topUpsOf(thief)).map(({ status }) => status), {
        timeout: 10_000,
      })
      .toEqual(['failed', 'failed']);
    expect(await chain.balanceOf(thief.address)).toBe(0n);
  });

  it('gives no account gas again: a fund that somebody lowers, deletes or puts back stops it', {
    tags: 'slow',
  }, async () => {
    world = await anAccountsWorld(chain);
    const wallet = await world.aWallet();
    await world.start();
    await world.outcomesOf(await world.submit(wallet));
    const row = async () =>
      (
        await world.query<Record<string, unknown>>(
          'select * from evm_paying_accounts where address = $1',
          [wallet.address],
        )
      )[0]!;
    const put = async (to: Record<string, unknown>) => {
      await world.query('delete from evm_paying_accounts where address = $1', [wallet.address]);
      await world.query(
        'insert into evm_paying_accounts select * from jsonb_populate_record(null::evm_paying_accounts, $1::jsonb)',
        [JSON.stringify(to)],
      );
    };
    const before = await row();
    await world.outcomesOf(await world.submit(wallet));
    const truth = await row();
    const given = await world.topUpsOf(wallet);
    const count = await world.countOf(wallet);
    for (const lie of [
      { ...truth, fund_wei: '0' },
      { ...truth, fund_wei: '0', version: 0, mac: null },
      before,
    ]) {
      await put(lie);
      const id = await world.submit(wallet);
      await delay(2_500);
      expect([await world.topUpsOf(wallet), await world.countOf(wallet)]).toEqual([given, count]);
      expect(await world.outcomesOf(id, 0)).toEqual([]);
      await world.query('delete from evm_account_operations where operation_id = $1', [id]);
      await world.query('delete from operation_intents where operation_id = $1', [id]);
    }
    await put(truth);
    expect(await world.outcomesOf(await world.submit(wallet))).toMatchObject([
      { status: 'success' },
    ]);
    expect(await chain.balanceOf(wallet.address)).toBe(await world.fundOf(wallet));
  });

  it('has no other transaction’s success told', { tags: 'slow' }, async () => {
    world = await anAccountsWorld(chain);
    const [wallet, other] = [await world.aWallet(), await world.aWallet()];
    const done = await world.submit(other);
    const first = await world.start();
    await world.outcomesOf(done);
    await first.stop();
    await world.feed(wallet, 10n ** 18n);
    await chain.call('evm_setAutomine', [false]);
    const id = await world.submit(wallet);
    await world.start();
    await expect
      .poll(() => world.query(`select 1 from operation_intents where status = 'sent'`), {
        timeout: 20_000,
      })
      .toHaveLength(1);
    await world.query(
      `update evm_account_attempts a set hash = a.hash || 'x' from operation_intents o where a.hash = o.tx_id and o.operation_id = $1`,
      [done],
    );
    await world.query(
      `insert into evm_account_attempts (hash, chain, address, nonce, operation_id, filler, raw)
       select left(hash, -1), chain, $1, nonce, $2, false, raw from evm_account_attempts where address = $3`,
      [wallet.address, id, other.address],
    );
    await delay(3_000);
    const told = await world.query('select 1 from test_outcomes where operation_id = $1', [id]);
    expect(told).toEqual([]);
  });

  it('tells nothing of an operation of a module under whose id somebody has put a call', async () => {
    world = await anAccountsWorld(chain);
    const wallet = await world.aWallet();
    await world.feed(wallet, 10n ** 18n);
    const id = await world.submit(wallet);
    await world.relayed(id);
    const next = await world.submit(wallet);
    await world.start();
    await world.outcomesOf(next);
    const [row] = await world.query(
      'select status from operation_intents where operation_id = $1',
      [id],
    );
    expect([row, await world.outcomesOf(id, 0)]).toEqual([{ status: 'settled' }, []]);
  });
});
