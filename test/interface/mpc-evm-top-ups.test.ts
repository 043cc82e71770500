import { encodeFunctionData, type Hex, parseTransaction } from 'viem';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  type FaultProxy,
  startFaultProxy,
} from '../../src/chains/evm/relay/testing/fault-proxy.ts';
import { type Stack, startStack } from '../harness/stack.ts';
import { type Body, wallets } from './expected-calls.ts';
import { chain, erc20, mpcEvmCalls, somebody } from './mpc-evm-kit.ts';

// Wallets of type mpc on an EVM network without EIP-7702: the account sends by itself, with gas that
// an executor gives it. The node is a real one, of the rules before that, and may be made to lie.

const feeMaxWei = 50n * 10n ** 9n;
const operationMaxWei = 10n ** 16n;

let stack: Stack;
let proxy: FaultProxy;
let token: Hex;
beforeAll(async () => {
  proxy = await startFaultProxy('http://127.0.0.1:9');
  stack = await startStack({
    hardforks: { [chain]: 'cancun' },
    nodeOf(name, url) {
      if (name !== chain) return url;
      proxy.target = url;
      return proxy.url;
    },
    evm: () => ({
      withoutDelegation: new Set([chain]),
      bounds: new Map([[chain, { feeMaxWei, accountTopUpMaxWei: operationMaxWei }]]),
    }),
  });
  token = (await stack.tokenAddress(chain, 'usdxm')) as Hex;
});
afterAll(async () => {
  await stack?.close();
  await proxy?.close();
});
afterEach(() => {
  proxy.lie = (_call, result) => result;
});

const { expectCall, create, aFundedWallet, tokensOf } = mpcEvmCalls((...call) =>
  stack.call(...call),
);
const pay = (amountMinor: bigint) => ({
  to: token,
  data: encodeFunctionData({ abi: erc20, args: [somebody, amountMinor] }),
});
const send = (address: string, call: object) =>
  expectCall(201, 'POST', `${wallets}/${address}/transactions`, {
    body: { params: { call, chain } },
  });
const ended = (address: string, { id }: Body) => stack.waitForTransaction(address, id);
const balanceOf = async (address: string) =>
  BigInt(await stack.chainCall<Hex>(chain, 'eth_getBalance', [address, 'latest']));
const countOf = async (address: string) =>
  Number(await stack.chainCall<Hex>(chain, 'eth_getTransactionCount', [address, 'latest']));
async function fundOf(address: string): Promise<bigint> {
  const { rows } = await stack.ctx.store.query<{ fund_wei: string }>({
    text: 'select fund_wei from evm_paying_accounts where address = $1',
    values: [address.toLowerCase()],
  });
  return BigInt(rows[0]?.fund_wei ?? 0);
}
async function topUpsOf(address: string): Promise<bigint[]> {
  const { rows } = await stack.ctx.store.query<{ value_wei: string }>({
    text: `select value_wei from evm_account_top_ups where address = $1 and status <> 'failed'`,
    values: [address.toLowerCase()],
  });
  return rows.map(({ value_wei }) => BigInt(value_wei));
}
async function attemptsOf(address: string) {
  const { rows } = await stack.ctx.store.query<{ raw: Buffer; filler: boolean }>({
    text: 'select raw, filler from evm_account_attempts where address = $1 order by created_at',
    values: [address.toLowerCase()],
  });
  return rows.map(({ raw, filler }) => ({
    ...parseTransaction(`0x${raw.toString('hex')}`),
    filler,
  }));
}
async function spentOf(owner: string): Promise<bigint> {
  const { rows } = await stack.ctx.store.query<{ spent_wei: string }>({
    text: 'select spent_wei from evm_gas_spent where chain = $1 and lower(owner) = lower($2)',
    values: [chain, owner],
  });
  return BigInt(rows[0]?.spent_wei ?? 0);
}

