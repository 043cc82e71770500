import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testConfig } from '../../../test/harness/config.ts';
import { evmParts } from '../../../test/harness/evm.ts';
import { startTestApi } from '../../../test/harness/http.ts';
import { type Stack, startStack } from '../../../test/harness/stack.ts';
import { ServiceError } from '../../lib/errors.ts';
import { issueKey } from '../api-keys/index.ts';
import { walletRoutes } from '../wallets/routes.ts';
import { readBalancesInUse } from './in-use.ts';
import { balancesRoutes } from './routes.ts';

const chain = 'base-sepolia';
const other = 'polygon-amoy';
const usdc = '0x036CbD53842c5426634e7929541eC2318f3dCF7e';
const eth = 10n ** 18n;
/** An address that is no contract anywhere. */
const nobody = '0x00000000000000000000000000000000000000fe';
/** A contract whose symbol is POL, and which answers 18 to all else: decimals, and any balance. */
const namesake = '0x00000000000000000000000000000000000000E0';
const namesakeCode =
  '0x60003560e01c6395d89b4114601957601260005260206000f35b62504f4c60e81b60005260206000f3';

let stack: Stack;
let address: string;

beforeAll(async () => {
  stack = await startStack();
  const { body } = await stack.call('POST', '/2025-06-09/wallets', {
    body: {
      chainType: 'evm',
      type: 'smart',
      owner: 'userId:ann',
      config: { adminSigner: { type: 'api-key' } },
    },
  });
  address = body.address;
});
afterAll(() => stack?.close());

const read = (query: string, options: object = {}, locator = address) =>
  stack.call('GET', `/2025-06-09/wallets/${locator}/balances?${query}`, options);
const asList = { headers: { 'x-client-name': 'some-sdk' } };

describe('balances before any chain was used', () => {
  it('are those of the default chain', async () => {
    const { status, body } = await read('tokens=usdc');
    expect(status).toBe(200);
    expect(body).toEqual({
      nativeToken: {
        symbol: 'eth',
        decimals: 18,
        balance: '0',
        balanceUSD: '0',
        chains: { [chain]: '0' },
      },
      tokens: [
        { symbol: 'usdc', decimals: 6, balance: '0', balanceUSD: '0', address: usdc, chain },
      ],
    });
  });
});

describe('balances as an object', () => {
  it('have the native token, asked for or not, and its value in dollars', async () => {
    await stack.setNativeBalance(chain, address, 2n * eth);
    const [named, unnamed] = [
      await read(`tokens=eth,usdc&chains=${chain}`),
      await read(`tokens=usdc&chains=${chain}`),
    ];
    expect(named.body).toEqual(unnamed.body);
    expect(named.body.nativeToken).toMatchObject({
      symbol: 'eth',
      decimals: 18,
      balance: (2n * eth).toString(),
    });
    expect(Number(named.body.nativeToken.balanceUSD)).toBeGreaterThan(0);
    expect(named.body.tokens.map((token: { symbol: string }) => token.symbol)).toEqual(['usdc']);
    expect(named.body).not.toHaveProperty('error');
  });

  it('name tokens by symbol in any case or by contract, each once', async () => {
    const { body } = await read(`tokens=USDC,${chain}:${usdc},${chain}:usdc&chains=${chain}`);
    expect(body.tokens).toHaveLength(1);
  });

  it('know a token of no list by its contract', async () => {
    const usdxm = await stack.tokenAddress(chain, 'usdxm');
    const { body } = await read(`tokens=${chain}:${usdxm}`);
    expect(body.tokens).toMatchObject([{ symbol: 'usdxm', decimals: 6, balance: '0', chain }]);
  });

  it('of several chains tell them apart, natives of another symbol too: first where they are asked for, else last', async () => {
    await stack.setNativeBalance(other, address, 3n * eth);
    const { body } = await read(`tokens=usdxm&chains=${chain},${other}`);
    expect(body.nativeToken).toMatchObject({
      symbol: 'eth',
      balance: (2n * eth).toString(),
      chains: { [chain]: (2n * eth).toString() },
    });
    expect(body.tokens).toMatchObject([
      { symbol: 'usdxm', balance: '0', chain },
      { symbol: 'usdxm', balance: '0', chain: other },
      { symbol: 'pol', balance: (3n * eth).toString(), chain: other },
    ]);
    const asked = await read(`tokens=pol,usdxm&chains=${chain},${other}`);
    expect(asked.body.tokens).toMatchObject([
      { symbol: 'pol', balance: (3n * eth).toString(), chain: other },
      { symbol: 'usdxm', chain },
      { symbol: 'usdxm', chain: other },
      { symbol: 'pol', balance: '0', chain },
    ]);
    expect(asked.body.tokens[0]).not.toHaveProperty('address');
  });

  it('of the default chain alone are answered when none is named, although another one was read', async () => {
    const { body } = await read('tokens=usdxm');
    expect(body.tokens.map((token: { chain: string }) => token.chain)).toEqual([chain]);
  });

  it('take a main chain name for its test network outside production', async () => {
    const { body } = await read('tokens=usdc&chains=base');
    expect(body.tokens).toMatchObject([{ chain }]);
  });

  it('of a known token are zero on a chain that does not have it, and the native token needs no such entry', async () => {
    const { status, body } = await read(`tokens=eth&chains=${other}`);
    expect([status, body.nativeToken.symbol]).toEqual([200, 'pol']);
    expect(body.tokens).toEqual([
      { symbol: 'eth', decimals: 18, balance: '0', balanceUSD: '0', chain: other },
    ]);
    expect((await read(`tokens=${other}:eth`)).body.tokens).toEqual(body.tokens);
    expect(
      (await read(`tokens=eth&chains=${chain},${other}`)).body.tokens.map(
        ({ symbol }: { symbol: string }) => symbol,
      ),
    ).toEqual(['pol']);
  });

  it('name symbols that nobody knows beside the others', async () => {
    const { status, body } = await read(`tokens=DOGE,usdc,${chain}:frog&chains=${chain}`);
    expect([status, body.unknownSymbols]).toEqual([200, ['doge', `${chain}:frog`]]);
    expect(body.tokens.map(({ symbol }: { symbol: string }) => symbol)).toEqual(['usdc']);
    expect((await read(`tokens=usdc&chains=${chain}`)).body).not.toHaveProperty('unknownSymbols');
  });

  it('are read from few calls, however many tokens are named', async () => {
    const { status, body } = await read(`tokens=eth,pol,usdc,usdxm&chains=${chain},${other}`);
    expect([status, body.tokens.length]).toEqual([200, 6]);
  });
});

