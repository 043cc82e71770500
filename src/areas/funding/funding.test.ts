import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testConfig } from '../../../test/harness/config.ts';
import { evmParts } from '../../../test/harness/evm.ts';
import { startTestApi, type TestApi } from '../../../test/harness/http.ts';
import { type Stack, startStack } from '../../../test/harness/stack.ts';
import { createEvmFamily } from '../../chains/evm/index.ts';
import type { Funding } from '../../chains/family.ts';
import type { Caller } from '../../context.ts';
import { ServiceError } from '../../lib/errors.ts';
import { issueKey } from '../api-keys/index.ts';
import { walletRoutes } from '../wallets/routes.ts';
import { fundWallet } from './funding.ts';
import { fundingRoutes } from './routes.ts';

const chain = 'base-sepolia';
const nobody = '0x00000000000000000000000000000000000000fe';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack?.close());

let count = 0;
async function aWallet(
  owner = `email:user${++count}@example.com`,
): Promise<{ address: string; owner: string }> {
  const { body } = await stack.call('POST', '/2025-06-09/wallets', {
    body: { chainType: 'evm', type: 'smart', owner, config: { adminSigner: { type: 'api-key' } } },
  });
  return { address: body.address, owner };
}

const fund = (
  locator: string,
  body: unknown = { amount: 10, token: 'usdxm', chain },
  options: object = {},
) => stack.call('POST', `/v1-alpha2/wallets/${locator}/balances`, { body, ...options });
const balanceOf = async (address: string) =>
  (await stack.call('GET', `/2025-06-09/wallets/${address}/balances?tokens=usdxm&chains=${chain}`))
    .body.tokens[0].balance as string;

describe('test funding', () => {
  it('answers 201 with the balance in the list form, once the mint is confirmed', {
    tags: 'slow',
  }, async () => {
    const { address } = await aWallet();
    const { status, body } = await fund(address, { amount: 12.25, token: 'usdxm', chain });
    const contractAddress = await stack.tokenAddress(chain, 'usdxm');
    expect(status).toBe(201);
    expect(body).toMatchObject([
      {
        symbol: 'usdxm',
        decimals: 6,
        amount: '12.25',
        rawAmount: '12250000',
        chains: { [chain]: { amount: '12.25', rawAmount: '12250000', contractAddress } },
      },
    ]);
    expect(await balanceOf(address)).toBe('12250000');
  });

  it('finds the wallet of a user by the short locator as well as by the full one', {
    tags: 'slow',
  }, async () => {
    const { address, owner } = await aWallet();
    expect((await fund(`${owner}:smart`)).status).toBe(201);
    expect((await fund(`${owner}:evm:smart`)).status).toBe(201);
    expect(await balanceOf(address)).toBe('20000000');
  });

  it('takes a main chain name for its test network, as other routes do', async () => {
    const { address } = await aWallet();
    const { status, body } = await fund(address, { amount: 3, token: 'usdxm', chain: 'base' });
    expect([status, Object.keys(body[0].chains)]).toEqual([201, [chain]]);
    expect(await balanceOf(address)).toBe('3000000');
  });

  it('is seen by the watcher, as a transfer that came in', async () => {
    const { address } = await aWallet();
    await fund(address);
    const path = `/unstable/wallets/${address}/transfers?chain=${chain}&status=successful`;
    let page = await stack.call('GET', path);
    for (let tries = 0; tries < 100 && page.body.data.length === 0; tries++) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      page = await stack.call('GET', path);
    }
    expect(page.body.data).toMatchObject([
      {
        type: 'wallets.transfer.in',
        token: { symbol: 'usdxm', amount: '10' },
        recipient: { address },
      },
    ]);
  });

  it('mints once for one idempotency key, also when the answer to the first call was lost', async () => {
    const { address } = await aWallet();
    const headers = { 'x-idempotency-key': `fund-${address}` };
    const [first, again] = [
      await fund(address, undefined, { headers }),
      await fund(address, undefined, { headers }),
    ];
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.body).toEqual(first.body);
    // As if the answer had never been stored: the mint itself knows its reference.
    await stack.ctx.store.query({ text: 'delete from idempotency_keys' });
    expect((await fund(address, undefined, { headers })).status).toBe(201);
    expect(await balanceOf(address)).toBe('10000000');
  });

  it('gives ten callers at once what each of them asked for', { tags: 'slow' }, async () => {
    const wallets = await Promise.all(Array.from({ length: 10 }, () => aWallet()));
    const answers = await Promise.all(
      wallets.map(({ address }, nr) => fund(address, { amount: nr + 1, token: 'usdxm', chain })),
    );
    expect(answers.map(({ status, body }) => [status, body[0].amount])).toEqual(
      wallets.map((_, nr) => [201, String(nr + 1)]),
    );
  });

  it('serves the end user of a client key, for the own wallet only', async () => {
    const { address } = await aWallet('userId:carl');
    expect(
      (
        await fund(address, undefined, {
          key: stack.api.clientKey,
          jwt: await stack.api.userJwt('carl'),
        })
      ).status,
    ).toBe(201);
    expect(
      (
        await fund(address, undefined, {
          key: stack.api.clientKey,
          jwt: await stack.api.userJwt('dora'),
        })
      ).status,
    ).toBe(404);
  });
});

