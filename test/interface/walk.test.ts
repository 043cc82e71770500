import { encodeFunctionData, type Hex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Stack, startStack } from '../harness/stack.ts';
import { type Body, expectedCalls, wallets } from './expected-calls.ts';

// What a client meets that was written from the two documents alone: balances, calls of
// transactions, signers, names and paths.

const chain = 'base-sepolia';
const anAccount = () => privateKeyToAccount(generatePrivateKey());
const somebody = '0x000000000000000000000000000000000000bEEF';
const publicKey = {
  x: '48439561293906451759052585252797914202762949526041747995844080717082404635286',
  y: '36134250956749795798585127919587881956611106672985015071877198253568414405109',
};

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ vault: true });
});
afterAll(() => stack?.close());

const { expectCall } = expectedCalls((...call) => stack.call(...call));
const createWallet = (config: object, more: object = {}) =>
  expectCall(201, 'POST', wallets, { body: { chainType: 'evm', type: 'smart', config, ...more } });
const externalWallet = (address: string = anAccount().address) => ({
  type: 'external-wallet',
  address,
});

async function approve(
  account: ReturnType<typeof anAccount>,
  path: string,
  object: Body,
): Promise<Body> {
  const { signer, message } = object.approvals.pending[0] as { signer: Body; message: Hex };
  const signature = await account.signMessage({ message: { raw: message } });
  // The signer as the answer has it.
  return expectCall(201, 'POST', `${path}/approvals`, {
    body: { approvals: [{ signer, signature }] },
  });
}

describe('balances', () => {
  const symbolsOf = (tokens: Body) => tokens.map(({ symbol }: { symbol: string }) => symbol);
  let address: string;
  const read = (query: string, headers?: Record<string, string>) =>
    expectCall(200, 'GET', `${wallets}/${address}/balances?${query}`, headers ? { headers } : {});
  beforeAll(async () => {
    ({ address } = await createWallet({ adminSigner: { type: 'api-key' } }));
  });

  it('of a known symbol are answered before and after the wallet was used on a chain that does not have it', {
    tags: 'slow',
  }, async () => {
    expect((await read('tokens=eth')).nativeToken).toMatchObject({
      symbol: 'eth',
      decimals: 18,
      balance: '0',
    });
    const calls = [{ to: somebody, value: '0', data: '0x' }];
    const used = await expectCall(201, 'POST', `${wallets}/${address}/transactions`, {
      body: { params: { chain: 'polygon-amoy', calls } },
    });
    await stack.waitForTransaction(address, used.id);
    const after = await read('tokens=eth');
    expect(after.nativeToken.symbol).toBe('pol');
    expect(after.tokens).toEqual([
      { symbol: 'eth', decimals: 18, balance: '0', balanceUSD: '0', chain: 'polygon-amoy' },
    ]);
    const list = await read('tokens=eth', { 'x-client-name': 'some-sdk' });
    expect(list).toMatchObject([
      {
        symbol: 'eth',
        amount: '0',
        rawAmount: '0',
        chains: { 'polygon-amoy': { rawAmount: '0' } },
      },
    ]);
  });

  it('list the native tokens of other chains under tokens', { tags: 'slow' }, async () => {
    await stack.setNativeBalance('polygon-amoy', address, 5n);
    const { nativeToken, tokens } = await read(`tokens=usdc&chains=${chain},polygon-amoy`);
    expect(nativeToken.symbol).toBe('eth');
    expect(tokens).toContainEqual(
      expect.objectContaining({ symbol: 'pol', balance: '5', chain: 'polygon-amoy' }),
    );
  });

  it('name an unknown symbol without failing the rest', async () => {
    const object = await read(`tokens=doge,usdc&chains=${chain}`);
    expect([object.unknownSymbols, symbolsOf(object.tokens)]).toEqual([['doge'], ['usdc']]);
    const list = await read(`tokens=doge,usdc&chains=${chain}`, { 'x-client-name': 'some-sdk' });
    expect(list).toMatchObject([
      { symbol: 'usdc' },
      { symbol: 'doge', decimals: 0, amount: '0', rawAmount: '0', chains: {} },
    ]);
    const refused = await expectCall(400, 'GET', `${wallets}/${address}/balances?tokens=doge`);
    expect([refused.code, refused.message]).toEqual([
      'token-not-supported',
      expect.stringContaining('"doge"'),
    ]);
  });
});