describe('without EIP-7702 an mpc wallet', () => {
  it('sends its call by itself, with gas that an executor gave it and its budget bears', async () => {
    const address = await aFundedWallet({ owner: 'userId:ida' });
    const made = await send(address, pay(1_000_000n));
    expect(made).toMatchObject({ status: 'pending', approvals: { pending: [], submitted: [] } });
    expect(made.onChain).toEqual({ call: { to: token, data: pay(1_000_000n).data } });
    const done = await ended(address, made);
    expect(done).toMatchObject({
      status: 'success',
      onChain: { ...made.onChain, txId: expect.stringMatching(/^0x[0-9a-f]{64}$/) },
    });
    const transaction = await stack.chainCall<{ from: string; nonce: Hex }>(
      chain,
      'eth_getTransactionByHash',
      [done.onChain.txId],
    );
    expect([transaction.from, Number(transaction.nonce)]).toEqual([address.toLowerCase(), 0]);
    expect(await tokensOf(address)).toBe('9');
    const [given, ...more] = await topUpsOf(address);
    expect(more).toEqual([]);
    const burned = BigInt(done.fees.actual.wei);
    // What is left is the service's, and known as such.
    expect([await balanceOf(address), await fundOf(address)]).toEqual([
      given! - burned,
      given! - burned,
    ]);
    // The owner's budget bears what was burned, and the transfer that brought it.
    const spent = await spentOf('userId:ida');
    expect(spent > burned && spent < burned + 21_000n * feeMaxWei).toBe(true);
  });

  it('counts its top-up as the node does, in what it says that it costs', {
    tags: 'slow',
  }, async () => {
    const address = await aFundedWallet();
    const gasOf = ({ fees }: Body) => BigInt(fees.estimate.gas);
    await ended(address, await send(address, pay(1_000n)));
    const plain = await send(address, pay(1_000n));
    await ended(address, plain);
    // Code that stores a word makes a transfer to it dear; elsewhere the data of the chain below does.
    await stack.chainCall(chain, 'anvil_setCode', [address, '0x600160005500']);
    const dear = await send(address, pay(1_000n));
    await stack.chainCall(chain, 'anvil_setCode', [address, '0x']);
    expect(gasOf(dear) - gasOf(plain)).toBeGreaterThan(20_000n);
    expect(await ended(address, dear)).toMatchObject({ status: 'success' });
  });

  it('has what is left pay first', { tags: 'slow' }, async () => {
    const address = await aFundedWallet();
    await ended(address, await send(address, pay(1n)));
    const [first, fund] = [(await topUpsOf(address))[0]!, await fundOf(address)];
    await ended(address, await send(address, pay(1n)));
    const given = (await topUpsOf(address)).reduce((sum, wei) => sum + wei, 0n);
    expect(given - first < first).toBe(true);
    expect(fund > 0n).toBe(true);
  });

  it('lands operations that are made at once, one after the other', { tags: 'slow' }, async () => {
    const address = await aFundedWallet();
    const made = await Promise.all([1, 2, 3].map(() => send(address, pay(1_000_000n))));
    const all = await Promise.all(made.map((one) => ended(address, one)));
    expect(all.map(({ status }) => status)).toEqual(['success', 'success', 'success']);
    expect([await tokensOf(address), await countOf(address)]).toEqual(['7', 3]);
  });

  it('keeps native money for its owner: it moves whole, and what is for gas does not', {
    tags: 'slow',
  }, async () => {
    const { address } = await create();
    const path = `${wallets}/${address}/tokens/${chain}:eth/transfers`;
    const transfer = (amount: string, status = 201) =>
      expectCall(status, 'POST', path, { body: { recipient: somebody, amount } });
    await stack.setNativeBalance(chain, address, 10n ** 18n);
    const done = await ended(address, await transfer('0.25'));
    expect(done.status).toBe('success');
    const fund = await fundOf(address);
    expect(await balanceOf(address)).toBe(75n * 10n ** 16n + fund);
    expect(fund > 0n).toBe(true);
    const refused = await transfer('0.7500000000001', 400);
    expect([refused.code, refused.message]).toEqual([
      'insufficient-balance',
      expect.stringContaining('0.75 eth of its own'),
    ]);
    expect((await ended(address, await transfer('0.75'))).status).toBe('success');
    expect(await balanceOf(address)).toBe(await fundOf(address));
  });

  it('fails with the reason what reverts by then, and a no-op takes its nonce for those behind it', {
    tags: 'slow',
  }, async () => {
    const address = await aFundedWallet();
    const made = await stack.withoutWorker(async () => [
      await send(address, pay(10_000_000n)),
      await send(address, pay(10_000_000n)),
      await send(address, { to: somebody, data: '0x' }),
    ]);
    const [first, second, third] = await Promise.all(made.map((one) => ended(address, one)));
    expect([first.status, third.status]).toEqual(['success', 'success']);
    expect(second).toMatchObject({
      status: 'failed',
      error: { reason: 'execution_reverted', message: expect.stringContaining('reverts') },
    });
    expect((await attemptsOf(address)).map(({ nonce = 0, filler }) => [nonce, filler])).toEqual([
      [0, false],
      [1, true],
      [2, false],
    ]);
    // Nothing of what the account was given is out of the books.
    expect(await balanceOf(address)).toBe(await fundOf(address));
  });

  it('makes one call in a transaction, which is said', async () => {
    const { address } = await create();
    const refused = await expectCall(400, 'POST', `${wallets}/${address}/transactions`, {
      body: { params: { calls: [pay(1n), pay(1n)], chain } },
    });
    expect(refused.message).toMatch(
      /one call in a transaction on "base-sepolia": accounts run no code there \(EIP-7702\)/,
    );
  });

  it('whose owner has no budget left is refused, and is given nothing', async () => {
    const address = await aFundedWallet({ owner: 'userId:jon' });
    await ended(address, await send(address, pay(1n)));
    const before = await topUpsOf(address);
    await stack.ctx.store.query({
      text: 'insert into evm_gas_budgets (project_id, chain, owner_day_wei) select project_id, $1, 1 from wallets where address = $2',
      values: [chain, address],
    });
    const done = await ended(address, await send(address, pay(1n)));
    await stack.ctx.store.query({ text: 'delete from evm_gas_budgets' });
    expect(done.error).toMatchObject({
      reason: 'failed_to_land_on_chain',
      message: expect.stringMatching(
        /budget of the owner of the wallet on base-sepolia is used up/,
      ),
    });
    expect([await topUpsOf(address), await countOf(address)]).toEqual([before, 1]);
    // Its nonce is free again.
    expect((await ended(address, await send(address, pay(1n)))).status).toBe('success');
  });
});

