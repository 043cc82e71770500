import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { type Address, encodeFunctionData, parseAbi } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testTokenAbi } from '../../../../contracts/index.ts';
import { usdcAddress, type WatchedChain } from '../../../../test/harness/watched-chain.ts';
import type { JsonObject } from '../../../lib/json/json.ts';
import type { ChainFamily, PreparedOperation } from '../../family.ts';
import {
  anEvmFamily,
  anEvmWallet,
  type EvmTestBed,
  startEvmTestBed,
  type TestContract,
  type TestWallet,
} from '../testing/chain.ts';
import { approvePersonally, executeOperation } from '../testing/execute.ts';

const recipient: Address = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';
const marketAbi = parseAbi([
  'function buy(address token, uint256 amount) payable',
  'function boast(address victim, uint256 count)',
  'function fail()',
  'error SoldOut(uint256 left)',
]);
let bed: EvmTestBed;
let chain: WatchedChain;
let family: ChainFamily;
let market: TestContract;

beforeAll(async () => {
  bed = await startEvmTestBed();
  ({ chain, family } = bed);
  market = await bed.deploy('Market');
});
afterAll(() => bed?.close());

async function aFundedWallet(): Promise<TestWallet> {
  const made = anEvmWallet(family);
  await chain.mint(made.wallet.address as Address, 1_000_000n);
  await chain.send({ to: made.wallet.address as Address, value: 1_000n });
  return made;
}

const prepare = (
  { wallet }: TestWallet,
  calls: JsonObject[],
  by = family,
): Promise<PreparedOperation> =>
  by.prepareOperation({
    wallet,
    params: { calls, chain: 'base-sepolia' },
    signer: wallet.adminSigner,
    now: new Date(),
  });

const usdcCall = (
  functionName: 'transfer' | 'approve',
  args: readonly [Address, bigint],
): JsonObject => ({
  to: usdcAddress,
  data: encodeFunctionData({ abi: testTokenAbi, functionName, args }),
});
const buyCall = (amount: bigint, value = '0'): JsonObject => ({
  to: market.address,
  value,
  data: encodeFunctionData({ abi: marketAbi, functionName: 'buy', args: [usdcAddress, amount] }),
});

