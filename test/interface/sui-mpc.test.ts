import { SuiGrpcClient } from '@mysten/sui/grpc';
import { Transaction } from '@mysten/sui/transactions';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newSuiAddress } from '../../src/chains/sui/testing/bed.ts';
import type { CallAnswer } from '../harness/http.ts';
import { type Stack, startStack } from '../harness/stack.ts';

// Wallets on Sui: supplement, sections 1, 4 to 7, 9, 10 and 19.

type Body = CallAnswer['body'];
let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ families: ['sui'] });
});
afterAll(() => stack?.close());

async function expectCall(status: number, method: string, path: string, body?: unknown): Promise<Body> {
  const answer = await stack.call(method, `/2025-06-09/wallets${path}`, body === undefined ? {} : { body });
  expect([`${method} ${path}`, answer.status, answer.text]).toEqual([`${method} ${path}`, status, expect.any(String)]);
  return answer.body;
}

const create = (more: object = {}, status = 201) => expectCall(status, 'POST', '', { chainType: 'sui', type: 'mpc', ...more });

async function fund(address: string, amount = 50): Promise<Body> {
  const answer = await stack.call('POST', `/v1-alpha2/wallets/${address}/balances`, { body: { amount, token: 'usdxm', chain: 'sui' } });
  expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
  return answer.body;
}

