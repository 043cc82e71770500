import { type Address, encodeFunctionData, type Hex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import {
  addresses,
  batchExecutorAbi,
  encodeAdminSignature,
  encodeDeployment,
  hashOperation,
  type Operation,
  operationTypedData,
  testTokenAbi,
  walletAddress,
} from '../../contracts/index.ts';
import { planGenesis, prepareGenesis, startAnvil } from '../../devnet/index.ts';
import { type EvmNetwork, listEvmNetworks } from '../../src/chains/evm/config/networks.ts';
import type { RelayItem } from '../../src/chains/evm/relay/types.ts';
import { createRpc, type RpcClient } from '../../src/chains/evm/rpc/rpc.ts';
import { transferTopic } from '../../src/chains/evm/watcher/reading/movements.ts';

export const usdcAddress = '0x036CbD53842c5426634e7929541eC2318f3dCF7e';
export const baseSepoliaId = 84532;

/** The network as local chains have it: every block counts at once. */
export function localNetwork(overrides: Partial<EvmNetwork> = {}): EvmNetwork {
  return {
    ...listEvmNetworks().find((network) => network.name === 'base-sepolia')!,
    confirmations: 1,
    ...overrides,
  };
}

export interface TestWallet {
  readonly address: Address;
  readonly owner: ReturnType<typeof privateKeyToAccount>;
  readonly deployment: Hex;
}

/** A wallet of one external owner; nothing is deployed. */
export function planTestWallet(saltNonce = BigInt(Math.floor(Math.random() * 1e15))): TestWallet {
  const owner = privateKeyToAccount(generatePrivateKey());
  const setup = { owners: [owner.address], threshold: 1n, saltNonce };
  return { address: walletAddress(setup), owner, deployment: encodeDeployment(setup) };
}

export interface TestCall {
  readonly to: Address;
  readonly value?: bigint;
  readonly data?: Hex;
}

export interface WatchedChain {
  readonly url: string;
  readonly rpc: RpcClient;
  /** The account with native money that `send` and `sign` act as. */
  readonly sender: Address;
  /** Signs and sends from an account with native money; answers the hash once it is in a block. */
  send(call: TestCall & { gas?: bigint; allowFailure?: boolean }): Promise<Hex>;
  /** The same, signed and not sent: for putting it into another block. */
  sign(call: TestCall): Promise<Hex>;
  sendRaw(raw: Hex): Promise<Hex>;
  /** Lets wallets execute calls in one batch transaction, deploying them where needed. */
  execute(...items: readonly { wallet: TestWallet; calls: readonly TestCall[] }[]): Promise<Hex>;
  /** The call of such a batch, for sending it twice or in another way. */
  planBatch(
    items: readonly { wallet: TestWallet; calls: readonly TestCall[] }[],
  ): Promise<{ call: TestCall; operations: PlannedOperation[] }>;
  mint(to: Address, amountMinor: bigint): Promise<Hex>;
  height(): Promise<bigint>;
  call(method: string, params?: readonly unknown[]): Promise<unknown>;
  stop(): Promise<void>;
}

export function mintCall(to: Address, amountMinor: bigint): TestCall {
  return {
    to: usdcAddress,
    data: encodeFunctionData({ abi: testTokenAbi, functionName: 'mint', args: [to, amountMinor] }),
  };
}

export function tokenTransfer(to: Address, amountMinor: bigint): TestCall {
  return {
    to: usdcAddress,
    data: encodeFunctionData({
      abi: testTokenAbi,
      functionName: 'transfer',
      args: [to, amountMinor],
    }),
  };
}

/** As the relay takes one, but whose it is. */
export type PlannedOperation = Pick<
  RelayItem,
  'op' | 'signature' | 'deployment' | 'gasLimit' | 'operationHash'
>;

/** A throw-away local chain with the wallet contracts and a mintable USDC. */
export async function startWatchedChain(): Promise<WatchedChain> {
  const node = await startAnvil({ chainId: baseSepoliaId, log: () => undefined });
  const rpc = createRpc({ url: node.url, timeoutMs: 20_000 });
  const sender = privateKeyToAccount(generatePrivateKey());
  await prepareGenesis(
    node.url,
    planGenesis({
      tokens: [{ symbol: 'usdc', name: 'USD Coin', address: usdcAddress }],
      minter: sender.address,
      funded: [{ address: sender.address, wei: 10n ** 22n }],
    }),
  );
  const call = (method: string, params: readonly unknown[] = []) => rpc.request(method, params);

  async function sign({
    to,
    value = 0n,
    data = '0x',
    gas = 3_000_000n,
  }: TestCall & { gas?: bigint }): Promise<Hex> {
    const nonce = Number(await call('eth_getTransactionCount', [sender.address, 'pending']));
    return sender.signTransaction({
      chainId: baseSepoliaId,
      type: 'eip1559',
      nonce,
      to,
      value,
      data,
      gas,
      maxFeePerGas: 10n ** 10n,
      maxPriorityFeePerGas: 1n,
    });
  }
  async function sendRaw(raw: Hex, allowFailure = false): Promise<Hex> {
    const hash = (await call('eth_sendRawTransaction', [raw])) as Hex;
    for (let tries = 0; tries < 400; tries++) {
      const receipt = (await call('eth_getTransactionReceipt', [hash])) as { status: Hex } | null;
      if (receipt && receipt.status !== '0x1' && !allowFailure)
        throw new Error(`transaction ${hash} failed`);
      if (receipt) return hash;
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    throw new Error(`transaction ${hash} is in no block`);
  }
  async function planBatch(items: readonly { wallet: TestWallet; calls: readonly TestCall[] }[]) {
    const planned = await Promise.all(items.map(({ wallet, calls }) => planItem(wallet, calls)));
    const data = encodeFunctionData({
      abi: batchExecutorAbi,
      functionName: 'executeBatch',
      args: [planned.map(({ item }) => item)],
    });
    return {
      call: { to: addresses.batchExecutor, data, gas: 12_000_000n },
      operations: planned.map(({ item, hash }) => ({ ...item, operationHash: hash })),
    };
  }
  return {
    url: node.url,
    rpc,
    sender: sender.address,
    sign,
    sendRaw,
    send: async ({ allowFailure, ...rest }) => sendRaw(await sign(rest), allowFailure),
    planBatch,
    execute: async (...items) => sendRaw(await sign((await planBatch(items)).call)),
    mint: async (to, amountMinor) => sendRaw(await sign(mintCall(to, amountMinor))),
    height: async () => BigInt((await call('eth_blockNumber')) as Hex),
    call,
    stop: async () => {
      rpc.close();
      await node.stop();
    },
  };
}

let nonces = 0n;

async function planItem(wallet: TestWallet, calls: readonly TestCall[]) {
  const op: Operation = {
    wallet: wallet.address,
    calls: calls.map(({ to, value = 0n, data = '0x' }) => ({ to, value, data })),
    nonce: nonces++,
    epoch: 0n,
    validAfter: 0,
    validUntil: 2 ** 40,
    callGas: 300_000n,
  };
  const signature = await wallet.owner.signTypedData(operationTypedData(baseSepoliaId, op));
  const item = {
    op,
    signature: encodeAdminSignature([
      { owner: wallet.owner.address, signature, scheme: 'eip712' as const },
    ]),
    deployment: wallet.deployment,
    gasLimit: 900_000n,
  };
  return { item, hash: hashOperation(baseSepoliaId, op) };
}

/**
 * Code of a contract that emits, for each number from `calldata[0]` down to 1, a Transfer of that
 * amount.
 */
export const logFloodCode: Hex = `0x5f355b8015603957805f5280807f${transferTopic.slice(2)}60205fa3600190036002565b00`;