describe('the call of a transaction', () => {
  const transferEntry = {
    type: 'function',
    name: 'transfer',
    inputs: [
      { name: 'to', type: 'address' },
      { name: 'amount', type: 'uint256' },
    ],
  };

  it('of a signer removal stands in params and onChain, decoded, beside calls and userOperation', async () => {
    const [owner, helper] = [anAccount(), anAccount()];
    const { address } = await createWallet({
      adminSigner: externalWallet(owner.address),
      delegatedSigners: [{ signer: `external-wallet:${helper.address}` }],
    });
    const signer = encodeURIComponent(`external-wallet:${helper.address}`);
    const removal = await expectCall(
      200,
      'DELETE',
      `${wallets}/${address}/signers/${signer}?chain=${chain}`,
    );
    const { params, onChain } = removal;
    expect(params).toMatchObject({
      chain,
      call: {
        address: expect.stringMatching(/^0x[0-9a-fA-F]{40}$/),
        functionName: 'removeSigner',
        abi: [
          {
            type: 'function',
            name: 'removeSigner',
            inputs: [{ name: 'signerId', type: 'bytes32' }],
          },
        ],
        args: [expect.stringMatching(/^0x[0-9a-f]{64}$/)],
      },
    });
    expect(params.calls).toEqual([params.call]);
    expect(onChain.call).toEqual({
      to: params.call.address,
      data: encodeFunctionData(params.call),
    });
    expect(onChain.userOperation.callData).toContain(onChain.call.data.slice(2));
    const path = `${wallets}/${address}/transactions/${removal.id}`;
    await approve(owner, path, removal);
    expect(await stack.waitForTransaction(address, removal.id)).toMatchObject({
      status: 'success',
      params,
      onChain: { call: onChain.call },
    });
    expect(
      Object.keys((await expectCall(200, 'GET', `${wallets}/${address}/signers/${signer}`)).chains),
    ).not.toContain(chain);
  });

  it('may be sent as params.call, and means the same as the only one of calls', async () => {
    const { address } = await createWallet({ adminSigner: externalWallet() });
    const token = await stack.tokenAddress(chain, 'usdxm');
    const call = {
      address: token,
      functionName: 'transfer',
      abi: [transferEntry],
      args: [somebody, '0'],
    };
    const path = `${wallets}/${address}/transactions`;
    const single = await expectCall(201, 'POST', path, { body: { params: { chain, call } } });
    const listed = await expectCall(201, 'POST', path, {
      body: { params: { chain, calls: [call] } },
    });
    expect(single.params).toEqual(listed.params);
    expect(single.params).toMatchObject({ call, calls: [call] });
    expect(single.onChain.call).toEqual({
      to: token,
      data: expect.stringMatching(/^0xa9059cbb[0-9a-f]{128}$/),
    });
    expect(await expectCall(200, 'GET', `${path}/${single.id}`)).toEqual(single);
  });

  it('is absent where there are several calls, and both ways of sending are refused together', async () => {
    const { address } = await createWallet({ adminSigner: externalWallet() });
    const path = `${wallets}/${address}/transactions`;
    const raw = { to: somebody, value: '0', data: '0x' };
    const several = await expectCall(201, 'POST', path, {
      body: { params: { chain, calls: [raw, raw] } },
    });
    expect([several.params.calls, 'call' in several.params, 'call' in several.onChain]).toEqual([
      [raw, raw],
      false,
      false,
    ]);
    const refused = await expectCall(400, 'POST', path, {
      body: { params: { chain, call: raw, calls: [raw] } },
    });
    expect([refused.code, refused.message]).toEqual([
      'validation-error',
      expect.stringContaining('has both "call" and "calls"'),
    ]);
  });
});