describe('balances as a list, for callers that name their client', () => {
  it('hold the tokens asked for, native first, zeros included, with chains and totals', async () => {
    const { status, body } = await read(`tokens=usdc,eth&chains=${chain}`, asList);
    expect(status).toBe(200);
    expect(body).toEqual([
      {
        symbol: 'eth',
        decimals: 18,
        amount: '2',
        rawAmount: (2n * eth).toString(),
        chains: {
          [chain]: { locator: `${chain}:eth`, amount: '2', rawAmount: (2n * eth).toString() },
        },
      },
      {
        symbol: 'usdc',
        name: expect.any(String),
        decimals: 6,
        amount: '0',
        rawAmount: '0',
        chains: {
          [chain]: { locator: `${chain}:usdc`, amount: '0', rawAmount: '0', contractAddress: usdc },
        },
      },
    ]);
  });

  it('join the chains of one token', async () => {
    await stack.call('POST', `/v1-alpha2/wallets/${address}/balances`, {
      body: { amount: 5, token: 'usdxm', chain },
    });
    await stack.call('POST', `/v1-alpha2/wallets/${address}/balances`, {
      body: { amount: 7.5, token: 'usdxm', chain: other },
    });
    const { body } = await read(`tokens=usdxm&chains=${chain},${other}`, asList);
    expect(body).toMatchObject([
      {
        symbol: 'usdxm',
        amount: '12.5',
        rawAmount: '12500000',
        chains: { [chain]: { amount: '5' }, [other]: { amount: '7.5', rawAmount: '7500000' } },
      },
    ]);
  });

  it('have zero for a known token on a chain without it, and a symbol that nobody knows on no chain', async () => {
    const { status, body } = await read(`tokens=pol,usdc,doge&chains=${chain}`, asList);
    expect(status).toBe(200);
    expect(body).toEqual([
      expect.objectContaining({ symbol: 'usdc' }),
      {
        symbol: 'pol',
        decimals: 18,
        amount: '0',
        rawAmount: '0',
        chains: { [chain]: { locator: `${chain}:pol`, amount: '0', rawAmount: '0' } },
      },
      { symbol: 'doge', decimals: 0, amount: '0', rawAmount: '0', chains: {} },
    ]);
  });

  it('keep apart, and without a value, what only calls itself like a token of another network', async () => {
    await stack.chainCall(chain, 'anvil_setCode', [namesake, namesakeCode]);
    const query = `tokens=pol,${chain}:${namesake}&chains=${chain},${other}`;
    const { body: entries } = await read(query, asList);
    const { body } = await read(query);
    const locator = `${chain}:${namesake}`;
    expect(entries).toMatchObject([
      { symbol: 'pol', chains: { [other]: { amount: '3' } } },
      { symbol: 'POL', rawAmount: '18', chains: { [chain]: { locator } } },
    ]);
    const inTokens = body.tokens.find(({ address: of }: { address?: string }) => of === namesake);
    expect(inTokens).toEqual({
      symbol: 'POL',
      decimals: 18,
      balance: '18',
      address: namesake,
      chain,
    });
    expect(body.tokens).toContainEqual(
      expect.objectContaining({ symbol: 'pol', chain: other, balanceUSD: expect.any(String) }),
    );
  });

  it('leave the native token out when it is not asked for', async () => {
    const { body } = await read(`tokens=usdc&chains=${chain}`, asList);
    expect(body.map((entry: { symbol: string }) => entry.symbol)).toEqual(['usdc']);
  });
});

