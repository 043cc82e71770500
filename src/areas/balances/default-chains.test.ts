import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { testConfig } from '../../../test/harness/config.ts';
import { evmParts } from '../../../test/harness/evm.ts';
import { startTestApi, type TestApi } from '../../../test/harness/http.ts';
import { evmNetworks } from '../../chains/evm/config/networks.ts';
import { createEvmFamily } from '../../chains/evm/index.ts';
import type { Config } from '../../config/config.ts';
import { recordTransfers, retractTransfers } from '../activity/index.ts';
import { issueKey } from '../api-keys/index.ts';
import { walletRoutes } from '../wallets/routes.ts';
import { balancesRoutes } from './routes.ts';

const contract = '0x00000000000000000000000000000000000000fe';
const testChains = evmNetworks.filter(({ testnet }) => testnet).map(({ name }) => name);

/**
 * The routes over the EVM family without a node: every symbol is a token on every chain, and every
 * balance zero.
 */
function apiOver(chains: readonly string[], config: Partial<Config> = {}): Promise<TestApi> {
  return startTestApi({
    routes: [...walletRoutes, ...balancesRoutes],
    providers: (ctx) => ({
      ...(typeof evmParts.providers === 'function' ? evmParts.providers(ctx) : evmParts.providers),
      pricing: { pricesUsd: async () => new Map([['pol', '0.5']]) },
    }),
    families: (ctx) => {
      const family = createEvmFamily(ctx);
      return [
        {
          ...family,
          async resolveToken(chain, token) {
            const symbol = 'symbol' in token ? token.symbol : 'named';
            const { native } = family.requireNetwork(chain);
            return symbol === native.symbol
              ? { chain, locator: `${chain}:${symbol}`, ...native }
              : {
                  chain,
                  locator: `${chain}:${symbol}`,
                  address: `${contract}-${symbol}`,
                  symbol,
                  decimals: 6,
                };
          },
          readBalances: async (_, tokens) => tokens.map((token) => ({ token, amountMinor: 0n })),
        },
      ];
    },
    config: {
      ...config,
      evm: {
        ...testConfig().evm,
        rpcUrls: new Map(chains.map((chain) => [chain, 'http://127.0.0.1:9'])),
      },
    },
  });
}

const newWallet = {
  chainType: 'evm',
  type: 'smart',
  config: {
    adminSigner: { type: 'external-wallet', address: '0xabcdef0123456789abcdef0123456789abcdef01' },
  },
};
/** Chains of the tokens asked for: what has no address is the coin of another chain. */
const chainsOf = (body: { tokens: { chain: string; address?: string }[] }) =>
  body.tokens.flatMap(({ chain, address: contractAddress }) =>
    contractAddress === undefined ? [] : [chain],
  );

let api: TestApi;
beforeAll(async () => {
  api = await apiOver(testChains);
});
afterAll(() => api?.close());

let count = 0;
let address: string;
beforeEach(async () => {
  address = await aWallet();
});

async function aWallet(): Promise<string> {
  const { status, body } = await api.call('POST', '/2025-06-09/wallets', {
    body: { ...newWallet, owner: `userId:user-${++count}` },
  });
  expect([status, body]).toEqual([201, expect.anything()]);
  return body.address;
}

const minute = (nr: number) => new Date(Date.UTC(2026, 2, 1, 10, nr));
const read = (query: string, options: object = {}) =>
  api.call('GET', `/2025-06-09/wallets/${address}/balances?${query}`, options);

async function receive(recipient: string, chain: string, at: Date, height = 10n): Promise<void> {
  const transfer = {
    id: `seen-${++count}`,
    chain,
    token: { chain, locator: `${chain}:${contract}`, address: contract, decimals: 6 },
    amountMinor: 1n,
    sender: contract,
    recipient,
    txId: '0x1',
    at,
    height,
    succeeded: true,
  };
  await api.ctx.store.transaction((tx) => recordTransfers(api.ctx, tx, [transfer]));
}

async function send(from: string, chain: string, at: Date): Promise<void> {
  await api.ctx.store.query({
    text: `insert into transactions (id, project_id, wallet_id, chain_type, wallet_type, chain, status, params, operation, on_chain, approvals, fees, created_at, valid_until)
      select $1, project_id, id, 'evm', 'smart', $3, 'pending', '{}', '{}', '{}', '{}', '{}', $4, $4 from wallets where address = $2`,
    values: [api.ctx.ids.uuid(), from, chain, at],
  });
}

