/** @module-tag slow */

import { type Hex, hashMessage, parseAbi, recoverAddress } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Stack, startStack } from '../harness/stack.ts';

const chain = 'base-sepolia';
const usdxm = `${chain}:usdxm`;

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack?.close());

const walletPath = (locator: string) => `/2025-06-09/wallets/${locator}`;

async function createWallet(owner: string, adminSigner: object = { type: 'api-key' }) {
  const { status, body } = await stack.call('POST', '/2025-06-09/wallets', {
    body: { chainType: 'evm', type: 'smart', owner: `userId:${owner}`, config: { adminSigner } },
  });
  expect(status).toBe(201);
  return body as { address: string; config: { adminSigner: { locator: string } } };
}

async function fund(address: string, amount = 100) {
  const { status, text } = await stack.call('POST', `/v1-alpha2/wallets/${address}/balances`, {
    body: { amount, token: 'usdxm', chain },
  });
  expect([status, text]).toEqual([201, expect.any(String)]);
}

async function transfer(locator: string, body: object, token = usdxm) {
  return stack.call('POST', `${walletPath(locator)}/tokens/${token}/transfers`, { body });
}

async function balanceOf(locator: string): Promise<string> {
  const { body } = await stack.call(
    'GET',
    `${walletPath(locator)}/balances?tokens=usdxm&chains=${chain}`,
  );
  return body.tokens[0].balance;
}

const waitForEnd = (address: string, id: string) => stack.waitForTransaction(address, id);