describe('what balances refuse', () => {
  it.each([
    ['tokens is missing', `chains=${chain}`, 'validation-error'],
    ['a token is empty', 'tokens=usdc,,eth', 'invalid-locator'],
    ['a token is an address without chain', `tokens=${usdc}`, 'invalid-locator'],
    [
      'a token is on a chain that was not asked for',
      `tokens=${other}:usdxm&chains=${chain}`,
      'validation-error',
    ],
    ['every token is unknown', `tokens=doge,${chain}:frog&chains=${chain}`, 'token-not-supported'],
    ['a token is no contract', `tokens=${chain}:${nobody}`, 'token-not-supported'],
    ['a chain is unknown', 'tokens=usdc&chains=moon', 'chain-not-supported'],
    ['a chain is of another family', 'tokens=usdc&chains=solana', 'chain-not-supported'],
    [
      'too many tokens are named',
      `tokens=${Array.from({ length: 51 }, (_, nr) => `t${nr}`).join(',')}`,
      'validation-error',
    ],
    [
      'too many chains are named',
      `tokens=usdc&chains=${Array.from({ length: 31 }, () => chain).join(',')}`,
      'validation-error',
    ],
  ])('400 when %s', async (_, query, code) => {
    for (const options of [{}, asList]) {
      const { status, body } = await read(query, options);
      expect([status, body.error, body.code]).toEqual([400, true, code]);
    }
  });

  it('400 for a locator that cannot be read, 404 for a wallet that is not there', async () => {
    expect(await read('tokens=eth', {}, 'nobody')).toMatchObject({
      status: 400,
      body: { code: 'invalid-locator' },
    });
    expect(await read('tokens=eth', {}, nobody)).toMatchObject({
      status: 404,
      body: { code: 'wallet-not-found' },
    });
  });

  it('401 without a key, 403 without the scope', async () => {
    const { key } = await issueKey(stack.ctx, {
      projectId: stack.api.projectId,
      kind: 'server',
      scopes: ['wallets.read'],
    });
    expect((await read('tokens=eth', { key: null })).status).toBe(401);
    expect((await read('tokens=eth', { key })).status).toBe(403);
  });

  it('503 when the node is down', async () => {
    const { evm } = testConfig();
    const api = await startTestApi({
      routes: [...walletRoutes, ...balancesRoutes],
      ...evmParts,
      config: { evm: { ...evm, rpcUrls: new Map([[chain, 'http://127.0.0.1:9']]) } },
    });
    try {
      const { body: wallet } = await api.call('POST', '/2025-06-09/wallets', {
        body: { chainType: 'evm', type: 'smart', config: { adminSigner: { type: 'api-key' } } },
      });
      const { status, body } = await api.call(
        'GET',
        `/2025-06-09/wallets/${wallet.address}/balances?tokens=usdc`,
      );
      expect([status, body.code]).toEqual([503, 'provider-unavailable']);
    } finally {
      await api.close();
    }
  });

  it('in what an operator is shown: the other networks are shown all the same', async () => {
    const { rows } = await stack.ctx.store.query<{ id: string }>({
      text: 'select id from wallets where address = $1',
      values: [address],
    });
    const shown = await readBalancesInUse(stack.ctx, {
      id: rows[0]!.id,
      chainType: 'evm',
      address,
    });
    expect(shown.unreachable).toEqual([]);
    expect(shown.balances).toContainEqual(
      expect.objectContaining({
        amountMinor: 2n * eth,
        token: expect.objectContaining({ chain, symbol: 'eth' }),
      }),
    );
    const family = stack.ctx.chains.family('evm');
    const readBalances: typeof family.readBalances = async (of, tokens) => {
      if (tokens[0]!.chain === other)
        throw new ServiceError('provider-unavailable', { message: 'No node answers.' });
      return family.readBalances(of, tokens);
    };
    const half = Object.assign(Object.create(family), { readBalances });
    const ctx = { ...stack.ctx, chains: { ...stack.ctx.chains, family: () => half } };
    const shownOfOne = await readBalancesInUse(ctx, { id: rows[0]!.id, chainType: 'evm', address });
    expect(shownOfOne.unreachable).toEqual([{ chain: other, error: 'No node answers.' }]);
    expect(shownOfOne.balances).toContainEqual(
      expect.objectContaining({ token: expect.objectContaining({ chain, symbol: 'eth' }) }),
    );
  });

  it('404 for the wallet of another user, 200 for the own one as "me"', async () => {
    const { clientKey: key } = stack.api;
    expect((await read('tokens=eth', { key, jwt: await stack.api.userJwt('bob') })).status).toBe(
      404,
    );
    expect(
      (
        await read(
          `tokens=eth&chains=${chain}`,
          { key, jwt: await stack.api.userJwt('ann') },
          'me:evm:smart',
        )
      ).body.nativeToken.balance,
    ).toBe((2n * eth).toString());
  });
});
