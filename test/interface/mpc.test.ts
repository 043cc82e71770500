import { Keypair } from '@stellar/stellar-sdk/base';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newAddress as newSolanaAddress } from '../../src/chains/solana/testing/world.ts';
import { newSuiAddress } from '../../src/chains/sui/testing/bed.ts';
import { type Stack, startStack } from '../harness/stack.ts';
import { type Body, expectedCalls } from './expected-calls.ts';
import { mpcChains } from './mpc-chains.ts';
import { aSignIn, signedEntry, writeEntries } from './stellar-entries.ts';

// Wallets of type mpc: supplement, sections 1, 4 to 7, 9, 10 and 19. Those of evm, which are on
// many chains, have a file of their own.

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ families: mpcChains.map(({ chainType }) => chainType) });
});
afterAll(() => stack?.close());

const { expectWallets: expectCall } = expectedCalls((...call) => stack.call(...call));

describe.each(mpcChains)('on $chainType', (chain) => {
  // One family stands for the others in what takes seconds on each.
  const tags = chain.chainType === 'sui' ? [] : ['slow'];
  const { chainType, native } = chain;
  const create = (more: object = {}, status = 201) =>
    expectCall(status, 'POST', '', { chainType, type: 'mpc', ...more });

  async function fund(address: string, amount = 50): Promise<void> {
    const body = { amount, token: 'usdxm', chain: chainType };
    const answer = await stack.call('POST', `/v1-alpha2/wallets/${address}/balances`, { body });
    expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
  }

  const transfer = (
    wallet: string,
    recipient: string,
    amount: string,
    token = 'usdxm',
    status = 201,
  ) =>
    expectCall(status, 'POST', `/${wallet}/tokens/${chainType}:${token}/transfers`, {
      recipient,
      amount,
    });

  async function balanceOf(address: string, token: string): Promise<Body> {
    const path = `/2025-06-09/wallets/${address}/balances?tokens=${token}&chains=${chainType}`;
    const { status, body } = await stack.call('GET', path, {
      headers: { 'x-client-name': 'test' },
    });
    expect(status).toBe(200);
    return body.find((one: Body) => one.symbol === token);
  }
  const amountOf = async (address: string, token = 'usdxm'): Promise<string> =>
    (await balanceOf(address, token)).amount;
  const minorOf = async (address: string): Promise<bigint> =>
    BigInt((await balanceOf(address, native)).rawAmount);
  /** What an address has of the native token after a gift, once its chain shows it as final. */
  const given = async (address: string): Promise<bigint> => {
    await chain.giveNative(stack, address);
    await expect.poll(() => minorOf(address)).toBeGreaterThan(0n);
    return minorOf(address);
  };

  describe('wallets', () => {
    it('of type mpc are made for every form of owner, and their config is ignored and empty', async () => {
      for (const owner of [
        undefined,
        `email:${chainType}-mpc@example.com`,
        `userId:${chainType}-mpc`,
        'phoneNumber:+14155550123',
        `twitter:${chainType}_mpc`,
        `x:${chainType}_x`,
        'COMPANY',
      ]) {
        const wallet = await create({
          ...(owner === undefined ? {} : { owner }),
          config: { nonsense: 1 },
        });
        expect(wallet).toMatchObject({
          chainType,
          type: 'mpc',
          config: {},
          ...(owner === undefined ? {} : { owner }),
        });
        expect(wallet.address).toMatch(chain.address);
        expect(await expectCall(200, 'GET', `/${wallet.address}`)).toEqual(wallet);
      }
    });

    it('are of type mpc unless another is named where there is no other, which is refused with the code of the supplement', async ({
      skip,
    }) => {
      if (!chain.isOnlyType) skip('there are smart wallets too, which are the default');
      expect(await expectCall(201, 'POST', '', { chainType })).toMatchObject({ type: 'mpc' });
      expect(
        await expectCall(200, 'GET', `/email:${chainType}-mpc@example.com:${chainType}`),
      ).toMatchObject({ chainType });
      for (const more of [{}, { config: { adminSigner: { type: 'api-key' } } }])
        expect(await create({ type: 'smart', ...more }, 400)).toMatchObject({
          error: true,
          code: 'WALLET_TYPE_NOT_SUPPORTED',
        });
    });

    it('are each a key of their own, and one for the same owner and alias', async () => {
      const [one, other] = [await create(), await create()];
      expect(one.address).not.toBe(other.address);
      const owner = `email:${chainType}-same@example.com`;
      const mine = await create({ owner });
      expect(await create({ owner }, 200)).toEqual(mine);
      const named = await create({ owner, alias: 'savings' });
      expect(named.address).not.toBe(mine.address);
      expect(await expectCall(200, 'GET', `/${owner}:${chainType}:mpc`)).toMatchObject({
        address: mine.address,
      });
      expect(
        await expectCall(200, 'GET', `/${owner}:${chainType}:mpc:alias:savings`),
      ).toMatchObject({ address: named.address });
    });

    it('belong to the user of a client key, who uses them as me, and to nobody else', async () => {
      const user = { key: stack.api.clientKey, jwt: await stack.api.userJwt(`${chainType}-ned`) };
      const made = await stack.call('POST', '/2025-06-09/wallets/me', {
        ...user,
        body: { chainType, type: 'mpc' },
      });
      expect([made.status, made.body]).toMatchObject([
        201,
        { owner: `userId:${chainType}-ned`, type: 'mpc', config: {} },
      ]);
      const mine = await stack.call(
        'GET',
        `/2025-06-09/wallets/me:${chainType}${chain.isOnlyType ? '' : ':mpc'}`,
        user,
      );
      expect(mine.body).toEqual(made.body);
      const stranger = { ...user, jwt: await stack.api.userJwt(`${chainType}-oda`) };
      expect(
        (await stack.call('GET', `/2025-06-09/wallets/${made.body.address}`, stranger)).status,
      ).toBe(404);
      const body = { recipient: chain.freshAddress(), amount: '1' };
      const taken = await stack.call(
        'POST',
        `/2025-06-09/wallets/${made.body.address}/tokens/${chainType}:usdxm/transfers`,
        {
          ...stranger,
          body,
        },
      );
      expect([taken.status, taken.body.code]).toEqual([404, 'wallet-not-found']);
    });

    it('have no signers to add, to read or to remove', async () => {
      const { address } = await create();
      const signer = `external-wallet:${chain.freshAddress()}`;
      expect((await expectCall(400, 'POST', `/${address}/signers`, { signer })).code).toBe(
        'WALLET_TYPE_NOT_SUPPORTED',
      );
      const path = `/${address}/signers/${encodeURIComponent(signer)}`;
      await expectCall(404, 'GET', path);
      expect((await expectCall(400, 'DELETE', path)).code).toBe('signer-not-removable');
    });

    it('show the token with its address and the native one beside it, in both forms, and no collectibles', {
      tags,
    }, async () => {
      const { address } = await create();
      await fund(address, 7);
      const query = `/balances?tokens=usdxm,${native}&chains=${chainType}`;
      const { nativeToken, tokens } = await expectCall(200, 'GET', `/${address}${query}`);
      expect(nativeToken).toMatchObject({
        symbol: native,
        balance: '0',
        balanceUSD: expect.any(String),
      });
      expect(tokens).toMatchObject([
        {
          symbol: 'usdxm',
          decimals: chain.decimals,
          address: expect.any(String),
          balanceUSD: expect.any(String),
        },
      ]);
      const list = await stack.call('GET', `/2025-06-09/wallets/${address}${query}`, {
        headers: { 'x-client-name': 'test' },
      });
      const held = list.body.find(({ symbol }: Body) => symbol === 'usdxm').chains[chainType];
      expect(held).toMatchObject({
        locator: `${chainType}:usdxm`,
        amount: '7',
        rawAmount: tokens[0].balance,
      });
      expect(held[chain.tokenAddressField]).toBe(tokens[0].address);
      expect(await expectCall(200, 'GET', `/${chainType}:${address}/nfts`)).toEqual([]);
    });
  });

  describe('transfers', () => {
    it('of a token go to somebody who has none, and the service pays for everything', {
      tags: 'slow',
    }, async () => {
      const [wallet, recipient] = [await create(), chain.freshAddress()];
      await fund(wallet.address);
      expect(await amountOf(wallet.address)).toBe('50');
      const created = await transfer(wallet.address, recipient, '12.5');
      expect(created).toMatchObject({
        chainType,
        walletType: 'mpc',
        onChain: expect.any(Object),
        sendParams: {
          token: `${chainType}:usdxm`,
          params: { amount: '12.5', recipientAddress: recipient },
        },
      });
      const done = await stack.waitForTransaction(wallet.address, created.id);
      expect(done).toMatchObject({
        status: 'success',
        onChain: { txId: expect.stringMatching(chain.txId) },
      });
      expect(done).not.toHaveProperty('error');
      expect(await amountOf(wallet.address)).toBe('37.5');
      expect(done.fees).toMatchObject({ mode: 'project', actual: { token: native } });
    });

    it('of native money go to somebody who is named by an e-mail address, whose wallet is made when there is none', {
      tags,
    }, async () => {
      const [wallet, friend] = [await create(), `email:${chainType}-friend@example.com`];
      const before = await given(wallet.address);
      const created = await transfer(wallet.address, friend, chain.firstAmount, native);
      expect(await stack.waitForTransaction(wallet.address, created.id)).toMatchObject({
        status: 'success',
      });
      const { address, type } = await expectCall(
        200,
        'GET',
        `/${friend}:${chainType}:${chain.recipientType}`,
      );
      expect([type, address]).toEqual([
        chain.recipientType,
        created.sendParams.params.recipientAddress,
      ]);
      expect(created.sendParams.params.recipient).toBe(friend);
      expect(await amountOf(address, native)).toBe(chain.firstAmount);
      expect(await minorOf(wallet.address)).toBe(before - (await minorOf(address)));
      const path = `/${wallet.address}/tokens/${chainType}:${native}/transfers/${created.id}`;
      expect(await expectCall(200, 'GET', path)).toMatchObject({
        id: created.id,
        status: 'success',
      });
      for (const name of chain.nativeNames ?? [])
        await expectCall(200, 'GET', path.replace(`:${native}/`, `:${name}/`));
      await expectCall(404, 'GET', path.replace(`:${native}/`, ':usdxm/'));
    });

    it('without the means are insufficient-balance, and to no address are refused', {
      tags,
    }, async () => {
      const wallet = await create();
      await fund(wallet.address, 1);
      // More than 64 bits hold, too.
      for (const amount of ['2', '1000000000000000']) {
        const poor = await transfer(wallet.address, chain.freshAddress(), amount, 'usdxm', 400);
        expect(poor).toMatchObject({ code: 'insufficient-balance', error: true });
      }
      for (const recipient of [...chain.badRecipients, 'nobody'])
        await transfer(wallet.address, recipient, '1', 'usdxm', 400);
    });

    it('with one idempotency key happen once', { tags }, async () => {
      const [wallet, recipient] = [await create(), chain.freshAddress()];
      await fund(wallet.address, 5);
      const path = `/2025-06-09/wallets/${wallet.address}/tokens/${chainType}:usdxm/transfers`;
      const headers = { 'x-idempotency-key': `${chainType}-${wallet.address}` };
      const send = () => stack.call('POST', path, { body: { recipient, amount: '2' }, headers });
      const [first, second] = [await send(), await send()];
      expect(second.body.id).toBe(first.body.id);
      await stack.waitForTransaction(wallet.address, first.body.id);
      expect(await amountOf(wallet.address)).toBe('3');
    });
  });

  describe('transactions', () => {
    it('are sent as the caller wrote them, with what pays and ends them of the service', {
      tags,
    }, async () => {
      const [wallet, recipient] = [await create(), await create()];
      const before = await given(wallet.address);
      const asked = {
        wallet: wallet.address,
        recipient: recipient.address,
        amountMinor: chain.amountMinor,
      };
      const params = await chain.nativeTransfer(stack, asked);
      const created = await expectCall(201, 'POST', `/${wallet.address}/transactions`, { params });
      expect(created.params).toMatchObject(params);
      const done = await stack.waitForTransaction(wallet.address, created.id);
      expect(done.status).toBe('success');
      expect([await minorOf(recipient.address), await minorOf(wallet.address)]).toEqual([
        chain.amountMinor,
        before - chain.amountMinor,
      ]);
      await chain.check?.(stack, { wallet: wallet.address, created, done });
    });

    it('are listed newest first, and an empty list of approvals changes nothing', {
      tags,
    }, async () => {
      const { address } = await create();
      await given(address);
      const all: Body[] = [];
      for (let which = 0; which < 3; which++) {
        const asked = {
          wallet: address,
          recipient: chain.freshAddress(),
          amountMinor: chain.amountMinor,
          which,
        };
        all.push(await chain.nativeTransfer(stack, asked));
      }
      const ids: string[] = [];
      for (const params of all)
        ids.unshift((await expectCall(201, 'POST', `/${address}/transactions`, { params })).id);
      const { transactions } = await expectCall(
        200,
        'GET',
        `/${address}/transactions?page=1&perPage=10`,
      );
      expect(transactions.map(({ id }: Body) => id)).toEqual(ids);
      for (const id of ids)
        expect((await stack.waitForTransaction(address, id)).status).toBe('success');
      expect(
        await expectCall(201, 'POST', `/${address}/transactions/${ids[0]}/approvals`, {
          approvals: [],
        }),
      ).toMatchObject({
        id: ids[0],
        status: 'success',
      });
    });

    it('that would fail are 422 with what the chain says, and those of another form, wallet, network or signer 400', async () => {
      const { address } = await create();
      await given(address);
      const path = `/${address}/transactions`;
      const of = (wallet: string, amountMinor = chain.amountMinor) =>
        chain.nativeTransfer(stack, { wallet, recipient: chain.freshAddress(), amountMinor });
      const poor = await expectCall(422, 'POST', path, {
        params: await of(address, chain.tooMuchMinor),
      });
      expect(poor.error).toMatchObject({
        reason: 'program_error',
        message: expect.stringMatching(/.+/),
      });
      expect(poor.message).toBe(poor.error.message);
      const good = await of(address);
      for (const params of [
        {},
        ...chain.badParams,
        await of(chain.freshAddress()),
        { ...good, requiredSigners: [`external-wallet:${chain.freshAddress()}`] },
        { ...good, signer: `external-wallet:${chain.freshAddress()}` },
        { ...good, chain: chainType },
      ])
        await expectCall(400, 'POST', path, { params });
    });
  });

  describe('what comes in', () => {
    it('shows in the activity of the wallet, with the address of its token', { tags }, async () => {
      const [wallet, other] = [await create(), await create()];
      await fund(wallet.address, 10);
      const created = await transfer(wallet.address, other.address, '3');
      const { onChain } = await stack.waitForTransaction(wallet.address, created.id);
      const path = `/unstable/wallets/${other.address}/transfers?chain=${chainType}&status=successful`;
      const events = async () => (await stack.call('GET', path)).body.data as Body[];
      await expect.poll(async () => (await events()).length, { timeout: 20_000 }).toBe(1);
      expect((await events())[0]).toMatchObject({
        type: 'wallets.transfer.in',
        status: 'succeeded',
        sender: { address: wallet.address },
        token: {
          locator: `${chainType}:usdxm`,
          amount: '3',
          decimals: chain.decimals,
          chain: chainType,
          [chain.tokenAddressField]: expect.any(String),
        },
        onChain: { txId: onChain.txId },
      });
    });
  });

  // Supplement, section 19: the points that a wallet without signers has.
  describe('what existing clients rely on', () => {
    it('1, 5, 7, 8, 10: no success has a key `error`; a transfer advances alone, is polled, and ends with onChain.txId', {
      tags,
    }, async () => {
      const owner = `userId:${chainType}-nineteen`;
      const made = await create({ owner });
      expect([made.owner, made.chainType]).toEqual([owner, chainType]);
      await fund(made.address);
      const sent = await transfer(made.address, chain.freshAddress(), '1');
      expect(sent).not.toHaveProperty('message');
      expect(sent.approvals.pending).toEqual([]);
      const path = `/${made.address}/transactions/${sent.id}`;
      const bodies = [made, await create({ owner }, 200), sent, await expectCall(200, 'GET', path)];
      let done: Body;
      await expect
        .poll(async () => (done = await expectCall(200, 'GET', path)).status, {
          interval: 500,
          timeout: 60_000,
        })
        .toBe('success');
      expect(done!.onChain.txId).toMatch(chain.txId);
      bodies.push(
        done!,
        await expectCall(200, 'GET', `/${made.address}/balances?tokens=usdxm&chains=${chainType}`),
      );
      for (const body of bodies) expect(Object.keys(body)).not.toContain('error');
    });

    it('2: every refusal is JSON, and none is a 5xx', async () => {
      const { address } = await create();
      const wallet = `/2025-06-09/wallets/${address}`;
      const transfers = `${wallet}/tokens/${chainType}:usdxm/transfers`;
      const signer = `external-wallet:${chain.freshAddress()}`;
      const refused = [
        await stack.call('PATCH', wallet),
        await stack.call('GET', wallet, { key: 'sk_live_old' }),
        await stack.call('POST', transfers, {
          body: { recipient: chain.freshAddress(), amount: 'all' },
        }),
        await stack.call('POST', transfers, { body: { recipient: 'nobody', amount: '1' } }),
        await stack.call('POST', `${wallet}/transactions`, {
          body: { params: { calls: [{}], transaction: '!' } },
        }),
        await stack.call('POST', `${wallet}/signatures`, {
          body: { type: 'typed-data', params: { typedData: 1 } },
        }),
        await stack.call('POST', `${wallet}/signers`, { body: { signer } }),
        await stack.call('DELETE', `${wallet}/signers/${encodeURIComponent(signer)}`),
      ];
      for (const { status, headers, body } of refused)
        expect([
          status >= 400 && status < 500,
          headers.get('content-type'),
          body.error,
          typeof body.message,
        ]).toEqual([true, expect.stringContaining('application/json'), true, 'string']);
    });
  });
});