/** A coin of 10 SUI, as a faucet gives it. */
async function giveSui(address: string): Promise<void> {
  const body = JSON.stringify({ FixedAmountRequest: { recipient: address } });
  const response = await fetch(`${stack.urlOf('sui')}/v2/gas`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  expect(response.status).toBe(200);
}

const transfer = (wallet: string, recipient: string, amount: string, token = 'usdxm', status = 201) =>
  expectCall(status, 'POST', `/${wallet}/tokens/sui:${token}/transfers`, { recipient, amount });

async function balanceOf(address: string, token: string): Promise<string> {
  const path = `/2025-06-09/wallets/${address}/balances?tokens=${token}&chains=sui`;
  const { status, body } = await stack.call('GET', path, { headers: { 'x-client-name': 'test' } });
  expect(status).toBe(200);
  return body.find((one: Body) => one.symbol === token).amount;
}

/** The kind of a transaction that moves MIST out of the wallet's coins, as a client would build it; gas and expiry are the service's. */
async function sui(wallet: string, recipient: string, amount: bigint, which = 0): Promise<{ readonly transaction: string }> {
  const client = new SuiGrpcClient({ network: 'localnet', baseUrl: stack.urlOf('sui') });
  const coin = (await client.listCoins({ owner: wallet })).objects[which];
  const tx = new Transaction();
  const from = coin ? tx.objectRef(coin) : tx.gas;
  tx.transferObjects([tx.splitCoins(from, [amount])], recipient);
  return { transaction: Buffer.from(await tx.build({ onlyTransactionKind: true })).toString('base64') };
}

describe('wallets', () => {
  it('are of type mpc, named or not, for every form of owner; their config is ignored and empty', async () => {
    for (const owner of [undefined, 'email:sui-mpc@example.com', 'userId:sui-mpc', 'COMPANY']) {
      const wallet = await create({ ...(owner === undefined ? {} : { owner }), config: { nonsense: 1 } });
      expect(wallet).toMatchObject({ chainType: 'sui', type: 'mpc', config: {}, ...(owner === undefined ? {} : { owner }) });
      expect(wallet.address).toMatch(/^0x[0-9a-f]{64}$/);
      expect(await expectCall(200, 'GET', `/${wallet.address}`)).toEqual(wallet);
    }
    expect(await expectCall(201, 'POST', '', { chainType: 'sui' })).toMatchObject({ type: 'mpc' });
    expect(await expectCall(200, 'GET', '/email:sui-mpc@example.com:sui')).toMatchObject({ chainType: 'sui' });
  });

  it('of type smart are refused in the first answer, with the code of the supplement', async () => {
    const config = { adminSigner: { type: 'api-key' } };
    for (const body of [
      { chainType: 'sui', type: 'smart' },
      { chainType: 'sui', type: 'smart', config },
    ])
      expect(await expectCall(400, 'POST', '', body)).toMatchObject({ error: true, code: 'WALLET_TYPE_NOT_SUPPORTED' });
  });

  it('are each a key of their own, and one for the same owner and alias', async () => {
    const [one, other] = [await create(), await create()];
    expect(one.address).not.toBe(other.address);
    const mine = await create({ owner: 'email:sui-same@example.com' });
    expect(await create({ owner: 'email:sui-same@example.com' }, 200)).toEqual(mine);
    const named = await create({ owner: 'email:sui-same@example.com', alias: 'savings' });
    expect(named.address).not.toBe(mine.address);
    expect(await expectCall(200, 'GET', '/email:sui-same@example.com:sui:mpc:alias:savings')).toMatchObject({ address: named.address });
  });
});

describe('transfers', () => {
  it('of a token go to somebody who never held it, and the service pays for everything', async () => {
    const [wallet, recipient] = [await create(), newSuiAddress()];
    await fund(wallet.address);
    expect(await balanceOf(wallet.address, 'usdxm')).toBe('50');
    const created = await transfer(wallet.address, recipient, '12.5');
    expect(created).toMatchObject({
      chainType: 'sui',
      walletType: 'mpc',
      onChain: { transaction: expect.stringMatching(/^[A-Za-z0-9+/]+=*$/) },
      sendParams: { token: 'sui:usdxm', params: { amount: '12.5', recipientAddress: recipient } },
    });
    const done = await stack.waitForTransaction(wallet.address, created.id);
    expect(done).toMatchObject({ status: 'success', onChain: { txId: expect.stringMatching(/^[1-9A-HJ-NP-Za-km-z]{43,44}$/) } });
    expect(done).not.toHaveProperty('error');
    expect(await balanceOf(wallet.address, 'usdxm')).toBe('37.5');
    expect(done.fees).toMatchObject({ mode: 'project', actual: { token: 'sui' } });
  });

  it('of SUI, between wallets of people who are named by their e-mail addresses', async () => {
    const [wallet, friend] = [await create(), await create({ owner: 'email:sui-friend@example.com' })];
    await giveSui(wallet.address);
    const created = await transfer(wallet.address, friend.address, '0.25', 'sui');
    expect(await stack.waitForTransaction(wallet.address, created.id)).toMatchObject({ status: 'success' });
    expect([await balanceOf(friend.address, 'sui'), await balanceOf(wallet.address, 'sui')]).toEqual(['0.25', '9.75']);
  });

  it('without the means are insufficient-balance, and to no address are refused', async () => {
    const wallet = await create();
    await fund(wallet.address, 1);
    expect(await transfer(wallet.address, newSuiAddress(), '2', 'usdxm', 400)).toMatchObject({ code: 'insufficient-balance', error: true });
    for (const recipient of ['0x000000000000000000000000000000000000bEEF', `0x${'0'.repeat(63)}1`, 'nobody'])
      await transfer(wallet.address, recipient, '1', 'usdxm', 400);
  });

  it('with one idempotency key happen once', async () => {
    const [wallet, recipient] = [await create(), newSuiAddress()];
    await fund(wallet.address, 5);
    const path = `/2025-06-09/wallets/${wallet.address}/tokens/sui:usdxm/transfers`;
    const send = () =>
      stack.call('POST', path, { body: { recipient, amount: '2' }, headers: { 'x-idempotency-key': `sui-${wallet.address}` } });
    const [first, second] = [await send(), await send()];
    expect(second.body.id).toBe(first.body.id);
    await stack.waitForTransaction(wallet.address, first.body.id);
    expect(await balanceOf(wallet.address, 'usdxm')).toBe('3');
  });
});

describe('transactions', () => {
  it('are sent as the caller wrote them, with gas, expiry and sponsor of the service', async () => {
    const [wallet, recipient] = [await create(), await create()];
    await giveSui(wallet.address);
    const params = await sui(wallet.address, recipient.address, 1_000_000n);
    const created = await expectCall(201, 'POST', `/${wallet.address}/transactions`, { params });
    expect(created.params).toMatchObject(params);
    const done = await stack.waitForTransaction(wallet.address, created.id);
    expect(done.status).toBe('success');
    expect(await balanceOf(recipient.address, 'sui')).toBe('0.001');
    expect(await balanceOf(wallet.address, 'sui')).toBe('9.999');
  });

  it('are listed newest first, and an empty list of approvals changes nothing', async () => {
    const wallet = await create();
    // A transaction names its coins at their versions: each has one of its own.
    for (let count = 0; count < 3; count++) await giveSui(wallet.address);
    const all: unknown[] = [];
    for (let count = 0; count < 3; count++) all.push(await sui(wallet.address, newSuiAddress(), 1_000n, count));
    const ids: string[] = [];
    for (const params of all) {
      const body = { params };
      ids.unshift((await expectCall(201, 'POST', `/${wallet.address}/transactions`, body)).id);
    }
    const { transactions } = await expectCall(200, 'GET', `/${wallet.address}/transactions?page=1&perPage=10`);
    expect(transactions.map(({ id }: Body) => id)).toEqual(ids);
    for (const id of ids) expect((await stack.waitForTransaction(wallet.address, id)).status).toBe('success');
    expect(await expectCall(201, 'POST', `/${wallet.address}/transactions/${ids[0]}/approvals`, { approvals: [] })).toMatchObject({
      id: ids[0],
      status: 'success',
    });
  });

  it('that would fail are 422 with what the chain says, and those of another form, wallet or network 400', async () => {
    const wallet = await create();
    await giveSui(wallet.address);
    const path = `/${wallet.address}/transactions`;
    const poor = await expectCall(422, 'POST', path, { params: await sui(wallet.address, newSuiAddress(), 90_000_000_000n) });
    expect(poor.error).toMatchObject({ reason: 'program_error', message: expect.stringMatching(/.+/) });
    for (const params of [
      {},
      { transaction: 'not base64!' },
      { transaction: Buffer.from('nonsense').toString('base64') },
      // Out of the coin that pays, which is the service's.
      await sui(newSuiAddress(), newSuiAddress(), 1n),
      { ...(await sui(wallet.address, newSuiAddress(), 1n)), signer: `external-wallet:${newSuiAddress()}` },
      { ...(await sui(wallet.address, newSuiAddress(), 1n)), chain: 'sui' },
    ])
      await expectCall(400, 'POST', path, { params });
  });
});

describe('what comes in', () => {
  it('shows in the activity of the wallet, with its contract', async () => {
    const [wallet, other] = [await create(), await create()];
    await fund(wallet.address, 10);
    const created = await transfer(wallet.address, other.address, '3');
    const { onChain } = await stack.waitForTransaction(wallet.address, created.id);
    const path = `/unstable/wallets/${other.address}/transfers?chain=sui&status=successful`;
    const events = async () => (await stack.call('GET', path)).body.data as Body[];
    await expect.poll(async () => (await events()).length, { timeout: 20_000 }).toBe(1);
    expect((await events())[0]).toMatchObject({
      type: 'wallets.transfer.in',
      status: 'succeeded',
      sender: { address: wallet.address },
      token: { locator: 'sui:usdxm', amount: '3', decimals: 6, chain: 'sui', contractAddress: expect.any(String) },
      onChain: { txId: onChain.txId },
    });
  });
});
