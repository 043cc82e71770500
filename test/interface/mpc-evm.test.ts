import {
  encodeFunctionData,
  type Hex,
  hashTypedData,
  recoverAddress,
  recoverMessageAddress,
} from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Stack, startStack } from '../harness/stack.ts';
import { wallets } from './expected-calls.ts';
import { chain, erc20, mpcEvmCalls, somebody } from './mpc-evm-kit.ts';

// Wallets of type mpc on evm, as the supplement has them (sections 4 to 10): one key that the
// service keeps, and nobody to approve.

const chainId = 84_532;
const otherChain = 'polygon-amoy';
const transferEntry = {
  type: 'function',
  name: 'transfer',
  inputs: [
    { name: 'to', type: 'address' },
    { name: 'amount', type: 'uint256' },
  ],
};

let stack: Stack;
let token: Hex;
beforeAll(async () => {
  stack = await startStack();
  token = (await stack.tokenAddress(chain, 'usdxm')) as Hex;
});
afterAll(() => stack?.close());

const { expectCall, create, aFundedWallet, tokensOf } = mpcEvmCalls((...call) =>
  stack.call(...call),
);
const send = (address: string, params: object) =>
  expectCall(201, 'POST', `${wallets}/${address}/transactions`, { body: { params } });
const transferData = (recipient: string, amountMinor: bigint) =>
  encodeFunctionData({ abi: erc20, args: [recipient as Hex, amountMinor] });

describe('an evm mpc wallet', () => {
  it.each([
    ['of nobody', {}, undefined],
    ['of the project', { owner: 'COMPANY' }, 'COMPANY:evm:mpc'],
    ['of a user id', { owner: 'userId:amy' }, 'userId:amy:evm:mpc'],
    ['of an e-mail', { owner: 'email:amy@example.com' }, 'email:amy@example.com:evm:mpc'],
    ['of a phone', { owner: 'phoneNumber:+14155550123' }, 'phoneNumber:+14155550123:evm:mpc'],
    ['of a handle', { owner: 'twitter:amy' }, 'twitter:amy:evm:mpc'],
    [
      'with an alias',
      { owner: 'userId:amy', alias: 'savings' },
      'userId:amy:evm:mpc:alias:savings',
    ],
    ['of the project with an alias', { alias: 'float' }, 'evm:mpc:alias:float'],
  ])('%s is created, and found by its address and its locator', async (_name, fields, locator) => {
    const wallet = await create({ ...fields, config: { anything: true } });
    expect(wallet).toEqual({
      chainType: 'evm',
      type: 'mpc',
      address: expect.stringMatching(/^0x[0-9a-fA-F]{40}$/),
      config: {},
      createdAt: expect.stringMatching(/Z$/),
      ...fields,
    });
    const found = [
      wallet.address,
      ...(locator === undefined || locator.startsWith('COMPANY') ? [] : [locator]),
    ];
    for (const name of found)
      expect(await expectCall(200, 'GET', `${wallets}/${encodeURIComponent(name)}`)).toEqual(
        wallet,
      );
    if (locator !== undefined)
      expect(await expectCall(200, 'POST', wallets, { body: { ...wallet, ...fields } })).toEqual(
        wallet,
      );
  });

  it('belongs to the user of a client key, who uses it as me', { tags: 'slow' }, async () => {
    const user = { key: stack.api.clientKey, jwt: await stack.api.userJwt('ned') };
    const wallet = await expectCall(201, 'POST', `${wallets}/me`, {
      ...user,
      body: { chainType: 'evm', type: 'mpc' },
    });
    expect(wallet).toMatchObject({ owner: 'userId:ned', type: 'mpc', config: {} });
    expect(await expectCall(200, 'GET', `${wallets}/me:evm:mpc`, user)).toEqual(wallet);
    const params = { message: 'hello', chain };
    const signed = await expectCall(201, 'POST', `${wallets}/me:evm:mpc/signatures`, {
      ...user,
      body: { type: 'message', params },
    });
    expect(
      await recoverMessageAddress({ message: 'hello', signature: signed.outputSignature }),
    ).toBe(wallet.address);
    const stranger = { key: stack.api.clientKey, jwt: await stack.api.userJwt('oda') };
    await expectCall(404, 'POST', `${wallets}/${wallet.address}/signatures`, {
      ...stranger,
      body: { type: 'message', params },
    });
  });

  it('has no signers to add, to read or to remove', async () => {
    const { address } = await create();
    const signer = `external-wallet:${somebody}`;
    const added = await expectCall(400, 'POST', `${wallets}/${address}/signers`, {
      body: { signer, chain },
    });
    expect(added.code).toBe('WALLET_TYPE_NOT_SUPPORTED');
    const path = `${wallets}/${address}/signers/${encodeURIComponent(signer)}`;
    await expectCall(404, 'GET', path);
    expect((await expectCall(400, 'DELETE', `${path}?chain=${chain}`)).code).toBe(
      'signer-not-removable',
    );
  });
});

