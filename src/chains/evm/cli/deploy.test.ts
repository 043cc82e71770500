import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { coreDeployments, singletonFactory } from '../../../../contracts/index.ts';
import { type Anvil, startAnvil, testStablecoinAddress } from '../../../../devnet/index.ts';
import { Secret } from '../../../lib/sealing/secret.ts';
import { findEvmNetwork } from '../config/networks.ts';
import { createRpc, type RpcClient } from '../rpc/rpc.ts';
import { DeployError, deployContracts } from './deploy.ts';

const key = generatePrivateKey();
const deployer = privateKeyToAddress(key);
let node: Anvil;
let rpc: RpcClient;

beforeAll(async () => {
  node = await startAnvil({ chainId: 84_532, log: () => undefined });
  rpc = createRpc({ url: node.url, timeoutMs: 10_000 });
});
afterAll(async () => {
  rpc?.close();
  await node?.stop();
});

const { bounds } = findEvmNetwork('base-sepolia')!;
const deploy = (lines: string[] = []) =>
  deployContracts({
    rpc,
    bounds,
    deployerKey: new Secret(key),
    testTokenOwner: deployer,
    onProgress: (line) => lines.push(line),
  });
const codeAt = (address: string) => rpc.request('eth_getCode', [address, 'latest']);

describe('deploying the contracts of the service', () => {
  it('says what is missing when the chain has no factory', async () => {
    await expect(deploy()).rejects.toThrow(/factory .* is not on chain 84532 yet/);
  });

  it('says how much money is missing', async () => {
    await rpc.request('anvil_setCode', [singletonFactory.address, singletonFactory.runtimeCode]);
    await expect(deploy()).rejects.toThrow(DeployError);
    await expect(deploy()).rejects.toThrow(
      `The account ${deployer.toLowerCase()} has 0 wei, deploying Safe may take`,
    );
  });

  it('puts each at its address, goes on where it stopped, and leaves alone what stands', async () => {
    await rpc.request('anvil_setBalance', [deployer, '0xde0b6b3a7640000']);
    const names = [...coreDeployments().map(({ name }) => name), 'usdxm'];
    const interrupted = deployContracts({
      rpc,
      bounds,
      deployerKey: new Secret(key),
      testTokenOwner: deployer,
      onProgress: (line) => {
        if (line.startsWith('WalletSetup')) throw new Error('interrupted');
      },
    });
    await expect(interrupted).rejects.toThrow('interrupted');
    const done = names.slice(0, names.indexOf('WalletSetup'));
    expect(done.length).toBeGreaterThan(0);
    const lines: string[] = [];
    expect(await deploy(lines)).toEqual({ deployed: names.slice(done.length), present: done });
    expect(lines).toHaveLength(names.length);
    for (const { address } of coreDeployments()) expect(await codeAt(address)).not.toBe('0x');
    expect(await codeAt(testStablecoinAddress(deployer))).not.toBe('0x');
    expect(await deploy()).toEqual({ deployed: [], present: names });
  });
});