describe('a node that lies to an account without EIP-7702', { tags: 'slow' }, () => {
  const alarms = async () => {
    const { rows } = await stack.ctx.store.query<{ alarm: string }>({
      text: 'select alarm from evm_chain_alarms where chain = $1',
      values: [chain],
    });
    return rows.map(({ alarm }) => alarm).join(' ');
  };

  it('about its balance has it topped up once, with an alarm, and it goes on with the truth', async () => {
    const address = await aFundedWallet();
    proxy.lie = ({ method, params }, result) =>
      method === 'eth_getBalance' && String(params?.[0]).toLowerCase() === address.toLowerCase()
        ? '0x0'
        : result;
    const made = await send(address, pay(1n));
    await expect.poll(alarms, { timeout: 20_000 }).toContain('gets no more, and waits');
    expect(await topUpsOf(address)).toHaveLength(1);
    proxy.lie = (_call, result) => result;
    expect((await ended(address, made)).status).toBe('success');
    expect(await topUpsOf(address)).toHaveLength(1);
  });

  it('about its nonce moves nothing: the operation fails with a sentence, and the next one lands', async () => {
    const address = await aFundedWallet();
    proxy.lie = ({ method, params }, result) =>
      method === 'eth_getTransactionCount' &&
      String(params?.[0]).toLowerCase() === address.toLowerCase()
        ? '0xf4240'
        : result;
    const done = await ended(address, await send(address, pay(1n)));
    expect(done.error).toMatchObject({
      reason: 'failed_to_land_on_chain',
      message: expect.stringContaining('Another transaction has used the nonce'),
    });
    expect([await topUpsOf(address), await attemptsOf(address)]).toEqual([[], []]);
    proxy.lie = (_call, result) => result;
    expect((await ended(address, await send(address, pay(1n)))).status).toBe('success');
    expect(await tokensOf(address)).toBe('9.999999');
  });

  it('about the price has nothing sent above the ceiling', async () => {
    const address = await aFundedWallet();
    const made = await send(address, pay(1n));
    await ended(address, made);
    proxy.lie = ({ method }, result) =>
      method === 'eth_getBlockByNumber'
        ? { ...(result as object), baseFeePerGas: '0x2540be4000' }
        : result;
    const next = await send(address, pay(1n));
    await new Promise((resolve) => setTimeout(resolve, 4_000));
    expect([await countOf(address), (await attemptsOf(address)).length]).toEqual([1, 1]);
    proxy.lie = (_call, result) => result;
    expect((await ended(address, next)).status).toBe('success');
    for (const { maxFeePerGas } of await attemptsOf(address))
      expect(maxFeePerGas! <= feeMaxWei).toBe(true);
    for (const given of await topUpsOf(address)) expect(given <= operationMaxWei).toBe(true);
  });
});