describe('balances without chains', () => {
  it('of a wallet that has done nothing are those of base-sepolia, whatever other wallets do elsewhere', async () => {
    const other = await aWallet();
    await receive(other, 'polygon-amoy', minute(1));
    await send(other, 'zkatana', minute(2));
    await read('tokens=usdc&chains=polygon-amoy,zkatana');
    const { status, body } = await read('tokens=usdc');
    expect([status, chainsOf(body), Object.keys(body.nativeToken.chains)]).toEqual([
      200,
      ['base-sepolia'],
      ['base-sepolia'],
    ]);
    expect(body.tokens).toMatchObject([{ symbol: 'usdc', address: expect.any(String) }]);
  });

  it("cover the chains of the wallet's own transactions and transfers, in the order of first use, each once", async () => {
    await receive(address, 'base-sepolia', minute(3));
    await send(address, 'polygon-amoy', minute(1));
    await receive(address, 'polygon-amoy', minute(4));
    await receive(address, 'arbitrum-sepolia', minute(2));
    await send(address, 'base-sepolia', minute(5));
    await send(address, 'optimism-sepolia', minute(6));
    expect(chainsOf((await read('tokens=usdc')).body)).toEqual([
      'polygon-amoy',
      'arbitrum-sepolia',
      'base-sepolia',
      'optimism-sepolia',
    ]);
  });

  it('forget what a reorganisation took back, and chains that this instance has no node for any more', async () => {
    await receive(address, 'optimism-sepolia', minute(1), 1_000n);
    await send(address, 'no-such-network', minute(2));
    expect(chainsOf((await read('tokens=usdc')).body)).toEqual(['optimism-sepolia']);
    await api.ctx.store.transaction((tx) =>
      retractTransfers(api.ctx, tx, 'optimism-sepolia', 1_000n),
    );
    expect(chainsOf((await read('tokens=usdc')).body)).toEqual(['base-sepolia']);
  });

  it('cover ten chains at most and are never refused for their number', async () => {
    const used = testChains.slice(0, 12);
    for (const [nr, chain] of used.entries()) await receive(address, chain, minute(nr));
    const { status, body } = await read(
      `tokens=${Array.from({ length: 50 }, (_, nr) => `t${nr}`).join(',')}`,
    );
    expect([status, chainsOf(body).length, [...new Set(chainsOf(body))]]).toEqual([
      200,
      500,
      used.slice(0, 10),
    ]);
  });

  it('cover the chain of a token locator too, and that one alone when every token has its chain', async () => {
    expect(chainsOf((await read('tokens=usdc,polygon-amoy:usdxm')).body)).toEqual([
      'base-sepolia',
      'polygon-amoy',
      'polygon-amoy',
    ]);
    expect(chainsOf((await read('tokens=polygon-amoy:usdxm')).body)).toEqual(['polygon-amoy']);
  });

  it('have the native coin of another chain among the tokens, asked for or not, once', async () => {
    await send(address, 'base-sepolia', minute(1));
    await send(address, 'polygon-amoy', minute(2));
    expect(
      (await read('tokens=usdc')).body.tokens.map(({ symbol }: { symbol: string }) => symbol),
    ).toEqual(['usdc', 'usdc', 'pol']);
    // Here every symbol is a token everywhere: "pol" is the coin on one chain and a token on the
    // other.
    const { body } = await read('tokens=polygon-amoy:pol,usdc');
    expect(body.nativeToken.symbol).toBe('eth');
    expect(body.tokens).toEqual(
      expect.arrayContaining([
        { symbol: 'pol', decimals: 18, balance: '0', balanceUSD: '0', chain: 'polygon-amoy' },
      ]),
    );
  });
});

describe('balances without chains of a wallet that has done nothing', () => {
  it('are those of the first configured test network where base-sepolia is not configured', async () => {
    const other = await apiOver(['polygon-amoy', 'optimism-sepolia']);
    try {
      const { body: wallet } = await other.call('POST', '/2025-06-09/wallets', { body: newWallet });
      const { body } = await other.call(
        'GET',
        `/2025-06-09/wallets/${wallet.address}/balances?tokens=usdc`,
      );
      expect(chainsOf(body)).toEqual([
        testChains.find((chain) => chain === 'polygon-amoy' || chain === 'optimism-sepolia'),
      ]);
    } finally {
      await other.close();
    }
  });

  it.each([
    [['polygon', 'base', 'base-sepolia'], 'base'],
    [['base-sepolia', 'polygon'], 'polygon'],
  ])('in production with %j are those of %s', async (configured, expected) => {
    const production = await apiOver(configured, { environment: 'production' });
    try {
      const { key } = await issueKey(production.ctx, {
        projectId: production.projectId,
        kind: 'server',
        scopes: ['wallets.create', 'wallets:balance.read'],
      });
      const { body: wallet } = await production.call('POST', '/2025-06-09/wallets', {
        key,
        body: newWallet,
      });
      const { body } = await production.call(
        'GET',
        `/2025-06-09/wallets/${wallet.address}/balances?tokens=usdc`,
        { key },
      );
      expect(chainsOf(body)).toEqual([expected]);
    } finally {
      await production.close();
    }
  });

  it('400 where no network is configured', async () => {
    const bare = await apiOver([]);
    try {
      const { body: wallet } = await bare.call('POST', '/2025-06-09/wallets', { body: newWallet });
      const { status, body } = await bare.call(
        'GET',
        `/2025-06-09/wallets/${wallet.address}/balances?tokens=usdc`,
      );
      expect([status, body.code]).toEqual([400, 'chain-not-supported']);
    } finally {
      await bare.close();
    }
  });
});

describe('a token that cannot be read', () => {
  it.each([
    [',', 'tokens: an entry between the commas is empty.'],
    ['usdc,,eth', 'tokens: an entry between the commas is empty.'],
    ['us%20dc', 'The token locator "us dc" cannot be read. Accepted forms: <symbol>, '],
    [
      contract,
      `The token locator "${contract}" cannot be read. Accepted forms: <symbol>, <chain>:<symbol>, <chain>:<contract address>`,
    ],
  ])('tokens=%s is refused with a sentence about what was sent', async (tokens, message) => {
    const { status, body } = await read(`tokens=${tokens}`);
    expect([status, body.code, body.message]).toEqual([
      400,
      'invalid-locator',
      expect.stringContaining(message),
    ]);
    expect(body.message).not.toContain('any:');
  });
});
