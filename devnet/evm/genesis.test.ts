import {
  decodeFunctionResult,
  encodeFunctionData,
  erc20Abi,
  getContractAddress,
  parseAbi,
  parseEventLogs,
} from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addresses, coreDeployments, singletonFactory } from '../../contracts/index.ts';
import { aGenesis, call, minter, usdcOnBaseSepolia, waitUntil } from '../testing/builders.ts';
import { type Anvil, startAnvil } from './anvil.ts';
import { prepareGenesis } from './genesis.ts';
import { planGenesis, testStablecoinAddress } from './genesis-plan.ts';
import { readHeight, reorganise } from './reorg.ts';

const alice = '0x00000000000000000000000000000000000a11ce';
const mintAbi = parseAbi([
  'function mint(address to, uint256 amount)',
  'function OWNER() view returns (address)',
]);
const log = () => undefined;
let node: Anvil;

async function read(
  address: string,
  functionName: 'name' | 'symbol' | 'decimals',
  url = node.url,
): Promise<unknown> {
  const data = await call(url, 'eth_call', [
    { to: address, data: encodeFunctionData({ abi: erc20Abi, functionName }) },
    'latest',
  ]);
  return decodeFunctionResult({ abi: erc20Abi, functionName, data: data as `0x${string}` });
}

async function mint(
  token: string,
  amount: bigint,
  url = node.url,
): Promise<{ status: string; logs: never[] }> {
  await call(url, 'anvil_impersonateAccount', [minter]);
  const data = encodeFunctionData({ abi: mintAbi, functionName: 'mint', args: [alice, amount] });
  const hash = await call(url, 'eth_sendTransaction', [{ from: minter, to: token, data }]);
  await waitUntil(async () => (await call(url, 'eth_getTransactionReceipt', [hash])) !== null);
  return (await call(url, 'eth_getTransactionReceipt', [hash])) as {
    status: string;
    logs: never[];
  };
}

beforeAll(async () => {
  node = await startAnvil({ chainId: 84532, log });
  expect(await prepareGenesis(node.url, aGenesis())).toBe(true);
});
afterAll(() => node.stop());

describe('a fresh local chain holds what the public network of its name holds', () => {
  it('the singleton factory, every contract of ours and of the Safe, and Multicall3, at their addresses', async () => {
    expect(await call(node.url, 'eth_getCode', [singletonFactory.address, 'latest'])).toBe(
      singletonFactory.runtimeCode,
    );
    expect(coreDeployments().length).toBeGreaterThanOrEqual(6);
    for (const { address } of [...coreDeployments(), { address: addresses.multicall3 }]) {
      expect(
        String(await call(node.url, 'eth_getCode', [address, 'latest'])).length,
      ).toBeGreaterThan(100);
    }
    const multicall = parseAbi([
      'function aggregate3((address target, bool allowFailure, bytes callData)[] calls) payable returns ((bool success, bytes returnData)[])',
    ]);
    const data = encodeFunctionData({
      abi: multicall,
      functionName: 'aggregate3',
      args: [
        [
          {
            target: usdcOnBaseSepolia,
            allowFailure: false,
            callData: encodeFunctionData({ abi: erc20Abi, functionName: 'decimals' }),
          },
        ],
      ],
    });
    const result = decodeFunctionResult({
      abi: multicall,
      functionName: 'aggregate3',
      data: (await call(node.url, 'eth_call', [
        { to: addresses.multicall3, data },
        'latest',
      ])) as `0x${string}`,
    });
    expect(result).toEqual([{ success: true, returnData: `0x${'6'.padStart(64, '0')}` }]);
  });

  it.each([
    ['usdxm', 'Test USD', testStablecoinAddress(minter)],
    ['usdc', 'USD Coin', usdcOnBaseSepolia],
  ])('%s, which its minter can mint and nobody else', async (symbol, name, address) => {
    expect([
      await read(address, 'symbol'),
      await read(address, 'name'),
      await read(address, 'decimals'),
    ]).toEqual([symbol, name, 6]);
    const receipt = await mint(address, 5_000_000n);
    expect(receipt.status).toBe('0x1');
    expect(
      parseEventLogs({ abi: erc20Abi, eventName: 'Transfer', logs: receipt.logs }).map(
        (entry) => entry.args,
      ),
    ).toEqual([
      {
        from: `0x${'0'.repeat(40)}`,
        to: expect.stringMatching(new RegExp(alice, 'i')),
        value: 5_000_000n,
      },
    ]);
    const data = encodeFunctionData({ abi: mintAbi, functionName: 'mint', args: [alice, 1n] });
    await expect(
      call(node.url, 'eth_call', [{ from: alice, to: address, data }, 'latest']),
    ).rejects.toThrow(/revert/);
  });

  it('money for the funded accounts, filled up when half is gone and not before', async () => {
    const balance = async () =>
      BigInt(String(await call(node.url, 'eth_getBalance', [minter, 'latest'])));
    expect(await balance()).toBeGreaterThan(10n ** 21n - 10n ** 18n);
    await call(node.url, 'anvil_setBalance', [minter, `0x${(6n * 10n ** 20n).toString(16)}`]);
    expect(await prepareGenesis(node.url, aGenesis())).toBe(false);
    expect(await balance()).toBe(6n * 10n ** 20n);
    await call(node.url, 'anvil_setBalance', [minter, '0x1']);
    expect(await prepareGenesis(node.url, aGenesis())).toBe(true);
    expect(await balance()).toBe(10n ** 21n);
  });

  it('all of it once: the second time nothing is sent', async () => {
    const height = await readHeight(node.url);
    expect(await prepareGenesis(node.url, aGenesis())).toBe(false);
    expect(await readHeight(node.url)).toBe(height);
  });

  it('what a new version adds, without touching the rest', async () => {
    const other = '0x00000000000000000000000000000000000000f2';
    const codeBefore = await call(node.url, 'eth_getCode', [usdcOnBaseSepolia, 'latest']);
    const plan = planGenesis({
      tokens: [{ symbol: 'usdc', name: 'USD Coin', address: usdcOnBaseSepolia }],
      minter: other,
      funded: [],
    });
    expect(await prepareGenesis(node.url, plan)).toBe(true);
    expect(await read(testStablecoinAddress(other), 'symbol')).toBe('usdxm');
    expect(await read(testStablecoinAddress(minter), 'symbol')).toBe('usdxm');
    expect(await call(node.url, 'eth_getCode', [usdcOnBaseSepolia, 'latest'])).not.toBe(codeBefore);
  });
});