describe('the preview of an operation', () => {
  it('of transfers tells what they take, and its gas', async () => {
    const from = await aFundedWallet();
    const { preview, feesEstimate } = await prepare(from, [
      usdcCall('transfer', [recipient, 250_000n]),
      usdcCall('transfer', [recipient, 1n]),
    ]);
    expect(preview).toEqual({
      balanceChanges: [
        {
          token: 'base-sepolia:usdc',
          symbol: 'usdc',
          decimals: 6,
          amount: '-0.250001',
          rawAmount: '-250001',
        },
      ],
      gas: feesEstimate['gas'],
      sponsored: true,
    });
  });

  it('tells what comes in and goes out through contracts, native money and tokens with ids included, deployed or not', async () => {
    const from = await aFundedWallet();
    const calls = [
      usdcCall('approve', [market.address, 400n]),
      buyCall(400n, '600'),
      { to: recipient, value: '30' },
    ];
    const expected = [
      {
        token: 'base-sepolia:usdc',
        symbol: 'usdc',
        decimals: 6,
        amount: '-0.0004',
        rawAmount: '-400',
      },
      {
        token: 'base-sepolia:eth',
        symbol: 'eth',
        decimals: 18,
        amount: '-0.00000000000000033',
        rawAmount: '-330',
      },
      {
        token: `base-sepolia:${market.address}`,
        symbol: 'POINT',
        decimals: 2,
        amount: '8',
        rawAmount: '800',
      },
      {
        token: `base-sepolia:${market.address}:7`,
        symbol: 'POINT',
        decimals: 0,
        amount: '3',
        rawAmount: '3',
      },
    ];
    const first = await prepare(from, calls);
    expect(first.preview?.['balanceChanges']).toHaveLength(4);
    expect(first.preview?.['balanceChanges']).toEqual(expect.arrayContaining(expected));
    expect(first.preview).not.toHaveProperty('note');
    expect(first.counterparties).toEqual(
      expect.arrayContaining(
        [usdcAddress, market.address, recipient].map((one) => one.toLowerCase()),
      ),
    );
    await executeOperation(chain, {
      wallet: from.wallet,
      prepared: first,
      approvals: [await approvePersonally(from, first)],
    });
    const second = await prepare(from, [
      buyCall(0n, '0'),
      usdcCall('approve', [market.address, 10n]),
      buyCall(10n),
    ]);
    expect(second.preview?.['balanceChanges']).toEqual(
      expect.arrayContaining([
        { ...expected[0], amount: '-0.00001', rawAmount: '-10' },
        { ...expected[2], amount: '0.2', rawAmount: '20' },
      ]),
    );
  });

  it('leaves out what ends where it was, and other people’s money', async () => {
    const from = await aFundedWallet();
    const boast = (victim: string, count: bigint) => ({
      to: market.address,
      data: encodeFunctionData({
        abi: marketAbi,
        functionName: 'boast',
        args: [victim as Address, count],
      }),
    });
    const { preview } = await prepare(from, [
      usdcCall('transfer', [from.wallet.address as Address, 5n]),
      boast(recipient, 3n),
    ]);
    expect(preview?.['balanceChanges']).toEqual([]);
    // A contract may log what it likes about itself; how much of it is told has a bound.
    const flooded = await prepare(from, [boast(from.wallet.address, 200n)]);
    expect((flooded.preview?.['balanceChanges'] as unknown[]).length).toBe(50);
  });

  it('names who would get money, for screening: called, paid and allowed to take', async () => {
    const from = await aFundedWallet();
    const spender: Address = '0x90F79bf6EB2c4f870365E785982E1f101E93b906';
    const { counterparties } = await prepare(from, [
      usdcCall('transfer', [recipient, 1n]),
      usdcCall('approve', [spender, 1n]),
    ]);
    expect(counterparties).toEqual(
      [usdcAddress, recipient, spender].map((one) => one.toLowerCase()),
    );
  });

  it('says so where the node cannot tell, and goes on without', async () => {
    const lacking = await startProxy(chain.url, 'eth_simulateV1');
    try {
      const other = anEvmFamily({ store: bed.store, rpcUrls: { 'base-sepolia': lacking.url } });
      const from = await aFundedWallet();
      const calls = [
        usdcCall('approve', [market.address, 400n]),
        buyCall(400n),
        { to: recipient, value: '30' },
      ];
      for (let round = 0; round < 2; round++) {
        const { preview } = await prepare(from, calls, other);
        expect(preview).toMatchObject({
          sponsored: true,
          note: expect.stringMatching(/cannot tell/),
        });
        expect(preview?.['balanceChanges']).toEqual([
          {
            token: 'base-sepolia:eth',
            symbol: 'eth',
            decimals: 18,
            amount: '-0.00000000000000003',
            rawAmount: '-30',
          },
        ]);
      }
      // It is not asked again and again.
      expect(lacking.refused()).toBe(1);
      const plain = await prepare(from, [usdcCall('transfer', [recipient, 1n])], other);
      expect(plain.preview).not.toHaveProperty('note');
    } finally {
      await lacking.close();
    }
  });
});

describe('a revert', () => {
  it('is told by the name that the caller’s ABI has for it, else by its first bytes', async () => {
    const from = await aFundedWallet();
    const named = {
      address: market.address,
      functionName: 'fail',
      abi: marketAbi as unknown as JsonObject[],
      args: [],
    };
    const raw = {
      to: market.address,
      data: encodeFunctionData({ abi: marketAbi, functionName: 'fail' }),
    };
    await expect(prepare(from, [named])).rejects.toMatchObject({
      code: 'transaction-simulation-failed',
      details: {
        error: {
          revert: {
            reason: 'SoldOut(left: 3)',
            reasonData: { name: 'SoldOut', args: { left: '3' } },
          },
        },
      },
    });
    await expect(prepare(from, [raw])).rejects.toMatchObject({
      details: {
        error: {
          revert: {
            reason: expect.stringMatching(/^reverted with an unknown error 0x[0-9a-f]{8}$/),
          },
        },
      },
    });
  });
});

/** A node that does not know one method. */
async function startProxy(
  target: string,
  lacking: string,
): Promise<{ url: string; refused(): number; close(): Promise<void> }> {
  let refused = 0;
  const server: Server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    response.setHeader('content-type', 'application/json');
    if (body.includes(lacking)) {
      refused++;
      response.end(
        JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          error: { code: -32601, message: 'the method does not exist' },
        }),
      );
      return;
    }
    const answer = await fetch(target, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
    });
    response.end(await answer.text());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    refused: () => refused,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