describe('a transaction of an evm mpc wallet', () => {
  it('advances by itself, without approvals and without native money in the account', async () => {
    const address = await aFundedWallet();
    const data = transferData(somebody, 1_000_000n);
    const made = await send(address, { call: { to: token, data }, chain });
    expect(made).toMatchObject({ chainType: 'evm', walletType: 'mpc', status: 'pending' });
    expect(made.params).toEqual({ call: { to: token, data }, chain });
    expect(made.onChain).toEqual({ call: { to: token, data } });
    expect(made.approvals).toEqual({ pending: [], submitted: [] });
    expect(made).not.toHaveProperty('error');
    const path = `${wallets}/${address}/transactions`;
    await expectCall(201, 'POST', `${path}/${made.id}/approvals`, { body: { approvals: [] } });
    const done = await stack.waitForTransaction(address, made.id);
    expect(done).toMatchObject({
      status: 'success',
      params: made.params,
      completedAt: expect.stringMatching(/Z$/),
    });
    expect(done.onChain).toEqual({
      ...made.onChain,
      txId: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      explorerLink: expect.stringContaining(done.onChain.txId),
    });
    expect(await tokensOf(address)).toBe('9');
    expect(BigInt(await stack.chainCall<Hex>(chain, 'eth_getBalance', [address, 'latest']))).toBe(
      0n,
    );
    expect(await expectCall(200, 'GET', `${path}/${made.id}`)).toEqual(done);
    expect(await expectCall(200, 'GET', path)).toEqual({ transactions: [done] });
  });

  it('takes a call by name too, and acts on each chain of its own', { tags: 'slow' }, async () => {
    const address = await aFundedWallet();
    const call = {
      address: token,
      functionName: 'transfer',
      abi: [transferEntry],
      args: [somebody, '2000000'],
    };
    const made = await send(address, { call, chain });
    expect([made.params, made.onChain]).toEqual([
      { call, chain },
      { call: { to: token, data: transferData(somebody, 2_000_000n) } },
    ]);
    const elsewhere = await send(address, {
      call: { to: somebody, data: '0x' },
      chain: otherChain,
    });
    for (const { id } of [made, elsewhere])
      expect((await stack.waitForTransaction(address, id)).status).toBe('success');
    expect(await tokensOf(address)).toBe('8');
  });

  it('may be one of many that are sent before the first has landed', async () => {
    const address = await aFundedWallet();
    const call = { to: token, data: transferData(somebody, 1_000_000n) };
    const made = await Promise.all(Array.from({ length: 8 }, () => send(address, { call, chain })));
    const ended = await Promise.all(made.map(({ id }) => stack.waitForTransaction(address, id)));
    expect(ended.map(({ status }) => status)).toEqual(made.map(() => 'success'));
    expect(await tokensOf(address)).toBe('2');
  });

  it('is refused when its body has another form', async () => {
    const { address } = await create();
    const call = { to: somebody, data: '0x' };
    const named = { address: token, functionName: 'f', abi: [transferEntry], args: [] };
    const bodies: readonly [object, string, RegExp][] = [
      [{}, 'validation-error', /params\.call/],
      [{ chain }, 'validation-error', /params\.call: is required/],
      [{ call }, 'validation-error', /params\.chain: is required/],
      [{ call, chain: 'nowhere' }, 'chain-not-supported', /nowhere/],
      [{ calls: [call], chain }, 'validation-error', /params\.calls: an mpc wallet makes one call/],
      [{ call, chain, nonce: 1 }, 'validation-error', /nonce/],
      [{ call, chain, signer: 'api-key' }, 'transaction-invalid', /an mpc wallet has no signers/],
      [{ call: { ...call, data: '0x12', value: '1' }, chain }, 'validation-error', /value/],
      [{ call: { ...call, value: '1 eth' }, chain }, 'validation-error', /params\.call\.value/],
      [{ call: { to: somebody, value: '1' }, chain }, 'validation-error', /params\.call\.data/],
      [{ call: { ...named, value: '1' }, chain }, 'validation-error', /value/],
      [{ call: { to: somebody }, chain }, 'validation-error', /params\.call\.data/],
      [{ call: { to: '0x12', data: '0x' }, chain }, 'validation-error', /params\.call\.to/],
      [{ call: { to: somebody, data: '0x1' }, chain }, 'validation-error', /params\.call\.data/],
      [{ call: { ...call, functionName: 'f' }, chain }, 'validation-error', /functionName/],
      [{ call: { transaction: '0x00' }, chain }, 'validation-error', /params\.call/],
      [{ call: named, chain }, 'transaction-invalid', /f/],
      [
        { call: { to: address, data: '0x12345678' }, chain },
        'transaction-invalid',
        /calls the wallet itself or its module/,
      ],
    ];
    for (const [params, code, message] of bodies) {
      const refused = await expectCall(400, 'POST', `${wallets}/${address}/transactions`, {
        body: { params },
      });
      expect([JSON.stringify(params), refused.code, refused.message]).toEqual([
        JSON.stringify(params),
        code,
        expect.stringMatching(message),
      ]);
    }
  });

  it('that would fail is 422 with the reason, before the account was ever used', async () => {
    const { address } = await create();
    const call = { to: token, data: transferData(somebody, 1n) };
    const refused = await expectCall(422, 'POST', `${wallets}/${address}/transactions`, {
      body: { params: { call, chain } },
    });
    expect(refused.error).toMatchObject({
      reason: 'execution_reverted',
      revert: { type: 'contract_call' },
    });
  });

  it('that reverts by the time it is sent has failed, with the reason, and those behind it go on', {
    tags: 'slow',
  }, async () => {
    const address = await aFundedWallet();
    const all = { call: { to: token, data: transferData(somebody, 10_000_000n) }, chain };
    const made = await stack.withoutWorker(async () => [
      await send(address, all),
      await send(address, all),
      await send(address, { call: { to: somebody, data: '0x' }, chain }),
    ]);
    const ended = await Promise.all(made.map(({ id }) => stack.waitForTransaction(address, id)));
    expect(ended.map(({ status }) => status)).toEqual(['success', 'failed', 'success']);
    expect(ended[1]).toMatchObject({
      error: { reason: 'execution_reverted', message: expect.stringMatching(/.+/) },
    });
  });
});