describe('a signer of an answer', () => {
  const server = { type: 'server', address: anAccount().address.toLowerCase() };
  const email = { type: 'email', email: 'Walk.Er@googlemail.com' };
  const phone = { type: 'phone', phone: '+14155550123' };
  const passkey = { type: 'passkey', id: 'walk', name: 'Laptop', publicKey };

  it.each([
    ['external-wallet', externalWallet()],
    ['server', server],
    ['api-key', { type: 'api-key' }],
    ['email', email],
    ['phone', phone],
    ['passkey', passkey],
  ])('is accepted as the %s admin signer of another wallet', async (_, adminSigner) => {
    const first = await createWallet({ adminSigner });
    const again = await createWallet({ adminSigner: first.config.adminSigner });
    expect(again.config).toEqual(first.config);
    expect(again.address).not.toBe(first.address);
  });

  it('is accepted as a quorum with its members, as recovery method and as admin signer', async () => {
    const quorum = {
      type: 'quorum',
      threshold: 2,
      members: [email, phone, passkey, externalWallet()],
    };
    const { config } = await createWallet({ recoveryMethods: [quorum] });
    const { locator: _, ...answered } = config.adminSigner;
    for (const sent of [
      { recoveryMethods: config.recoveryMethods },
      { adminSigner: config.adminSigner },
      config,
    ])
      expect((await createWallet(sent)).config.recoveryMethods).toEqual([
        { ...answered, locator: expect.stringMatching(/^quorum:/) },
      ]);
  });

  it('is accepted as a delegated signer, with its terms, at creation and when it is added', async () => {
    const expiresAt = new Date(stack.ctx.clock.now().getTime() + 3_600_000).toISOString();
    const device = { type: 'device', publicKey, name: 'Phone' };
    const delegatedSigners = [
      { signer: server, expiresAt },
      { signer: email },
      { signer: phone },
      { signer: device },
    ];
    const first = await createWallet({ adminSigner: externalWallet(), delegatedSigners });
    const answered = first.config.delegatedSigners as Body[];
    expect(answered[0]).toMatchObject({ expiresAt, locator: `server:${answered[0].address}` });
    const again = await createWallet({
      adminSigner: externalWallet(),
      delegatedSigners: answered.map((signer) => ({ signer })),
    });
    expect(again.config.delegatedSigners).toEqual(answered);
    const { address } = await createWallet({ adminSigner: { type: 'api-key' } });
    const scopes = [
      { type: 'transfer', tokenLocator: `${chain}:usdxm`, spendingLimit: { amount: '5' } },
    ];
    const added = await expectCall(201, 'POST', `${wallets}/${address}/signers`, {
      body: { signer: passkey, chain, scopes, expiresAt },
    });
    const other = await createWallet({ adminSigner: { type: 'api-key' } });
    const copied = await expectCall(201, 'POST', `${wallets}/${other.address}/signers`, {
      body: { signer: added, chain },
    });
    expect(copied).toMatchObject({ locator: 'passkey:walk', expiresAt, scopes });
    const refused = await expectCall(400, 'POST', `${wallets}/${address}/signers`, {
      body: { signer: added, chain, scopes: [{ type: 'transfer', tokenLocator: `${chain}:usdc` }] },
    });
    expect(refused.message).toContain('signer.scopes');
  });

  it('approves a change of signers where a locator would', async () => {
    const { address, config } = await createWallet({
      recoveryMethods: [externalWallet(), { type: 'api-key' }],
    });
    const added = await expectCall(201, 'POST', `${wallets}/${address}/signers`, {
      body: { signer: externalWallet(), chain, approver: config.recoveryMethods[0] },
    });
    expect(added.chains[chain].approvals.pending[0].signer.locator).toBe(
      config.adminSigner.locator,
    );
  });

  it('acts where a locator would', async () => {
    const owner = anAccount();
    const { address, config } = await createWallet({ adminSigner: externalWallet(owner.address) });
    const signed = await expectCall(201, 'POST', `${wallets}/${address}/signatures`, {
      body: { type: 'message', params: { chain, message: 'hi', signer: config.adminSigner } },
    });
    expect(signed.params.signer).toEqual(config.adminSigner);
    const again = await expectCall(201, 'POST', `${wallets}/${address}/signatures`, {
      body: { type: 'message', params: signed.params },
    });
    expect(
      (await approve(owner, `${wallets}/${address}/signatures/${again.id}`, again)).status,
    ).toBe('success');
  });
});