// Supplement, section 4: every variant of the body, as its table has them.
describe('create wallet', () => {
  const key = (address: string) => ({ adminSigner: { type: 'external-wallet', address } });
  const bodies = [
    [
      'evm smart, the default',
      { chainType: 'evm', config: key('0x000000000000000000000000000000000000bEEF') },
      'smart',
    ],
    ['evm mpc', { chainType: 'evm', type: 'mpc' }, 'mpc'],
    [
      'solana smart, the default',
      { chainType: 'solana', config: key(newSolanaAddress()) },
      'smart',
    ],
    ['solana mpc', { chainType: 'solana', type: 'mpc' }, 'mpc'],
    [
      'stellar smart, the default',
      { chainType: 'stellar', config: key(Keypair.random().publicKey()) },
      'smart',
    ],
    ['stellar mpc', { chainType: 'stellar', type: 'mpc' }, 'mpc'],
    ['sui, mpc as the default', { chainType: 'sui' }, 'mpc'],
    ['aptos, mpc as the default', { chainType: 'aptos' }, 'mpc'],
  ] as const;
  it.each(bodies)('takes the body of %s', async (_name, body, type) => {
    expect(await expectCall(201, 'POST', '', body)).toMatchObject({
      chainType: body.chainType,
      type,
    });
  });
});

