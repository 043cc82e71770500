import { createNoopSigner } from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import bs58 from 'bs58';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { messageBytesOf, readTransaction, writeMessage, writeTransaction } from '../../src/chains/solana/operation/message.ts';
import { newAddress } from '../../src/chains/solana/testing/world.ts';
import type { CallAnswer } from '../harness/http.ts';
import { type Stack, startStack } from '../harness/stack.ts';

// Wallets of type mpc on Solana: supplement, sections 1, 4 to 7, 9, 10 and 19.

type Body = CallAnswer['body'];
let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ families: ['solana'] });
});
afterAll(() => stack?.close());

async function expectCall(status: number, method: string, path: string, body?: unknown): Promise<Body> {
  const answer = await stack.call(method, `/2025-06-09/wallets${path}`, body === undefined ? {} : { body });
  expect([`${method} ${path}`, answer.status, answer.text]).toEqual([`${method} ${path}`, status, expect.any(String)]);
  return answer.body;
}

const create = (more: object = {}, status = 201) => expectCall(status, 'POST', '', { chainType: 'solana', type: 'mpc', ...more });

async function fund(address: string, amount = 50): Promise<Body> {
  const answer = await stack.call('POST', `/v1-alpha2/wallets/${address}/balances`, { body: { amount, token: 'usdxm', chain: 'solana' } });
  expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
  return answer.body;
}

async function giveSol(address: string, lamports: number): Promise<void> {
  await stack.chainCall('solana', 'requestAirdrop', [address, lamports]);
}

const transfer = (wallet: string, recipient: string, amount: string, token = 'usdxm') =>
  expectCall(201, 'POST', `/${wallet}/tokens/solana:${token}/transfers`, { recipient, amount });

async function balanceOf(address: string, token: string): Promise<string> {
  const path = `/2025-06-09/wallets/${address}/balances?tokens=${token}&chains=solana`;
  const { status, body } = await stack.call('GET', path, { headers: { 'x-client-name': 'test' } });
  expect(status).toBe(200);
  return body.find((one: Body) => one.symbol === token).amount;
}

describe('wallets', () => {
  it('are made with `type: "mpc"` for every form of owner, and their config is ignored and empty', async () => {
    const owners = [undefined, 'email:solana-mpc@example.com', 'userId:solana-mpc', 'COMPANY'];
    for (const owner of owners) {
      const wallet = await create({ ...(owner === undefined ? {} : { owner }), config: { nonsense: 1 } });
      expect(wallet).toMatchObject({ chainType: 'solana', type: 'mpc', config: {}, ...(owner === undefined ? {} : { owner }) });
      expect(wallet.address).toMatch(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/);
      expect(await expectCall(200, 'GET', `/${wallet.address}`)).toEqual(wallet);
    }
  });

  it('are each a key of their own, and one for the same owner and alias', async () => {
    const [one, other] = [await create(), await create()];
    expect(one.address).not.toBe(other.address);
    const mine = await create({ owner: 'email:solana-same@example.com' });
    expect(await create({ owner: 'email:solana-same@example.com' }, 200)).toEqual(mine);
    const named = await create({ owner: 'email:solana-same@example.com', alias: 'savings' });
    expect(named.address).not.toBe(mine.address);
    expect(await expectCall(200, 'GET', '/email:solana-same@example.com:solana:mpc')).toMatchObject({ address: mine.address });
    expect(await expectCall(200, 'GET', '/email:solana-same@example.com:solana:mpc:alias:savings')).toMatchObject({
      address: named.address,
    });
  });
});

describe('transfers', () => {
  it('of a token go to somebody who had no account for it, and the service pays for everything', async () => {
    const [wallet, recipient] = [await create(), newAddress()];
    await fund(wallet.address);
    expect(await balanceOf(wallet.address, 'usdxm')).toBe('50');
    const created = await transfer(wallet.address, recipient, '12.5');
    expect(created).toMatchObject({
      chainType: 'solana',
      walletType: 'mpc',
      onChain: { transaction: expect.stringMatching(/^[1-9A-HJ-NP-Za-km-z]+$/) },
      sendParams: { token: 'solana:usdxm', params: { amount: '12.5', recipientAddress: recipient } },
    });
    const done = await stack.waitForTransaction(wallet.address, created.id);
    expect(done).toMatchObject({ status: 'success', onChain: { txId: expect.stringMatching(/^[1-9A-HJ-NP-Za-km-z]{86,88}$/) } });
    expect(done).not.toHaveProperty('error');
    expect(await balanceOf(wallet.address, 'usdxm')).toBe('37.5');
    expect(done.fees).toMatchObject({ mode: 'project', actual: { token: 'sol' } });
  });

  it('of SOL, between wallets of people who are named by their e-mail addresses', async () => {
    const [wallet, friend] = [await create(), await create({ owner: 'email:solana-friend@example.com' })];
    await giveSol(wallet.address, 500_000_000);
    const created = await transfer(wallet.address, friend.address, '0.25', 'sol');
    expect(await stack.waitForTransaction(wallet.address, created.id)).toMatchObject({ status: 'success' });
    expect(await balanceOf(friend.address, 'sol')).toBe('0.25');
    expect(await balanceOf(wallet.address, 'sol')).toBe('0.25');
  });

  it('without the means are insufficient-balance, and to no address are refused', async () => {
    const wallet = await create();
    await fund(wallet.address, 1);
    const path = `/${wallet.address}/tokens/solana:usdxm/transfers`;
    const poor = await expectCall(400, 'POST', path, { recipient: newAddress(), amount: '2' });
    expect(poor).toMatchObject({ code: 'insufficient-balance', error: true });
    for (const recipient of ['0x000000000000000000000000000000000000bEEF', '11111111111111111111111111111111', 'nobody'])
      expect((await stack.call('POST', `/2025-06-09/wallets${path}`, { body: { recipient, amount: '1' } })).status, recipient).toBe(400);
  });
});

