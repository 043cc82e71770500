import { setTimeout as delay } from 'node:timers/promises';
import type { Hex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Stack, startStack } from '../harness/stack.ts';

const chain = 'base-sepolia';
const dayMs = 86_400_000;

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ vault: true });
});
afterAll(() => stack?.close());

const walletPath = (locator: string) => `/2025-06-09/wallets/${locator}`;

async function createWallet(owner: string, config: object = { adminSigner: { type: 'api-key' } }) {
  const { status, body, text } = await stack.call('POST', '/2025-06-09/wallets', {
    body: { chainType: 'evm', type: 'smart', owner: `userId:${owner}`, config },
  });
  expect([status, text]).toEqual([201, expect.any(String)]);
  return body as { address: string };
}

async function fund(address: string, amount = 100) {
  const { status, text } = await stack.call('POST', `/v1-alpha2/wallets/${address}/balances`, {
    body: { amount, token: 'usdxm', chain },
  });
  expect([status, text]).toEqual([201, expect.any(String)]);
}

const transfer = (locator: string, body: object) =>
  stack.call('POST', `${walletPath(locator)}/tokens/${chain}:usdxm/transfers`, { body });

async function endOfTransfer(from: string, body: object) {
  const created = await transfer(from, body);
  expect([created.status, created.text]).toEqual([201, expect.any(String)]);
  return stack.waitForTransaction(from, created.body.id);
}

async function waitForSigner(address: string, signer: string): Promise<void> {
  for (const endAt = Date.now() + 20_000; ; await delay(50)) {
    const { body } = await stack.call('GET', `${walletPath(address)}/signers/${signer}`);
    if (body.chains[chain].status === 'success') return;
    if (Date.now() > endAt) throw new Error(`the signer is not there: ${JSON.stringify(body)}`);
  }
}

async function chainAheadMs(name = chain): Promise<number> {
  const block = await stack.chainCall<{ timestamp: Hex }>(name, 'eth_getBlockByNumber', [
    'latest',
    false,
  ]);
  return Number(block.timestamp) * 1000 - stack.ctx.clock.now().getTime();
}

describe('time that is made to pass', () => {
  it('moves service, vault and chains together, and a chain that is started later begins at the moved time', {
    tags: 'slow',
  }, async () => {
    await fund((await createWallet('first')).address);
    const before = stack.ctx.clock.now().getTime();
    await stack.advance(3 * dayMs);
    expect(stack.ctx.clock.now().getTime() - before).toBeGreaterThanOrEqual(3 * dayMs);
    expect(stack.vault!.ctx.clock.now().getTime() - before).toBeGreaterThanOrEqual(3 * dayMs);
    expect(Math.abs(await chainAheadMs())).toBeLessThan(60_000);
    await stack.chainCall('polygon-amoy', 'anvil_mine', ['0x1']);
    expect(Math.abs(await chainAheadMs('polygon-amoy'))).toBeLessThan(60_000);
  });

  it('leaves transfers working: after three days, and after twice sixty', {
    tags: 'slow',
  }, async () => {
    const [from, to] = [await createWallet('payer'), await createWallet('payee')];
    await fund(from.address);
    for (const days of [3, 60, 60]) {
      await stack.advance(days * dayMs);
      expect(
        await endOfTransfer(from.address, { recipient: to.address, amount: '1' }),
      ).toMatchObject({ status: 'success' });
    }
  });

  it('closes the approval window of a transaction that waits', async () => {
    const account = privateKeyToAccount(generatePrivateKey());
    const { address } = await createWallet('waiting', {
      adminSigner: { type: 'external-wallet', address: account.address },
    });
    const { body } = await stack.call('POST', `${walletPath(address)}/transactions`, {
      body: { params: { chain, calls: [{ to: address, value: '0', data: '0x' }] } },
    });
    expect(body.status).toBe('awaiting-approval');
    await stack.advance(60 * dayMs);
    expect(await stack.waitForTransaction(address, body.id)).toMatchObject({ status: 'failed' });
  });

  it('gives a delegate its spending limit back on the chain', { tags: 'slow' }, async () => {
    const agent = privateKeyToAccount(generatePrivateKey());
    const signer = `external-wallet:${agent.address}`;
    const scopes = [
      {
        type: 'transfer',
        tokenLocator: `${chain}:usdxm`,
        spendingLimit: { amount: '5', interval: 86_400 },
      },
    ];
    const [wallet, to] = [await createWallet('limited'), await createWallet('receiver')];
    const added = await stack.call('POST', `${walletPath(wallet.address)}/signers`, {
      body: { signer, chain, scopes },
    });
    expect([added.status, added.text]).toEqual([201, expect.any(String)]);
    await waitForSigner(wallet.address, signer);
    await fund(wallet.address);
    const spend = async () => {
      const created = await transfer(wallet.address, {
        recipient: to.address,
        amount: '5',
        signer,
      });
      if (created.status !== 201) return created.status;
      const [{ message }] = created.body.approvals.pending;
      const approvals = [
        { signer, signature: await agent.signMessage({ message: { raw: message } }) },
      ];
      await stack.call(
        'POST',
        `${walletPath(wallet.address)}/transactions/${created.body.id}/approvals`,
        { body: { approvals } },
      );
      return (await stack.waitForTransaction(wallet.address, created.body.id)).status;
    };
    expect(await spend()).toBe('success');
    expect(await spend()).not.toBe('success');
    await stack.advance(2 * dayMs);
    expect(await spend()).toBe('success');
  });

  it('does not part the service from its vault, nor a client from its session at an issuer elsewhere', async () => {
    const jwt = await stack.api.userJwt('anna');
    const list = () =>
      stack.vault!.call('GET', '/unstable/payment-methods', { key: stack.api.clientKey, jwt });
    expect((await list()).status).toBe(200);
    await stack.advance(60 * dayMs);
    expect((await list()).status).toBe(200);
    const unknown = await stack.call(
      'GET',
      '/unstable/payment-methods/00000000-0000-4000-8000-000000000000',
    );
    expect(unknown.status).toBe(404);
  });
});
