import { readFile } from 'node:fs/promises';
import {
  type Address,
  concatHex,
  encodeFunctionData,
  encodePacked,
  getContractAddress,
  type Hex,
  parseEventLogs,
  size,
  zeroAddress,
} from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import {
  addresses,
  safeAbi,
  safeProxyFactoryAbi,
  singletonFactory,
} from '../../../contracts/index.ts';
import { startTestDatabase, type TestDatabase } from '../../../test/harness/database.ts';
import {
  baseSepoliaId,
  localNetwork,
  planTestWallet,
  startWatchedChain,
  type TestCall,
  type TestWallet,
  tokenTransfer,
  type WatchedChain,
} from '../../../test/harness/watched-chain.ts';
import {
  caughtUp,
  insertTestWallet,
  realEntrances,
  recordDepositChanges,
  runTestWatcher,
} from '../../../test/harness/watcher-world.ts';
import type { EvmNetwork } from '../../chains/evm/config/networks.ts';
import { newEvmMemo } from '../../chains/evm/deposits/deposits.ts';
import { watchChain } from '../../chains/evm/watcher/index.ts';
import type { Running } from '../../chains/family.ts';
import { type DepositRecord, listDeposits } from './index.ts';

export const chainName = 'base-sepolia';

export const aMemo = () => newEvmMemo() as Hex;

export type Treasury = TestWallet & { readonly id: string; readonly projectId: string };

/** A local chain that is watched, and a treasury on it. */
export interface DepositWorld {
  readonly chain: WatchedChain;
  readonly database: TestDatabase;
  readonly treasury: Treasury;
  watch(overrides?: { network?: Partial<EvmNetwork>; leaseMs?: number }): Promise<Running>;
  /** Waits until everything was read. */
  settled(): Promise<void>;
  /** Newest first. */
  deposits(): Promise<readonly DepositRecord[]>;
  /** `<change> <amount>`, in the order of telling. */
  changes(): Promise<string[]>;
  close(): Promise<void>;
}

export async function startDepositWorld(): Promise<DepositWorld> {
  const [chain, database] = await Promise.all([
    startWatchedChain(),
    startTestDatabase({ poolSize: 16 }),
  ]);
  const { store } = database;
  await store.query({
    text: `create table test_deposit_changes (nr bigint generated always as identity, deposit_id uuid not null, change text not null, was_final boolean not null)`,
  });
  await watchChain(store, chainName);
  const plan = planTestWallet();
  const treasury = {
    ...plan,
    ...(await insertTestWallet(store, { address: plan.address, purpose: 'treasury' })),
  };
  const running: Running[] = [];
  return {
    chain,
    database,
    treasury,
    async watch({ network, leaseMs } = {}) {
      const networks = [localNetwork({ finality: { kind: 'depth', blocks: 1 }, ...network })];
      const entrances = realEntrances(networks, recordDepositChanges);
      const watcher = await runTestWatcher({
        store,
        networks,
        rpc: () => chain.rpc,
        entrances,
        leaseMs,
      });
      running.push(watcher);
      return watcher;
    },
    settled: async () => caughtUp(store, chainName, await chain.height()),
    deposits: async () =>
      (await listDeposits(store, { projectId: treasury.projectId, limit: 100 })).deposits,
    async changes() {
      const { rows } = await store.query<{ change: string; amount_minor: string }>({
        text: 'select c.change, d.amount_minor from test_deposit_changes c join deposits d on d.id = c.deposit_id order by c.nr',
      });
      return rows.map((row) => `${row.change} ${row.amount_minor}`);
    },
    async close() {
      await Promise.all(running.map((watcher) => watcher.stop()));
      await database.close();
      await chain.stop();
    },
  };
}

/** A transfer to an address with a memo behind its calldata. */
export function depositCall(
  to: Address,
  amountMinor: bigint,
  memo?: Hex,
): Required<Pick<TestCall, 'to' | 'data'>> {
  const call = tokenTransfer(to, amountMinor);
  return { to: call.to, data: memo === undefined ? call.data! : concatHex([call.data!, memo]) };
}

interface Artifact {
  readonly bytecode: Hex;
}
const salt: Hex = `0x${'0'.repeat(64)}`;