describe('transactions', () => {
  const send = (wallet: string, lamports: bigint, recipient = newAddress()) => {
    const source = createNoopSigner(wallet as never);
    const instructions = [getTransferSolInstruction({ source, destination: recipient as never, amount: lamports })];
    return bs58.encode(writeTransaction(writeMessage({ feePayer: source.address, instructions, tables: {} })));
  };

  it('are sent as the caller wrote them, with fee payer, nonce and compute budget of the service', async () => {
    const [wallet, recipient] = [await create(), newAddress()];
    await giveSol(wallet.address, 100_000_000);
    const transaction = send(wallet.address, 1_000_000n, recipient);
    const created = await expectCall(201, 'POST', `/${wallet.address}/transactions`, { params: { transaction } });
    expect(created.params).toMatchObject({ transaction });
    const written = readTransaction(created.onChain.transaction);
    expect(written.staticAccounts[0]).not.toBe(wallet.address);
    expect(written.staticAccounts).toContain(wallet.address);
    const done = await stack.waitForTransaction(wallet.address, created.id);
    expect(done.status).toBe('success');
    const { value } = await stack.chainCall<{ value: number }>('solana', 'getBalance', [recipient, { commitment: 'confirmed' }]);
    expect(value).toBe(1_000_000);
    const landed = await stack.chainCall<{ transaction: [string] }>('solana', 'getTransaction', [
      done.onChain.txId,
      { encoding: 'base58', commitment: 'confirmed', maxSupportedTransactionVersion: 0 },
    ]);
    expect(messageBytesOf(landed.transaction[0])).toEqual(messageBytesOf(created.onChain.transaction));
  });

  it('are listed newest first, and an empty list of approvals changes nothing', async () => {
    const wallet = await create();
    await giveSol(wallet.address, 100_000_000);
    const ids: string[] = [];
    for (let count = 0; count < 3; count++) {
      const body = { params: { transaction: send(wallet.address, 1_000_000n) } };
      ids.unshift((await expectCall(201, 'POST', `/${wallet.address}/transactions`, body)).id);
    }
    const { transactions } = await expectCall(200, 'GET', `/${wallet.address}/transactions?page=1&perPage=10`);
    expect(transactions.map(({ id }: Body) => id)).toEqual(ids);
    for (const id of ids) await stack.waitForTransaction(wallet.address, id);
    expect(await expectCall(201, 'POST', `/${wallet.address}/transactions/${ids[0]}/approvals`, { approvals: [] })).toMatchObject({
      id: ids[0],
      status: 'success',
    });
  });

  it('that would fail are 422 with the logs of the program, and those of another form or signer 400', async () => {
    const wallet = await create();
    await giveSol(wallet.address, 10_000_000);
    const path = `/${wallet.address}/transactions`;
    const poor = await expectCall(422, 'POST', path, { params: { transaction: send(wallet.address, 9_000_000_000n) } });
    expect(poor.error).toMatchObject({ reason: 'program_error', message: expect.stringMatching(/.+/), logs: expect.any(Array) });
    expect(poor.message).toBe(poor.error.message);
    for (const params of [
      {},
      { transaction: 'not base58 0' },
      { transaction: bs58.encode(Buffer.from('nonsense')) },
      { transaction: send(newAddress(), 1n) },
      { transaction: send(wallet.address, 1n), requiredSigners: [`external-wallet:${newAddress()}`] },
      { transaction: send(wallet.address, 1n), signer: `external-wallet:${newAddress()}` },
      { transaction: send(wallet.address, 1n), chain: 'solana' },
    ])
      await expectCall(400, 'POST', path, { params });
  });
});

describe('what comes in', () => {
  it('shows in the activity of the wallet, with its mint', async () => {
    const [wallet, other] = [await create(), await create()];
    await fund(wallet.address, 10);
    const created = await transfer(wallet.address, other.address, '3');
    const { onChain } = await stack.waitForTransaction(wallet.address, created.id);
    const path = `/unstable/wallets/${other.address}/transfers?chain=solana&status=successful`;
    const events = async () => (await stack.call('GET', path)).body.data as Body[];
    await expect.poll(async () => (await events()).length, { timeout: 20_000 }).toBe(1);
    expect((await events())[0]).toMatchObject({
      type: 'wallets.transfer.in',
      status: 'succeeded',
      sender: { address: wallet.address },
      token: { locator: 'solana:usdxm', amount: '3', decimals: 6, chain: 'solana', mintHash: expect.any(String) },
      onChain: { txId: onChain.txId },
    });
  });
});