describe.each([
  ['aptos', 'sui'],
  ['sui', 'aptos'],
] as const)('on %s, whose addresses those of %s look like', (chainType, other) => {
  it('a wallet is found by its address alone, and an address of nobody is said to fit both', async () => {
    const wallet = await expectCall(201, 'POST', '', { chainType });
    expect(
      await expectCall(200, 'GET', `/${wallet.address.toUpperCase().replace('0X', '0x')}`),
    ).toEqual(wallet);
    const { code, message } = await expectCall(404, 'GET', `/${newSuiAddress()}`);
    expect([code, message]).toEqual(['wallet-not-found', expect.stringContaining('aptos or sui')]);
    await expectCall(400, 'GET', `/${other}:${wallet.address}/nfts`);
  });

  it('nothing is sent to the address of a wallet on the other, where nobody could use it', async () => {
    const [wallet, wrong] = [
      await expectCall(201, 'POST', '', { chainType }),
      await expectCall(201, 'POST', '', { chainType: other }),
    ];
    const recipients = [wrong.address, wrong.address.toUpperCase().replace('0X', '0x')];
    for (const recipient of recipients) {
      const { code, message } = await expectCall(
        400,
        'POST',
        `/${wallet.address}/tokens/${chainType}:usdxm/transfers`,
        {
          recipient,
          amount: '1',
        },
      );
      expect([code, message]).toEqual([
        'invalid-recipient',
        expect.stringContaining(`is the address of a wallet on ${other}`),
      ]);
    }
    const { status, body } = await stack.call('POST', '/2022-06-09/orders', {
      body: {
        recipient: { walletAddress: wrong.address },
        payment: { method: 'card', receiptEmail: 'a@example.com' },
        lineItems: [
          {
            tokenLocator: `${chainType}:usdxm`,
            executionParameters: { mode: 'exact-in', amount: '5' },
          },
        ],
      },
    });
    expect([status, body.message]).toEqual([
      400,
      expect.stringContaining(`is the address of a wallet on ${other}`),
    ]);
  });

  it('tokens are named by their types too, with types in them', async () => {
    const { address } = await expectCall(201, 'POST', '', { chainType });
    const native = chainType === 'sui' ? '0x2::sui::SUI' : '0x1::aptos_coin::AptosCoin';
    const nobodys = `${chainType}:0x7::lp::LP<${native}, vector<0x7::a::A<u8, address>>>`;
    const read = (tokens: string) =>
      `/${address}/balances?tokens=${encodeURIComponent(tokens)}&chains=${chainType}`;
    expect(
      (await expectCall(200, 'GET', read(`${chainType}:${native},usdxm`))).nativeToken,
    ).toMatchObject({ balance: '0' });
    expect((await expectCall(400, 'GET', read(nobodys))).code).toBe('token-not-supported');
    expect((await expectCall(400, 'GET', read(nobodys.slice(0, -1)))).code).toBe('invalid-locator');
    const path = `/${address}/tokens/${encodeURIComponent(nobodys)}/transfers`;
    expect(
      (await expectCall(400, 'POST', path, { recipient: newSuiAddress(), amount: '1' })).code,
    ).toBe('token-not-supported');
  });
});

