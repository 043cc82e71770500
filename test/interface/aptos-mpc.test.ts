import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aptosNetwork } from '../../src/chains/aptos/config/networks.ts';
import { aptosTransferParams } from '../../src/chains/aptos/operation/params.ts';
import { newAddress } from '../../src/chains/aptos/testing/world.ts';
import type { CallAnswer } from '../harness/http.ts';
import { type Stack, startStack } from '../harness/stack.ts';

// Wallets on Aptos: supplement, sections 1, 4 to 7, 9, 10 and 19.

type Body = CallAnswer['body'];
let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ families: ['aptos'] });
});
afterAll(() => stack?.close());

async function expectCall(status: number, method: string, path: string, body?: unknown): Promise<Body> {
  const answer = await stack.call(method, `/2025-06-09/wallets${path}`, body === undefined ? {} : { body });
  expect([`${method} ${path}`, answer.status, answer.text]).toEqual([`${method} ${path}`, status, expect.any(String)]);
  return answer.body;
}

const create = (more: object = {}, status = 201) => expectCall(status, 'POST', '', { chainType: 'aptos', type: 'mpc', ...more });

async function fund(address: string, amount = 50): Promise<Body> {
  const answer = await stack.call('POST', `/v1-alpha2/wallets/${address}/balances`, { body: { amount, token: 'usdxm', chain: 'aptos' } });
  expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
  return answer.body;
}

/** What a faucet gives. */
async function giveApt(address: string, octas: number): Promise<void> {
  const response = await fetch(`${stack.urlOf('aptos')}/v1/mint`, {
    method: 'POST',
    body: JSON.stringify({ address, amount: String(octas) }),
  });
  expect(response.status).toBe(200);
}

const transfer = (wallet: string, recipient: string, amount: string, token = 'usdxm', status = 201) =>
  expectCall(status, 'POST', `/${wallet}/tokens/aptos:${token}/transfers`, { recipient, amount });

async function balanceOf(address: string, token: string): Promise<string> {
  const path = `/2025-06-09/wallets/${address}/balances?tokens=${token}&chains=aptos`;
  const { status, body } = await stack.call('GET', path, { headers: { 'x-client-name': 'test' } });
  expect(status).toBe(200);
  return body.find((one: Body) => one.symbol === token).amount;
}

/** A raw transaction that moves octas, as a client would build it; nonce, expiry and gas are the service's. */
const apt = (wallet: string, recipient: string, amountMinor: bigint) =>
  aptosTransferParams(aptosNetwork('development'), {
    wallet: { address: wallet } as never,
    chain: 'aptos',
    token: { chain: 'aptos', locator: 'aptos:apt', symbol: 'apt', decimals: 8 },
    amountMinor,
    recipientAddress: recipient,
  });

describe('wallets', () => {
  it('are of type mpc, named or not, for every form of owner; their config is ignored and empty', async () => {
    for (const owner of [undefined, 'email:aptos-mpc@example.com', 'userId:aptos-mpc', 'COMPANY']) {
      const wallet = await create({ ...(owner === undefined ? {} : { owner }), config: { nonsense: 1 } });
      expect(wallet).toMatchObject({ chainType: 'aptos', type: 'mpc', config: {}, ...(owner === undefined ? {} : { owner }) });
      expect(wallet.address).toMatch(/^0x[0-9a-f]{64}$/);
      expect(await expectCall(200, 'GET', `/${wallet.address}`)).toEqual(wallet);
    }
    expect(await expectCall(201, 'POST', '', { chainType: 'aptos' })).toMatchObject({ type: 'mpc' });
    expect(await expectCall(200, 'GET', '/email:aptos-mpc@example.com:aptos')).toMatchObject({ chainType: 'aptos' });
  });

  it('of type smart are refused in the first answer, with the code of the supplement', async () => {
    const config = { adminSigner: { type: 'api-key' } };
    for (const body of [
      { chainType: 'aptos', type: 'smart' },
      { chainType: 'aptos', type: 'smart', config },
    ])
      expect(await expectCall(400, 'POST', '', body)).toMatchObject({ error: true, code: 'WALLET_TYPE_NOT_SUPPORTED' });
  });

  it('are each a key of their own, and one for the same owner and alias', async () => {
    const [one, other] = [await create(), await create()];
    expect(one.address).not.toBe(other.address);
    const mine = await create({ owner: 'email:aptos-same@example.com' });
    expect(await create({ owner: 'email:aptos-same@example.com' }, 200)).toEqual(mine);
    const named = await create({ owner: 'email:aptos-same@example.com', alias: 'savings' });
    expect(named.address).not.toBe(mine.address);
    expect(await expectCall(200, 'GET', '/email:aptos-same@example.com:aptos:mpc:alias:savings')).toMatchObject({ address: named.address });
  });
});