describe('money of an evm mpc wallet', () => {
  it('shows by token and chain, with no collectibles beside it', async () => {
    const address = await aFundedWallet();
    const query = `balances?tokens=usdxm,eth&chains=${chain}`;
    const { nativeToken, tokens } = await expectCall(200, 'GET', `${wallets}/${address}/${query}`);
    expect(nativeToken).toMatchObject({ symbol: 'eth', balance: '0' });
    expect(tokens).toMatchObject([
      {
        symbol: 'usdxm',
        decimals: 6,
        balance: '10000000',
        address: expect.stringMatching(new RegExp(token, 'i')),
        balanceUSD: expect.any(String),
      },
    ]);
    expect(await expectCall(200, 'GET', `${wallets}/${chain}:${address}/nfts`)).toEqual([]);
  });

  it('that comes in shows in its activity', async () => {
    const [sender, { address }] = [await aFundedWallet(), await create()];
    const path = `${wallets}/${sender}/tokens/${chain}:usdxm/transfers`;
    const { id } = await expectCall(201, 'POST', path, {
      body: { recipient: address, amount: '3' },
    });
    const { onChain } = await stack.waitForTransaction(sender, id);
    const query = `transfers?chain=${chain}&status=successful`;
    const events = async () =>
      (await expectCall(200, 'GET', `/unstable/wallets/${address}/${query}`)).data;
    await expect.poll(events, { timeout: 20_000 }).toMatchObject([
      {
        type: 'wallets.transfer.in',
        status: 'succeeded',
        sender: { address: sender, locator: `${chain}:${sender}` },
        recipient: { address, locator: `${chain}:${address}` },
        token: { symbol: 'usdxm', amount: '3' },
        onChain: { txId: onChain.txId },
      },
    ]);
  });
});

