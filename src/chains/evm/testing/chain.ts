import { fileURLToPath } from 'node:url';
import { type Abi, type Address, encodeFunctionData, getContractAddress, type Hex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { compileFolder } from '../../../../contracts/compile.ts';
import { singletonFactory } from '../../../../contracts/index.ts';
import { testConfig } from '../../../../test/harness/config.ts';
import { startTestDatabase } from '../../../../test/harness/database.ts';
import { startWatchedChain, type WatchedChain } from '../../../../test/harness/watched-chain.ts';
import type { Environment } from '../../../context.ts';
import { type Clock, systemClock } from '../../../lib/clock.ts';
import { createLogger } from '../../../lib/log/log.ts';
import type { Store } from '../../../store/types.ts';
import type { ChainFamily, FamilyWallet, Signer } from '../../family.ts';
import { createEvmFamily } from '../index.ts';

/** A contract of `Tokens.sol`, deployed. */
export interface TestContract {
  readonly address: Address;
  send(functionName: string, args: readonly unknown[]): Promise<void>;
}

export interface EvmTestBed {
  readonly chain: WatchedChain;
  readonly store: Store;
  readonly family: ChainFamily;
  deploy(
    name: 'Pictures' | 'Tickets' | 'OldToken' | 'HostileToken' | 'Market',
  ): Promise<TestContract>;
  close(): Promise<void>;
}

/**
 * A local chain named `base-sepolia`, a database and the EVM family over them; relay and watcher do
 * not run.
 */
export async function startEvmTestBed(options: { clock?: Clock } = {}): Promise<EvmTestBed> {
  const [chain, database] = await Promise.all([startWatchedChain(), startTestDatabase()]);
  const artifacts = new Map<string, { abi: Abi; bytecode: Hex }>();
  return {
    chain,
    store: database.store,
    family: anEvmFamily({
      store: database.store,
      rpcUrls: { 'base-sepolia': chain.url },
      clock: options.clock,
    }),
    async deploy(name) {
      if (artifacts.size === 0)
        for (const artifact of compileFolder(fileURLToPath(new URL('.', import.meta.url))))
          artifacts.set(artifact.contractName, artifact);
      const { abi, bytecode } = artifacts.get(name)!;
      const salt: Hex = `0x${'0'.repeat(64)}`;
      await chain.send({
        to: singletonFactory.address,
        data: `${salt}${bytecode.slice(2)}`,
        gas: 8_000_000n,
      });
      const address = getContractAddress({
        opcode: 'CREATE2',
        from: singletonFactory.address,
        salt,
        bytecode,
      });
      return {
        address,
        send: async (functionName, args) =>
          void (await chain.send({
            to: address,
            data: encodeFunctionData({ abi, functionName, args }),
          })),
      };
    },
    async close() {
      await Promise.all([chain.stop(), database.close()]);
    },
  };
}

export function anEvmFamily(input: {
  store: Store;
  rpcUrls: Readonly<Record<string, string>>;
  clock?: Clock;
  environment?: Environment;
  rpcTimeoutMs?: number;
}): ChainFamily {
  const config = testConfig();
  const evm = {
    ...config.evm,
    rpcUrls: new Map(Object.entries(input.rpcUrls)),
    rpcTimeoutMs: input.rpcTimeoutMs ?? 10_000,
  };
  return createEvmFamily({
    config: { ...config, environment: input.environment ?? 'development', evm },
    store: input.store,
    clock: input.clock ?? systemClock,
    log: createLogger({ level: 'silent', process: 'test' }),
  });
}

export interface TestWallet {
  readonly wallet: FamilyWallet;
  readonly owner: ReturnType<typeof privateKeyToAccount>;
}

/** A wallet of an external owner of its own; nothing is deployed. */
export function anEvmWallet(family: ChainFamily): TestWallet {
  const owner = privateKeyToAccount(generatePrivateKey());
  const signer: Signer = {
    type: 'external-wallet',
    locator: `external-wallet:${owner.address}`,
    address: owner.address,
  };
  const plan = family.planWallet({ type: 'smart', adminSigner: signer, creationSeed: 'seed' });
  return {
    owner,
    wallet: {
      id: owner.address,
      type: 'smart',
      address: plan.address,
      setup: plan.setup,
      adminSigner: signer,
    },
  };
}