describe('transfers', () => {
  it('of a token go to somebody who never held it, and the service pays for everything', async () => {
    const [wallet, recipient] = [await create(), newAddress()];
    await fund(wallet.address);
    expect(await balanceOf(wallet.address, 'usdxm')).toBe('50');
    const created = await transfer(wallet.address, recipient, '12.5');
    expect(created).toMatchObject({
      chainType: 'aptos',
      walletType: 'mpc',
      onChain: { transaction: expect.stringMatching(/^[A-Za-z0-9+/]+=*$/) },
      sendParams: { token: 'aptos:usdxm', params: { amount: '12.5', recipientAddress: recipient } },
    });
    const done = await stack.waitForTransaction(wallet.address, created.id);
    expect(done).toMatchObject({ status: 'success', onChain: { txId: expect.stringMatching(/^0x[0-9a-f]{64}$/) } });
    expect(done).not.toHaveProperty('error');
    expect(await balanceOf(wallet.address, 'usdxm')).toBe('37.5');
    expect(done.fees).toMatchObject({ mode: 'project', actual: { token: 'apt' } });
  });

  it('of APT, between wallets of people who are named by their e-mail addresses', async () => {
    const [wallet, friend] = [await create(), await create({ owner: 'email:aptos-friend@example.com' })];
    await giveApt(wallet.address, 50_000_000);
    const created = await transfer(wallet.address, friend.address, '0.25', 'apt');
    expect(await stack.waitForTransaction(wallet.address, created.id)).toMatchObject({ status: 'success' });
    expect([await balanceOf(friend.address, 'apt'), await balanceOf(wallet.address, 'apt')]).toEqual(['0.25', '0.25']);
  });

  it('without the means are insufficient-balance, and to no address are refused', async () => {
    const wallet = await create();
    await fund(wallet.address, 1);
    expect(await transfer(wallet.address, newAddress(), '2', 'usdxm', 400)).toMatchObject({ code: 'insufficient-balance', error: true });
    for (const recipient of ['0x000000000000000000000000000000000000bEEF', `0x${'0'.repeat(63)}1`, 'nobody'])
      await transfer(wallet.address, recipient, '1', 'usdxm', 400);
  });

  it('with one idempotency key happen once', async () => {
    const [wallet, recipient] = [await create(), newAddress()];
    await fund(wallet.address, 5);
    const path = `/2025-06-09/wallets/${wallet.address}/tokens/aptos:usdxm/transfers`;
    const send = () =>
      stack.call('POST', path, { body: { recipient, amount: '2' }, headers: { 'x-idempotency-key': `aptos-${wallet.address}` } });
    const [first, second] = [await send(), await send()];
    expect(second.body.id).toBe(first.body.id);
    await stack.waitForTransaction(wallet.address, first.body.id);
    expect(await balanceOf(wallet.address, 'usdxm')).toBe('3');
  });
});

describe('transactions', () => {
  it('are sent as the caller wrote them, with nonce, expiry, gas and fee payer of the service', async () => {
    const [wallet, recipient] = [await create(), await create()];
    await giveApt(wallet.address, 10_000_000);
    const params = apt(wallet.address, recipient.address, 1_000_000n);
    const created = await expectCall(201, 'POST', `/${wallet.address}/transactions`, { params });
    expect(created.params).toMatchObject(params);
    const done = await stack.waitForTransaction(wallet.address, created.id);
    expect(done.status).toBe('success');
    expect(await balanceOf(recipient.address, 'apt')).toBe('0.01');
    expect(await balanceOf(wallet.address, 'apt')).toBe('0.09');
  });

  it('are listed newest first, and an empty list of approvals changes nothing', async () => {
    const wallet = await create();
    await giveApt(wallet.address, 10_000_000);
    const ids: string[] = [];
    for (let count = 0; count < 3; count++) {
      const body = { params: apt(wallet.address, newAddress(), 1_000n) };
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
    await giveApt(wallet.address, 1_000_000);
    const path = `/${wallet.address}/transactions`;
    const poor = await expectCall(422, 'POST', path, { params: apt(wallet.address, newAddress(), 9_000_000_000n) });
    expect(poor.error).toMatchObject({ reason: 'program_error', message: expect.stringMatching(/.+/), logs: expect.any(Array) });
    for (const params of [
      {},
      { transaction: 'not base64!' },
      { transaction: Buffer.from('nonsense').toString('base64') },
      apt(newAddress(), newAddress(), 1n),
      { ...apt(wallet.address, newAddress(), 1n), signer: `external-wallet:${newAddress()}` },
      { ...apt(wallet.address, newAddress(), 1n), chain: 'aptos' },
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
    const path = `/unstable/wallets/${other.address}/transfers?chain=aptos&status=successful`;
    const events = async () => (await stack.call('GET', path)).body.data as Body[];
    await expect.poll(async () => (await events()).length, { timeout: 20_000 }).toBe(1);
    expect((await events())[0]).toMatchObject({
      type: 'wallets.transfer.in',
      status: 'succeeded',
      sender: { address: wallet.address },
      token: { locator: 'aptos:usdxm', amount: '3', decimals: 6, chain: 'aptos', contractAddress: expect.any(String) },
      onChain: { txId: onChain.txId },
    });
  });
});