/** Puts one of Safe's own libraries onto the chain. */
async function deployLibrary(chain: WatchedChain, name: 'MultiSend'): Promise<Address> {
  const { bytecode } = JSON.parse(
    await readFile(new URL(`../../../contracts/safe/${name}.json`, import.meta.url), 'utf8'),
  ) as Artifact;
  await chain.send({ to: singletonFactory.address, data: concatHex([salt, bytecode]) });
  return getContractAddress({ opcode: 'CREATE2', from: singletonFactory.address, salt, bytecode });
}

/** A Safe that is none of this service: no module of ours, its owner signs `execTransaction`. */
export interface ForeignSafe {
  readonly address: Address;
  execute(call: TestCall & { readonly delegate?: boolean }): Promise<Hex>;
  /** Several calls in one transaction, through MultiSend. */
  executeAll(calls: readonly TestCall[]): Promise<Hex>;
}

export async function aForeignSafe(chain: WatchedChain): Promise<ForeignSafe> {
  const owner = privateKeyToAccount(generatePrivateKey());
  const setup = encodeFunctionData({
    abi: safeAbi,
    functionName: 'setup',
    args: [[owner.address], 1n, zeroAddress, '0x', zeroAddress, zeroAddress, 0n, zeroAddress],
  });
  const created = await chain.send({
    to: addresses.safeProxyFactory,
    data: encodeFunctionData({
      abi: safeProxyFactoryAbi,
      functionName: 'createProxyWithNonce',
      args: [addresses.safeSingleton, setup, BigInt(Date.now())],
    }),
  });
  const receipt = (await chain.call('eth_getTransactionReceipt', [created])) as {
    logs: Parameters<typeof parseEventLogs>[0]['logs'];
  };
  const address = parseEventLogs({
    abi: safeProxyFactoryAbi,
    eventName: 'ProxyCreation',
    logs: receipt.logs,
  })[0]!.args.proxy;
  let nonce = 0n;
  async function execute({
    to,
    value = 0n,
    data = '0x',
    delegate = false,
  }: TestCall & { delegate?: boolean }): Promise<Hex> {
    const message = {
      to,
      value,
      data,
      operation: delegate ? 1 : 0,
      safeTxGas: 0n,
      baseGas: 0n,
      gasPrice: 0n,
      gasToken: zeroAddress,
      refundReceiver: zeroAddress,
      nonce: nonce++,
    };
    const signature = await owner.signTypedData({
      domain: { chainId: baseSepoliaId, verifyingContract: address },
      primaryType: 'SafeTx',
      types: safeTypes,
      message,
    });
    const { operation, safeTxGas, baseGas, gasPrice, gasToken, refundReceiver } = message;
    const args = [
      to,
      value,
      data,
      operation,
      safeTxGas,
      baseGas,
      gasPrice,
      gasToken,
      refundReceiver,
      signature,
    ] as const;
    return chain.send({
      to: address,
      data: encodeFunctionData({ abi: safeAbi, functionName: 'execTransaction', args }),
    });
  }
  return {
    address,
    execute,
    async executeAll(calls) {
      const packed = calls.map(({ to, value = 0n, data = '0x' }) =>
        encodePacked(
          ['uint8', 'address', 'uint256', 'uint256', 'bytes'],
          [0, to, value, BigInt(size(data)), data],
        ),
      );
      const data = encodeFunctionData({
        abi: multiSendAbi,
        functionName: 'multiSend',
        args: [concatHex(packed)],
      });
      return execute({ to: await deployLibrary(chain, 'MultiSend'), data, delegate: true });
    },
  };
}

const multiSendAbi = [
  {
    type: 'function',
    name: 'multiSend',
    stateMutability: 'payable',
    inputs: [{ name: 'transactions', type: 'bytes' }],
    outputs: [],
  },
] as const;

const safeTypes = {
  SafeTx: [
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'data', type: 'bytes' },
    { name: 'operation', type: 'uint8' },
    { name: 'safeTxGas', type: 'uint256' },
    { name: 'baseGas', type: 'uint256' },
    { name: 'gasPrice', type: 'uint256' },
    { name: 'gasToken', type: 'address' },
    { name: 'refundReceiver', type: 'address' },
    { name: 'nonce', type: 'uint256' },
  ],
} as const;