describe('a transfer of an evm mpc wallet', () => {
  const transfer = (address: string, locator: string, body: object) =>
    expectCall(201, 'POST', `${wallets}/${address}/tokens/${locator}/transfers`, { body });

  it('moves tokens to an address and to a user, whose wallet is made', async () => {
    const address = await aFundedWallet({ owner: 'userId:pam' });
    const made = await transfer('userId:pam:evm:mpc', `${chain}:usdxm`, {
      recipient: 'userId:quin',
      amount: '4',
    });
    expect(made).toMatchObject({
      walletType: 'mpc',
      status: 'pending',
      sendParams: { params: { amount: '4', recipient: 'userId:quin' } },
    });
    expect(made.params.call).toMatchObject({ address: token, functionName: 'transfer' });
    expect((await stack.waitForTransaction(address, made.id)).status).toBe('success');
    expect(await tokensOf(address)).toBe('6');
    expect(await tokensOf(made.sendParams.params.recipientAddress)).toBe('4');
    const found = await expectCall(
      200,
      'GET',
      `${wallets}/${address}/tokens/${chain}:usdxm/transfers/${made.id}`,
    );
    expect(found).toMatchObject({ id: made.id, status: 'success' });
  });

  it('moves native money, and says so in its activity', async () => {
    const { address } = await create();
    await stack.setNativeBalance(chain, address, 10n ** 18n);
    const made = await transfer(address, `${chain}:eth`, { recipient: somebody, amount: '0.25' });
    expect(made.params.call).toEqual({ to: somebody, value: '250000000000000000', data: '0x' });
    const done = await stack.waitForTransaction(address, made.id);
    expect(done.status).toBe('success');
    expect(BigInt(await stack.chainCall<Hex>(chain, 'eth_getBalance', [address, 'latest']))).toBe(
      75n * 10n ** 16n,
    );
    const events = () =>
      expectCall(
        200,
        'GET',
        `/unstable/wallets/${address}/transfers?chain=${chain}&status=successful`,
      );
    await expect
      .poll(async () => (await events()).data, { timeout: 20_000 })
      .toMatchObject([
        {
          type: 'wallets.transfer.out',
          token: { symbol: 'eth', amount: '0.25' },
          onChain: { txId: done.onChain.txId },
        },
      ]);
  });

  it('has params that can be sent again as a transaction, which then does the same', async () => {
    const address = await aFundedWallet();
    await stack.setNativeBalance(chain, address, 10n ** 18n);
    for (const [symbol, amount] of [
      ['eth', '0.25'],
      ['usdxm', '4'],
    ] as const) {
      const made = await transfer(address, `${chain}:${symbol}`, { recipient: somebody, amount });
      const sent = await send(address, made.params);
      expect([sent.params, sent.onChain]).toEqual([made.params, made.onChain]);
      for (const { id } of [made, sent])
        expect((await stack.waitForTransaction(address, id)).status).toBe('success');
    }
    const native = await stack.chainCall<Hex>(chain, 'eth_getBalance', [address, 'latest']);
    expect([BigInt(native), await tokensOf(address)]).toEqual([5n * 10n ** 17n, '2']);
    const params = { call: { to: somebody, value: `${10n ** 18n}`, data: '0x' }, chain };
    await expectCall(422, 'POST', `${wallets}/${address}/transactions`, { body: { params } });
  });

  it('of more than there is, and by a signer, is refused', async () => {
    const { address } = await create();
    const path = `${wallets}/${address}/tokens/${chain}:usdxm/transfers`;
    expect(
      (await expectCall(400, 'POST', path, { body: { recipient: somebody, amount: '1' } })).code,
    ).toBe('insufficient-balance');
    const signed = await expectCall(400, 'POST', path, {
      body: { recipient: somebody, amount: '1', signer: 'api-key' },
    });
    expect(signed.code).toBe('transaction-invalid');
  });
});