it.each(['solana', 'aptos', 'sui'])(
  'nothing is signed without a transaction on %s, which is said with its code',
  async (chainType) => {
    const { address } = await expectCall(201, 'POST', '', { chainType, type: 'mpc' });
    for (const [type, params] of [
      ['message', { message: 'hello' }],
      ['typed-data', { typedData: {} }],
      ['auth-entries', { authorizationEntries: 'AAAAAA==' }],
    ] as const)
      expect((await expectCall(400, 'POST', `/${address}/signatures`, { type, params })).code).toBe(
        'signature-type-not-supported',
      );
    expect(await expectCall(200, 'GET', `/${address}/signatures?page=1&perPage=10`)).toEqual({
      signatures: [],
    });
  },
);

describe('on stellar alone', () => {
  it('6: auth-entries are signed by the wallet’s key when they are asked for, and say for whom', async () => {
    const { address } = await expectCall(201, 'POST', '', { chainType: 'stellar', type: 'mpc' });
    const authorizationEntries = writeEntries(aSignIn(address));
    const asked = { type: 'auth-entries', params: { authorizationEntries } };
    expect((await expectCall(400, 'POST', `/${address}/signatures`, asked)).message).toContain(
      'does not exist on the network yet',
    );
    expect((await fetch(`${stack.urlOf('stellar')}/friendbot?addr=${address}`)).status).toBe(200);
    const { id, status, outputSignature, approvals } = await expectCall(
      201,
      'POST',
      `/${address}/signatures`,
      asked,
    );
    expect([status, approvals.pending]).toEqual(['success', []]);
    expect(await expectCall(200, 'GET', `/${address}/signatures/${id}`)).toMatchObject({
      status: 'success',
      outputSignature,
    });
    const bytes = Buffer.from(outputSignature, 'base64');
    expect(bytes.readUInt32BE(0)).toBe(1);
    const { payload, signatures } = signedEntry(bytes.subarray(4));
    expect(signatures).toHaveLength(1);
    expect(Keypair.fromPublicKey(address).verify(payload, signatures[0]!)).toBe(true);
  });
});