describe('a sponsored transfer on EVM', () => {
  it('with an api-key signer goes from request to confirmation by itself', async () => {
    const [alice, bob] = [await createWallet('alice'), await createWallet('bob')];
    await fund(alice.address);
    const created = await transfer(alice.address, { recipient: bob.address, amount: '12.5' });
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({
      status: 'pending',
      approvals: { pending: [] },
      sendParams: {
        token: usdxm,
        params: { amount: '12.5', recipient: bob.address, recipientAddress: bob.address },
      },
    });
    expect(created.body).not.toHaveProperty('error');
    expect(created.body).not.toHaveProperty('message');
    const done = await waitForEnd(alice.address, created.body.id);
    expect(done).toMatchObject({
      status: 'success',
      onChain: {
        txId: expect.stringMatching(/^0x[0-9a-f]{64}$/),
        userOperationHash: expect.stringMatching(/^0x/),
      },
      fees: { mode: 'project' },
    });
    expect(await balanceOf(alice.address)).toBe('87500000');
    expect(await balanceOf('userId:bob:evm')).toBe('12500000');
    const receipt = await stack.chainCall<{ status: string }>(chain, 'eth_getTransactionReceipt', [
      done.onChain.txId,
    ]);
    expect(receipt.status).toBe('0x1');
  });

  it('with an external wallet waits for its approval, by EIP-191 over the 32 bytes of the message', async () => {
    const account = privateKeyToAccount(generatePrivateKey());
    const carol = await createWallet('carol', {
      type: 'external-wallet',
      address: account.address,
    });
    await fund(carol.address);
    const created = await transfer(carol.address, { recipient: 'userId:dave', amount: '1' });
    expect(created.body.status).toBe('awaiting-approval');
    const [pending] = created.body.approvals.pending;
    expect(pending.signer).toMatchObject({
      locator: `external-wallet:${account.address}`,
      type: 'external-wallet',
      address: account.address,
    });
    const signature = await account.signMessage({ message: { raw: pending.message as Hex } });
    expect(await recoverAddress({ hash: hashMessage({ raw: pending.message }), signature })).toBe(
      account.address,
    );
    const approvals = `${walletPath(carol.address)}/transactions/${created.body.id}/approvals`;
    const approved = await stack.call('POST', approvals, {
      body: { approvals: [{ signer: pending.signer.locator, signature }] },
    });
    expect(approved.status).toBe(201);
    expect(approved.body).toMatchObject({
      status: 'pending',
      approvals: {
        pending: [],
        submitted: [
          { signature, signer: { locator: pending.signer.locator }, message: pending.message },
        ],
      },
    });
    const done = await waitForEnd(carol.address, created.body.id);
    expect(done.status).toBe('success');
    expect(await balanceOf('userId:dave:evm')).toBe('1000000');
  });

  it('answers each approval mistake by its own code and records nothing', async () => {
    const [account, stranger] = [
      privateKeyToAccount(generatePrivateKey()),
      privateKeyToAccount(generatePrivateKey()),
    ];
    const { address } = await createWallet('erin', { type: 'server', address: account.address });
    await fund(address, 5);
    const { body: created } = await transfer(address, { recipient: stranger.address, amount: '2' });
    const [{ message }] = created.approvals.pending;
    const path = `${walletPath(address)}/transactions/${created.id}/approvals`;
    const submit = async (approvals: unknown) => {
      const { status, body } = await stack.call('POST', path, { body: { approvals } });
      return [status, body.code ?? body.status];
    };
    const signer = `server:${account.address}`;
    const good = { signer, signature: await account.signMessage({ message: { raw: message } }) };
    expect(await submit([])).toEqual([400, 'validation-error']);
    expect(await submit([{ ...good, signer: `server:${stranger.address}` }])).toEqual([
      400,
      'signer-not-approver',
    ]);
    expect(
      await submit([
        { signer, signature: await stranger.signMessage({ message: { raw: message } }) },
      ]),
    ).toEqual([400, 'invalid-signature']);
    expect(await submit([good, good])).toEqual([400, 'validation-error']);
    expect(
      (await stack.call('GET', `${walletPath(address)}/transactions/${created.id}`)).body.approvals
        .submitted,
    ).toEqual([]);
    expect(await submit([good])).toEqual([201, 'pending']);
    expect(await submit([good])).toEqual([409, 'approval-already-submitted']);
    expect(await submit([{ ...good, signer: `server:${stranger.address}` }])).toEqual([
      422,
      'approvals-complete',
    ]);
    await waitForEnd(address, created.id);
    expect(await submit([])).toEqual([201, 'success']);
  });

  it('takes the approval once when it arrives ten times at once', async () => {
    const account = privateKeyToAccount(generatePrivateKey());
    const { address } = await createWallet('frank', {
      type: 'external-wallet',
      address: account.address,
    });
    await fund(address, 5);
    const { body: created } = await transfer(address, { recipient: account.address, amount: '1' });
    const [{ message, signer }] = created.approvals.pending;
    const body = {
      approvals: [
        {
          signer: signer.locator,
          signature: await account.signMessage({ message: { raw: message } }),
        },
      ],
    };
    const answers = await Promise.all(
      Array.from({ length: 10 }, () =>
        stack.call('POST', `${walletPath(address)}/transactions/${created.id}/approvals`, { body }),
      ),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(9);
    expect((await waitForEnd(address, created.id)).status).toBe('success');
    expect(await balanceOf(address)).toBe('4000000');
  });

  it('keeps the locator of the signer that was sent, character by character', async () => {
    const account = privateKeyToAccount(generatePrivateKey());
    const { address } = await createWallet('grace', {
      type: 'external-wallet',
      address: account.address,
    });
    await fund(address, 5);
    const signer = `external-wallet:${account.address.toLowerCase()}`;
    const { body } = await transfer(address, { recipient: account.address, amount: '1', signer });
    expect(body.approvals.pending[0].signer.locator).toBe(signer);
    expect(body.params.signer.locator).toBe(signer);
  });

  it('moves native money too', async () => {
    const { address } = await createWallet('heidi');
    await stack.setNativeBalance(chain, address, 10n ** 18n);
    const { status, body } = await transfer(
      address,
      { recipient: '0x000000000000000000000000000000000000bEEF', amount: '0.25' },
      `${chain}:eth`,
    );
    expect(status).toBe(201);
    expect((await waitForEnd(address, body.id)).status).toBe('success');
    expect(
      BigInt(
        await stack.chainCall<Hex>(chain, 'eth_getBalance', [
          '0x000000000000000000000000000000000000bEEF',
          'latest',
        ]),
      ),
    ).toBe(25n * 10n ** 16n);
  });

  it('pays once for a repeated idempotency key, also ten at once', async () => {
    const { address } = await createWallet('ivan');
    await fund(address, 10);
    const send = () =>
      stack.call('POST', `${walletPath(address)}/tokens/${usdxm}/transfers`, {
        body: { recipient: '0x000000000000000000000000000000000000cafE', amount: '3' },
        headers: { 'x-idempotency-key': 'pay-ivan' },
      });
    const answers = await Promise.all(Array.from({ length: 10 }, send));
    expect(answers.every(({ status }) => status === 201 || status === 409)).toBe(true);
    const ids = new Set(answers.filter(({ status }) => status === 201).map(({ body }) => body.id));
    expect(ids.size).toBe(1);
    await waitForEnd(address, [...ids][0]!);
    expect((await send()).body.id).toBe([...ids][0]);
    expect(await balanceOf(address)).toBe('7000000');
  });

  it('creates the recipient’s wallet with the transfer: a refused one leaves none behind', async () => {
    const { address } = await createWallet('oscar');
    const refused = await transfer(address, { recipient: 'userId:ghost', amount: '999' });
    expect(refused.body.code).toBe('insufficient-balance');
    expect((await stack.call('GET', walletPath('userId:ghost:evm'))).status).toBe(404);
  });

  it('gives a new recipient one wallet when ten transfers to it arrive at once', async () => {
    const { address } = await createWallet('peggy');
    await fund(address, 20);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () =>
        transfer(address, { recipient: 'email:quinn@example.com', amount: '1' }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(201));
    const { body: wallet } = await stack.call('GET', walletPath('email:quinn@example.com:evm'));
    for (const { body } of answers) {
      expect(body.sendParams.params.recipientAddress).toBe(wallet.address);
      expect((await waitForEnd(address, body.id)).status).toBe('success');
    }
    expect(await balanceOf('email:quinn@example.com:evm')).toBe('10000000');
  });

  it.each([
    [
      'a wallet locator',
      usdxm,
      { recipient: 'userId:dave:evm', amount: '1' },
      400,
      'invalid-locator',
    ],
    [
      'an unknown token',
      `${chain}:doge`,
      { recipient: '0x000000000000000000000000000000000000bEEF', amount: '1' },
      400,
      'token-not-supported',
    ],
    [
      'an unknown chain',
      'narnia:usdc',
      { recipient: '0x000000000000000000000000000000000000bEEF', amount: '1' },
      400,
      'chain-not-supported',
    ],
    [
      'a chain of another family',
      'solana:usdc',
      { recipient: '0x000000000000000000000000000000000000bEEF', amount: '1' },
      400,
      'chain-not-supported',
    ],
    [
      'too many decimals',
      usdxm,
      { recipient: '0x000000000000000000000000000000000000bEEF', amount: '0.0000001' },
      400,
      'validation-error',
    ],
    [
      'zero',
      usdxm,
      { recipient: '0x000000000000000000000000000000000000bEEF', amount: '0' },
      400,
      'validation-error',
    ],
    [
      'a negative amount',
      usdxm,
      { recipient: '0x000000000000000000000000000000000000bEEF', amount: '-1' },
      400,
      'validation-error',
    ],
    [
      'an exponent',
      usdxm,
      { recipient: '0x000000000000000000000000000000000000bEEF', amount: '1e18' },
      400,
      'validation-error',
    ],
    [
      'no amount',
      usdxm,
      { recipient: '0x000000000000000000000000000000000000bEEF' },
      400,
      'validation-error',
    ],
    [
      'more than there is',
      usdxm,
      { recipient: '0x000000000000000000000000000000000000bEEF', amount: '1000000' },
      400,
      'insufficient-balance',
    ],
    [
      'a mistyped checksum',
      usdxm,
      { recipient: '0x000000000000000000000000000000000000bEEf', amount: '1' },
      400,
      'invalid-recipient',
    ],
    [
      'the zero address',
      usdxm,
      { recipient: '0x0000000000000000000000000000000000000000', amount: '1' },
      400,
      'invalid-recipient',
    ],
    [
      'a memo',
      usdxm,
      {
        recipient: '0x000000000000000000000000000000000000bEEF',
        amount: '1',
        memo: { type: 'text', value: 'hi' },
      },
      400,
      'validation-error',
    ],
    [
      'a regulated transfer',
      usdxm,
      {
        recipient: '0x000000000000000000000000000000000000bEEF',
        amount: '1',
        transactionType: 'regulated-transfer',
      },
      403,
      'kyc-required',
    ],
    [
      'an onramp transfer',
      usdxm,
      {
        recipient: '0x000000000000000000000000000000000000bEEF',
        amount: '1',
        transactionType: 'onramp',
      },
      403,
      'project:addon.required',
    ],
    [
      'a foreign signer',
      usdxm,
      {
        recipient: '0x000000000000000000000000000000000000bEEF',
        amount: '1',
        signer: 'server:0x000000000000000000000000000000000000bEEF',
      },
      400,
      'transaction-invalid',
    ],
  ])('refuses %s with its own error', async (_name, token, body, status, code) => {
    await stack.call('POST', '/2025-06-09/wallets', {
      body: {
        chainType: 'evm',
        owner: 'userId:refused',
        config: { adminSigner: { type: 'api-key' } },
      },
    });
    const answer = await transfer('userId:refused:evm', body, token);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect(answer.body.message).toBeTruthy();
  });
});

describe('a transaction on EVM', () => {
  const abi = parseAbi(['function transfer(address to, uint256 value) returns (bool)']);

  it('runs several calls, in ABI form and raw form, all or none', async () => {
    const { address } = await createWallet('judy');
    await fund(address, 10);
    const token = await stack.tokenAddress(chain, 'usdxm');
    const call = (amount: string) => ({
      address: token,
      functionName: 'transfer',
      abi,
      args: ['0x000000000000000000000000000000000000dEaD', amount],
    });
    const { status, body } = await stack.call('POST', `${walletPath(address)}/transactions`, {
      body: {
        params: { chain, calls: [call('1000000'), { to: address, value: '0', data: '0x' }] },
      },
    });
    expect(status).toBe(201);
    expect((await waitForEnd(address, body.id)).status).toBe('success');
    const failing = await stack.call('POST', `${walletPath(address)}/transactions`, {
      body: { params: { chain, calls: [call('1000000'), call('999999999999')] } },
    });
    expect(failing.status).toBe(422);
    expect(failing.body).toMatchObject({
      error: { reason: 'execution_reverted', revertData: expect.stringMatching(/^0x/) },
      message: expect.any(String),
    });
    expect(await balanceOf(address)).toBe('9000000');
  });

  it.each([16, 64, 96])(
    'carries %i KiB of calldata without a zero byte, for which nodes ask more gas than it takes to run',
    async (kib) => {
      const { address } = await createWallet(`bulky-${kib}`);
      const calls = [{ to: `0x${'aa'.repeat(20)}`, data: `0x${'ff'.repeat(kib * 1024)}` }];
      const { status, body } = await stack.call('POST', `${walletPath(address)}/transactions`, {
        body: { params: { chain, calls } },
      });
      expect(status).toBe(201);
      expect((await waitForEnd(address, body.id)).status).toBe('success');
    },
  );

  it('is listed newest first, in pages', async () => {
    const { address } = await createWallet('kate');
    const ids: string[] = [];
    for (let i = 0; i < 3; i++) {
      const { body } = await stack.call('POST', `${walletPath(address)}/transactions`, {
        body: { params: { chain, calls: [{ to: address, value: '0', data: '0x' }] } },
      });
      ids.unshift(body.id);
    }
    const list = async (query: string) =>
      (
        await stack.call('GET', `${walletPath(address)}/transactions?${query}`)
      ).body.transactions.map(({ id }: { id: string }) => id);
    expect(await list('')).toEqual(ids);
    expect(await list('page=2&perPage=2')).toEqual(ids.slice(2));
    expect(await list(`dateTo=${encodeURIComponent('2020-01-01T00:00:00Z')}`)).toEqual([]);
    expect((await stack.call('GET', `${walletPath(address)}/transactions?page=0`)).status).toBe(
      400,
    );
    expect(
      (await stack.call('GET', `${walletPath(address)}/transactions?perPage=101`)).status,
    ).toBe(400);
    for (const id of ids) await waitForEnd(address, id);
  });

  it('of another wallet, or no id at all, is not found', async () => {
    const [leo, mia] = [await createWallet('leo'), await createWallet('mia')];
    const { body } = await stack.call('POST', `${walletPath(leo.address)}/transactions`, {
      body: { params: { chain, calls: [{ to: leo.address, value: '0', data: '0x' }] } },
    });
    for (const id of [body.id, 'nonsense', '00000000-0000-7000-8000-000000000000']) {
      const answer = await stack.call('GET', `${walletPath(mia.address)}/transactions/${id}`);
      expect([answer.status, answer.body.code]).toEqual([404, 'transaction-not-found']);
    }
    const asTransfer = await stack.call(
      'GET',
      `${walletPath(leo.address)}/tokens/${usdxm}/transfers/${body.id}`,
    );
    expect([asTransfer.status, asTransfer.body.code]).toEqual([404, 'transfer-not-found']);
    await waitForEnd(leo.address, body.id);
  });

  it('fails when its approval window passes', async () => {
    const account = privateKeyToAccount(generatePrivateKey());
    const { address } = await createWallet('nina', {
      type: 'external-wallet',
      address: account.address,
    });
    const { body } = await stack.call('POST', `${walletPath(address)}/transactions`, {
      body: { params: { chain, calls: [{ to: address, value: '0', data: '0x' }] } },
    });
    const [{ message, signer }] = body.approvals.pending;
    const approval = {
      signer: signer.locator,
      signature: await account.signMessage({ message: { raw: message } }),
    };
    await stack.advanceClock(24 * 3600 * 1000 + 1000);
    const late = await stack.call(
      'POST',
      `${walletPath(address)}/transactions/${body.id}/approvals`,
      { body: { approvals: [approval] } },
    );
    expect([late.status, late.body.code]).toEqual([409, 'approval-window-closed']);
    expect(await waitForEnd(address, body.id)).toMatchObject({
      status: 'failed',
      error: { reason: 'unknown' },
      completedAt: expect.any(String),
    });
  });
});