describe('a signature of an evm mpc wallet', () => {
  const sign = (address: string, type: string, params: object, status = 201) =>
    expectCall(status, 'POST', `${wallets}/${address}/signatures`, { body: { type, params } });
  const typedData = {
    domain: { name: 'Mail', version: '1', chainId, verifyingContract: somebody },
    types: {
      Mail: [
        { name: 'text', type: 'string' },
        { name: 'fee', type: 'uint256' },
      ],
    },
    primaryType: 'Mail',
    message: { text: 'hi', fee: '12345678901234567890' },
  };

  it('is the key’s own, at once: messages by EIP-191, typed data by EIP-712, before and after its first transaction', async () => {
    const { address } = await create();
    const hash = hashTypedData({
      ...typedData,
      message: { text: 'hi', fee: 12345678901234567890n },
    } as never);
    for (const round of ['before', 'after']) {
      const message = await sign(address, 'message', { message: `hello ${round}`, chain });
      expect(message).toMatchObject({
        status: 'success',
        walletType: 'mpc',
        approvals: { pending: [], submitted: [] },
      });
      expect(message.params).toEqual({ message: `hello ${round}`, chain });
      expect(message.outputSignature).toMatch(/^0x[0-9a-f]{130}$/);
      expect(
        await recoverMessageAddress({
          message: `hello ${round}`,
          signature: message.outputSignature,
        }),
      ).toBe(address);
      for (const more of [
        {},
        { isSmartWalletSignature: true },
        { isSmartWalletSignature: false },
      ]) {
        const typed = await sign(address, 'typed-data', { typedData, chain, ...more });
        expect(await recoverAddress({ hash, signature: typed.outputSignature })).toBe(address);
      }
      if (round === 'after') break;
      const { id } = await send(address, { call: { to: somebody, data: '0x' }, chain });
      await stack.waitForTransaction(address, id);
    }
    const { signatures } = await expectCall(200, 'GET', `${wallets}/${address}/signatures`);
    expect(signatures).toHaveLength(8);
    const path = `${wallets}/${address}/signatures/${signatures[0].id}`;
    expect(await expectCall(200, 'GET', path)).toEqual(signatures[0]);
    expect(await expectCall(201, 'POST', `${path}/approvals`, { body: { approvals: [] } })).toEqual(
      signatures[0],
    );
  });

  it.each([
    ['digits that look like bytes', '0x68656c6c6f'],
    ['lines and blanks', ' hello\n\tworld \r\n'],
    ['letters of other alphabets', 'Grüße, 世界, 🙂, e\u0301'],
    ['one letter', 'x'],
  ])('is of the text as it was sent: %s', async (_, message) => {
    const { address } = await create();
    const made = await sign(address, 'message', { message, chain });
    expect(made.params.message).toBe(message);
    expect(await recoverMessageAddress({ message, signature: made.outputSignature })).toBe(address);
  });

  it.each([
    ['before its account has code', async () => (await create()).address as string],
    ['after', aDelegatedWallet],
  ])('proves that a linked wallet is the user’s own: %s', async (when, make) => {
    const address = await make();
    const locator = `userId:prover-${when.split(' ', 1)}`;
    const path = `/2025-06-09/users/${locator}/linked-wallets/${address}`;
    const put = (status: number, body: object = {}) =>
      expectCall(status, 'PUT', path, { body: { chain, ...body } });
    const { ownership } = await put(200);
    const message = ownership.verificationChallenge as string;
    expect([ownership.verified, message]).toEqual([false, expect.stringContaining(address)]);
    const other = await sign((await create()).address, 'message', { message, chain });
    expect((await put(400, { proof: other.outputSignature })).code).toBe('invalid-proof');
    const { outputSignature: proof } = await sign(address, 'message', { message, chain });
    expect((await put(200, { proof })).ownership).toEqual({ verified: true });
  });

  /** Whose account its first transaction has delegated. */
  async function aDelegatedWallet(): Promise<string> {
    const { address } = await create();
    const { id } = await send(address, { call: { to: somebody, data: '0x' }, chain });
    await stack.waitForTransaction(address, id);
    const code = await stack.chainCall<string>(chain, 'eth_getCode', [address, 'latest']);
    expect(code).toMatch(/^0xef0100/);
    return address;
  }

  it('is refused when its body has another form', async () => {
    const { address } = await create();
    const bodies: readonly [string, object, string][] = [
      ['message', { message: 'x' }, 'validation-error'],
      ['message', { chain }, 'validation-error'],
      ['message', { message: 'x', chain: 'nowhere' }, 'chain-not-supported'],
      ['message', { message: 'x', chain, signer: 'api-key' }, 'transaction-invalid'],
      ['typed-data', { chain }, 'validation-error'],
      [
        'typed-data',
        { chain, typedData: { ...typedData, domain: { ...typedData.domain, chainId: 1 } } },
        'validation-error',
      ],
      ['auth-entries', { authorizationEntries: [] }, 'signature-type-not-supported'],
    ];
    for (const [type, params, code] of bodies)
      expect([JSON.stringify(params), (await sign(address, type, params, 400)).code]).toEqual([
        JSON.stringify(params),
        code,
      ]);
  });
});