describe('names and paths', () => {
  it('of chains: signers are removed on the documented ones only, and avalanche stands for avalanche-fuji', async () => {
    const helper = `external-wallet:${anAccount().address}`;
    const { address } = await createWallet({
      adminSigner: { type: 'api-key' },
      delegatedSigners: [{ signer: helper }],
    });
    const path = `${wallets}/${address}/signers/${encodeURIComponent(helper)}`;
    for (const name of ['hedera-testnet', 'bsc-testnet', 'soneium-minato-testnet']) {
      const { code, message } = await expectCall(400, 'DELETE', `${path}?chain=${name}`);
      expect([code, message]).toEqual([
        'chain-not-supported',
        expect.stringContaining('avalanche-fuji, base-sepolia'),
      ]);
    }
    const removal = await expectCall(200, 'DELETE', `${path}?chain=avalanche`);
    expect(removal.params.chain).toBe('avalanche-fuji');
  });

  it('of every route may end with a slash, on both hosts', async () => {
    const created = await expectCall(201, 'POST', `${wallets}/`, {
      body: {
        chainType: 'evm',
        type: 'smart',
        owner: 'userId:slash',
        config: { adminSigner: { type: 'api-key' } },
      },
    });
    expect(await expectCall(200, 'GET', `${wallets}/${created.address}/`)).toEqual(created);
    await expectCall(200, 'GET', `${wallets}/${created.address}/balances/?tokens=usdc`);
    expect(
      (await stack.call('PATCH', `${wallets}/${created.address}/`)).headers.get('allow'),
    ).toContain('GET');
    const jwt = await stack.api.userJwt('slash');
    expect(
      await expectCall(200, 'GET', '/unstable/agent-checkouts/', { key: stack.api.clientKey, jwt }),
    ).toMatchObject({ data: [] });
    const listed = await stack.vault!.call(
      'GET',
      '/unstable/payment-methods/?userLocator=userId:slash',
      { key: stack.api.serverKey },
    );
    expect([listed.status, listed.body.data]).toEqual([200, []]);
  });
});

describe('orders and profiles', () => {
  const onramp = (walletAddress: string) => ({
    recipient: { walletAddress },
    payment: { method: 'card', receiptEmail: 'walker@example.com' },
    lineItems: [
      { tokenLocator: `${chain}:usdxm`, executionParameters: { mode: 'exact-in', amount: '5' } },
    ],
  });

  it('have a picture in the metadata of each line item', async () => {
    const { address } = await createWallet({ adminSigner: { type: 'api-key' } });
    const { order } = await expectCall(201, 'POST', '/2022-06-09/orders', {
      body: { ...onramp(address), state: 'draft' },
    });
    const { metadata } = order.lineItems[0];
    expect(metadata).toMatchObject({ name: expect.any(String), description: expect.any(String) });
    const picture = await fetch(metadata.imageUrl);
    expect([picture.headers.get('content-type'), await picture.text()]).toEqual([
      expect.stringMatching(/^image\//),
      expect.stringContaining('USDXM'),
    ]);
  });

  it('of a client are read with the secret of the order beside a client key, and not with the secret alone', async () => {
    const { address } = await createWallet({ adminSigner: { type: 'api-key' } });
    const { clientSecret, order } = await expectCall(201, 'POST', '/2022-06-09/orders', {
      body: onramp(address),
    });
    const path = `/2022-06-09/orders/${order.orderId}`;
    const headers = { authorization: clientSecret };
    const byKey = await expectCall(200, 'GET', path);
    expect(await expectCall(200, 'GET', path, { key: stack.api.clientKey, headers })).toEqual(
      byKey,
    );
    expect((await expectCall(401, 'GET', path, { key: stack.api.clientKey })).message).toContain(
      'Authorization: <clientSecret>',
    );
    expect(await expectCall(401, 'GET', path, { key: null, headers })).toEqual({
      error: true,
      message: expect.stringContaining('X-API-KEY'),
    });
  });

  it('of a browser are created without a body', async () => {
    const options = { key: stack.api.clientKey, jwt: await stack.api.userJwt('walker') };
    const profile = await expectCall(
      201,
      'POST',
      '/unstable/agent-checkouts/browser-profiles',
      options,
    );
    expect(profile).not.toHaveProperty('label');
    expect(
      await expectCall(
        200,
        'GET',
        `/unstable/agent-checkouts/browser-profiles/${profile.id}`,
        options,
      ),
    ).toEqual(profile);
  });
});