describe('genesis', () => {
  it('stays through a reorganisation of what came after it', async () => {
    const fresh = await startAnvil({ chainId: 10, log });
    try {
      await prepareGenesis(fresh.url, aGenesis());
      await call(fresh.url, 'anvil_mine', ['0x2']);
      await reorganise(fresh.url, 2);
      expect(await call(fresh.url, 'eth_getCode', [singletonFactory.address, 'latest'])).toBe(
        singletonFactory.runtimeCode,
      );
      expect(BigInt(String(await call(fresh.url, 'eth_getBalance', [minter, 'latest'])))).toBe(
        10n ** 21n,
      );
      expect(await prepareGenesis(fresh.url, aGenesis())).toBe(false);
    } finally {
      await fresh.stop();
    }
  });

  it('that was cut off in the middle is finished by the next start', async () => {
    const fresh = await startAnvil({ chainId: 11, log });
    try {
      const plan = aGenesis();
      // As a kill leaves it: some contracts are there, and a creation code still stands where its
      // contract is to be.
      await prepareGenesis(fresh.url, {
        ...plan,
        deployments: plan.deployments.slice(0, 3),
        placed: [],
        funded: [],
      });
      const usdc = plan.placed.find((contract) => contract.address === usdcOnBaseSepolia)!;
      await call(fresh.url, 'anvil_setCode', [usdc.address, usdc.initCode]);
      expect(await prepareGenesis(fresh.url, plan)).toBe(true);
      expect(await read(usdc.address, 'symbol', fresh.url)).toBe('usdc');
      expect((await mint(usdc.address, 1n, fresh.url)).status).toBe('0x1');
    } finally {
      await fresh.stop();
    }
  });

  it('of a contract that does not come out at its address says which', async () => {
    const plan = aGenesis();
    const [first] = plan.deployments;
    const moved = { ...first!, name: 'Moved', address: alice as `0x${string}` };
    await expect(prepareGenesis(node.url, { ...plan, deployments: [moved] })).rejects.toThrow(
      `The contract Moved would come out at ${first!.address} and not at ${alice}`,
    );
    const initCode = '0xfe';
    const address = getContractAddress({
      opcode: 'CREATE2',
      from: plan.factory.address,
      salt: first!.salt,
      bytecode: initCode,
    });
    await expect(
      prepareGenesis(node.url, {
        ...plan,
        deployments: [{ ...first!, name: 'Refusing', initCode, address }],
      }),
    ).rejects.toThrow('Refusing could not be created on the local chain: its constructor refused.');
  });
});