/** The routes over the EVM family without a node, and with another way of minting. */
async function apiWithFunding(mint: Funding['fund']): Promise<{ api: TestApi; address: string }> {
  const { evm } = testConfig();
  const token = { chain, locator: `${chain}:usdxm`, address: nobody, symbol: 'usdxm', decimals: 6 };
  const api = await startTestApi({
    routes: [...walletRoutes, ...fundingRoutes],
    providers: evmParts.providers,
    families: (ctx) => [
      { ...createEvmFamily(ctx), funding: { fund: mint }, resolveToken: async () => token },
    ],
    config: { evm: { ...evm, rpcUrls: new Map([[chain, 'http://127.0.0.1:9']]) } },
  });
  const { body } = await api.call('POST', '/2025-06-09/wallets', {
    body: { chainType: 'evm', type: 'smart', config: { adminSigner: { type: 'api-key' } } },
  });
  return { api, address: body.address };
}

describe('what test funding refuses', () => {
  it.each([
    ['the amount is below 1', { amount: 0.5, token: 'usdxm', chain }, 'validation-error'],
    ['the amount is above 100', { amount: 100.01, token: 'usdxm', chain }, 'validation-error'],
    ['the amount is a text', { amount: '10', token: 'usdxm', chain }, 'validation-error'],
    [
      'the amount has more decimals than the token',
      { amount: 1.0000001, token: 'usdxm', chain },
      'validation-error',
    ],
    ['the token is another one', { amount: 1, token: 'usdc', chain }, 'validation-error'],
    ['the chain is missing', { amount: 1, token: 'usdxm' }, 'validation-error'],
    ['a field is unknown', { amount: 1, token: 'usdxm', chain, note: 'hi' }, 'validation-error'],
    [
      'the chain has no test stablecoin',
      { amount: 1, token: 'usdxm', chain: 'zora-sepolia' },
      'chain-not-supported',
    ],
    [
      'the chain stands for a test network without it',
      { amount: 1, token: 'usdxm', chain: 'zora' },
      'chain-not-supported',
    ],
    ['the chain is unknown', { amount: 1, token: 'usdxm', chain: 'moon' }, 'chain-not-supported'],
    [
      'the chain is of a family that is not served',
      { amount: 1, token: 'usdxm', chain: 'stellar' },
      'chain-not-supported',
    ],
  ])('400 when %s', async (_, body, code) => {
    const { address } = await aWallet();
    const { status, body: answer } = await fund(address, body);
    expect([status, answer.error, answer.code]).toEqual([400, true, code]);
    expect(await balanceOf(address)).toBe('0');
  });

  it('400 for a locator that cannot be read, 404 for a wallet that is not there', async () => {
    expect(await fund('nobody')).toMatchObject({ status: 400, body: { code: 'invalid-locator' } });
    expect(await fund(nobody)).toMatchObject({ status: 404, body: { code: 'wallet-not-found' } });
    expect(await fund('email:stranger@example.com:smart')).toMatchObject({
      status: 404,
      body: { code: 'wallet-not-found' },
    });
  });

  it('401 without a key, 403 without the scope', async () => {
    const { address } = await aWallet();
    const { key } = await issueKey(stack.ctx, {
      projectId: stack.api.projectId,
      kind: 'server',
      scopes: ['wallets.read'],
    });
    expect((await fund(address, undefined, { key: null })).status).toBe(401);
    expect((await fund(address, undefined, { key })).status).toBe(403);
  });

  it.each([
    [502, 'upstream-error', 'the mint reverted'],
    [503, 'provider-unavailable', 'the node is down'],
  ] as const)('%d %s when %s', async (status, code, _) => {
    const { api, address } = await apiWithFunding(async () =>
      Promise.reject(new ServiceError(code)),
    );
    try {
      const answer = await api.call('POST', `/v1-alpha2/wallets/${address}/balances`, {
        body: { amount: 1, token: 'usdxm', chain },
      });
      expect([answer.status, answer.body.code]).toEqual([status, code]);
    } finally {
      await api.close();
    }
  });

  it('503 with advice when the mint is not confirmed in time', async () => {
    const { api, address } = await apiWithFunding(() => new Promise(() => undefined));
    try {
      const caller: Caller = {
        projectId: api.projectId,
        environment: 'development',
        keyKind: 'server',
        keyId: 'test',
        scopes: new Set(),
      };
      const funding = fundWallet(
        { ...api.ctx, caller, requestId: 'test' },
        { walletLocator: address, body: { amount: 1, token: 'usdxm', chain }, timeoutMs: 20 },
      );
      await expect(funding).rejects.toMatchObject({
        code: 'provider-unavailable',
        message: expect.stringMatching(/same x-idempotency-key/),
      });
    } finally {
      await api.close();
    }
  });

  it('403 in production, whatever is asked for', async () => {
    const api = await startTestApi({
      routes: fundingRoutes,
      ...evmParts,
      config: { environment: 'production' },
    });
    try {
      const { key } = await issueKey(api.ctx, {
        projectId: api.projectId,
        kind: 'server',
        scopes: ['wallets.fund'],
      });
      const { status, body } = await api.call('POST', `/v1-alpha2/wallets/${nobody}/balances`, {
        key,
        body: { amount: 1, token: 'usdxm', chain },
      });
      expect([status, body.code]).toEqual([403, 'forbidden']);
    } finally {
      await api.close();
    }
  });
});