// Supplement, section 19: the points that a wallet without signers has, beside 1, 5 and 10 above.
describe('what existing clients rely on', () => {
  it('2: every refusal is JSON, and none is a 5xx', async () => {
    const { address } = await create();
    const wallet = `${wallets}/${address}`;
    const transfers = `${wallet}/tokens/${chain}:usdxm/transfers`;
    const signer = `external-wallet:${somebody}`;
    const refused = [
      await stack.call('PATCH', wallet),
      await stack.call('GET', wallet, { key: 'sk_live_old' }),
      await stack.call('POST', wallets, { body: '{"chainType":"evm","type":"mpc"' }),
      await stack.call('POST', transfers, { body: { recipient: somebody, amount: 'all' } }),
      await stack.call('POST', transfers, { body: { recipient: 'nobody', amount: '1' } }),
      await stack.call('POST', `${wallet}/transactions`, { body: { params: { call: {}, chain } } }),
      await stack.call('POST', `${wallet}/signatures`, {
        body: { type: 'typed-data', params: { chain, typedData: 1 } },
      }),
      await stack.call('POST', `${wallet}/signers`, { body: { signer, chain } }),
      await stack.call('DELETE', `${wallet}/signers/${encodeURIComponent(signer)}?chain=${chain}`),
    ];
    for (const { status, headers, body } of refused)
      expect([
        status >= 400 && status < 500,
        headers.get('content-type'),
        body.error,
        typeof body.message,
      ]).toEqual([true, expect.stringContaining('application/json'), true, 'string']);
  });

  it('7, 8: a wallet has the owner and family that were asked for, also when it was there; a transfer is polled to its end', async () => {
    const owner = 'userId:nineteen';
    const address = await aFundedWallet({ owner });
    for (const path of [wallets, `${wallets}/${address}`]) {
      const body = { chainType: 'evm', type: 'mpc', owner };
      const found = await expectCall(200, path === wallets ? 'POST' : 'GET', path, {
        ...(path === wallets && { body }),
      });
      expect(found).toMatchObject({ ...body, address });
    }
    const path = `${wallets}/${address}/tokens/${chain}:usdxm/transfers`;
    const sent = await expectCall(201, 'POST', path, {
      body: { recipient: somebody, amount: '1' },
    });
    const read = () => expectCall(200, 'GET', `${wallets}/${address}/transactions/${sent.id}`);
    await expect
      .poll(async () => (await read()).status, { interval: 500, timeout: 60_000 })
      .toBe('success');
    expect((await read()).onChain.txId).toMatch(/^0x[0-9a-f]{64}$/);
  });
});
