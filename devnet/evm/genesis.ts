import { setTimeout as delay } from 'node:timers/promises';
import {
  type Address,
  concatHex,
  getContractAddress,
  type Hex,
  isAddressEqual,
  keccak256,
  numberToHex,
  stringToHex,
} from 'viem';
import { z } from 'zod';
import { createRpc, type RpcCall, type RpcClient } from '../../src/chains/evm/rpc/rpc.ts';
import { DevnetError } from '../errors.ts';

/**
 * What a local chain holds before its first use, so that it looks like the public network of its
 * name.
 */
export interface GenesisPlan {
  /** The CREATE2 factory that public networks have: its code is put in place. */
  readonly factory: { readonly address: Address; readonly runtimeCode: Hex };
  /** Created through the factory, in order. */
  readonly deployments: readonly GenesisDeployment[];
  /**
   * Contracts at addresses that their creation code does not lead to: their constructors run in
   * place.
   */
  readonly placed: readonly PlacedContract[];
  /**
   * Accounts that are to hold native tokens. One that has less than half is filled up at each
   * start.
   */
  readonly funded: readonly FundedAccount[];
}

export interface GenesisDeployment {
  readonly name: string;
  readonly address: Address;
  readonly salt: Hex;
  /** Creation code with constructor arguments. */
  readonly initCode: Hex;
}

export interface PlacedContract {
  readonly name: string;
  readonly address: Address;
  /** Creation code with constructor arguments. */
  readonly initCode: Hex;
}

export interface FundedAccount {
  readonly address: Address;
  readonly wei: bigint;
}

/** An account nobody has a key of; local nodes let it send. */
const deployer = hashToAddress('purser devnet deployer');
/**
 * Holds the digest of the plan that was carried out. Saved states are of one moment: who has the
 * mark has the rest.
 */
const markAddress = hashToAddress('purser devnet genesis');
const markSlot = numberToHex(0, { size: 32 });

/** The most that one transaction may have on public networks since EIP-7825. */
const deployGas = numberToHex(16_777_216);
const deployerWei = 10n ** 24n;
const rpcTimeoutMs = 30_000;
const receiptWaitMs = 30_000;
const pollMs = 10;

/**
 * Brings a local chain to the plan. Does nothing where it was done before, so it may run after
 * every start and after a kill in the middle. A later reorganisation that leaves these blocks in
 * place does not take it back.
 * @returns whether anything was changed
 * @throws DevnetError when a contract does not come out at its address
 */
export async function prepareGenesis(nodeUrl: string, plan: GenesisPlan): Promise<boolean> {
  const rpc = createRpc({ url: nodeUrl, timeoutMs: rpcTimeoutMs });
  try {
    const digest = digestOf(plan);
    const isDone =
      (await readHex(rpc, 'eth_getStorageAt', [markAddress, markSlot, 'latest'])) === digest;
    if (!isDone) {
      await deployContracts(rpc, plan);
      await placeContracts(rpc, plan.placed);
      await rpc.request('anvil_setStorageAt', [markAddress, markSlot, digest]);
    }
    const hasFunded = await fundAccounts(rpc, plan.funded);
    return !isDone || hasFunded;
  } finally {
    rpc.close();
  }
}

/** The funded accounts are left out: they are looked at every time. */
function digestOf(plan: GenesisPlan): Hex {
  const contracts = [plan.factory, ...plan.deployments, ...plan.placed].map((part) =>
    Object.values(part).join(' '),
  );
  return keccak256(stringToHex(contracts.join('\n')));
}

async function deployContracts(rpc: RpcClient, plan: GenesisPlan): Promise<void> {
  requireAddresses(plan);
  await requireAll(rpc, [
    { method: 'anvil_setCode', params: [plan.factory.address, plan.factory.runtimeCode] },
    { method: 'anvil_setBalance', params: [deployer, numberToHex(deployerWei)] },
    { method: 'anvil_impersonateAccount', params: [deployer] },
  ]);
  const codes = await readCodes(rpc, plan.deployments);
  const missing = plan.deployments.filter((_, index) => codes[index] === '0x');
  const firstNonce = Number(await readHex(rpc, 'eth_getTransactionCount', [deployer, 'latest']));
  // The calls of a batch run side by side: numbered, they cannot get in each other's way.
  const sends = missing.map(({ salt, initCode }, index) => ({
    method: 'eth_sendTransaction',
    params: [
      {
        from: deployer,
        to: plan.factory.address,
        nonce: numberToHex(firstNonce + index),
        gas: deployGas,
        data: concatHex([salt, initCode]),
      },
    ],
  }));
  await waitForReceipts(rpc, await requireAll(rpc, sends), missing);
  await rpc.request('anvil_stopImpersonatingAccount', [deployer]);
}

function requireAddresses({ factory, deployments }: GenesisPlan): void {
  for (const { name, address, salt, initCode } of deployments) {
    const created = getContractAddress({
      opcode: 'CREATE2',
      from: factory.address,
      salt,
      bytecode: initCode,
    });
    if (!isAddressEqual(created, address))
      throw new DevnetError(
        `The contract ${name} would come out at ${created} and not at ${address}: its recorded address belongs to other code.`,
      );
  }
}

async function waitForReceipts(
  rpc: RpcClient,
  hashes: readonly unknown[],
  deployments: readonly GenesisDeployment[],
): Promise<void> {
  const endAt = Date.now() + receiptWaitMs;
  for (;;) {
    const receipts = await requireAll(
      rpc,
      hashes.map((hash) => ({ method: 'eth_getTransactionReceipt', params: [hash] })),
    );
    const statuses = receipts.map((receipt) => receiptSchema.parse(receipt)?.status);
    const failed = statuses.findIndex((status) => status === '0x0');
    if (failed >= 0)
      throw new DevnetError(
        `The contract ${deployments[failed]?.name} could not be created on the local chain: its constructor refused.`,
      );
    if (statuses.every((status) => status === '0x1')) return;
    if (Date.now() > endAt)
      throw new DevnetError('The local chain did not include the genesis contracts in time.');
    await delay(pollMs);
  }
}

/**
 * The creation code is put at the address and called there, so that what the constructor stores
 * lands there and what it derives from its own address is right; then it makes way for the code
 * that it answered.
 */
async function placeContracts(rpc: RpcClient, contracts: readonly PlacedContract[]): Promise<void> {
  for (const { name, address, initCode } of contracts) {
    const overrides = { [address]: { code: initCode } };
    const call = { from: deployer, to: address, gas: deployGas, data: '0x' };
    const runtimeCode = await readHex(rpc, 'eth_call', [call, 'latest', overrides]);
    if (runtimeCode === '0x')
      throw new DevnetError(
        `The contract ${name} could not be placed at ${address}: its constructor answers no code.`,
      );
    if ((await readHex(rpc, 'eth_getCode', [address, 'latest'])) === runtimeCode) continue;
    await requireAll(rpc, [
      { method: 'anvil_setCode', params: [address, initCode] },
      { method: 'anvil_impersonateAccount', params: [deployer] },
    ]);
    const hash = await rpc.request('eth_sendTransaction', [call]);
    await waitForReceipts(rpc, [hash], [{ name, address, salt: '0x', initCode }]);
    await requireAll(rpc, [
      { method: 'anvil_setCode', params: [address, runtimeCode] },
      { method: 'anvil_stopImpersonatingAccount', params: [deployer] },
    ]);
  }
}

async function fundAccounts(rpc: RpcClient, accounts: readonly FundedAccount[]): Promise<boolean> {
  const balances = await requireAll(
    rpc,
    accounts.map(({ address }) => ({ method: 'eth_getBalance', params: [address, 'latest'] })),
  );
  const poor = accounts.filter(
    ({ wei }, index) => BigInt(hexSchema.parse(balances[index])) * 2n < wei,
  );
  await requireAll(
    rpc,
    poor.map(({ address, wei }) => ({
      method: 'anvil_setBalance',
      params: [address, numberToHex(wei)],
    })),
  );
  return poor.length > 0;
}

async function readCodes(
  rpc: RpcClient,
  contracts: readonly { readonly address: Address }[],
): Promise<string[]> {
  const codes = await requireAll(
    rpc,
    contracts.map(({ address }) => ({ method: 'eth_getCode', params: [address, 'latest'] })),
  );
  return codes.map((code) => hexSchema.parse(code));
}

async function readHex(
  rpc: RpcClient,
  method: string,
  params: readonly unknown[],
): Promise<string> {
  return hexSchema.parse(await rpc.request(method, params));
}

/** Results of a batch; the first error of the node ends it. */
async function requireAll(rpc: RpcClient, calls: readonly RpcCall[]): Promise<unknown[]> {
  const results = await rpc.batch(calls);
  return results.map((result, index) => {
    if (result.ok) return result.value;
    throw new DevnetError(
      `The local chain refused ${calls[index]?.method}: ${result.error.message}`,
      { cause: result.error },
    );
  });
}

const hexSchema = z.string().regex(/^0x[0-9a-f]*$/);
const receiptSchema = z.object({ status: z.string() }).nullable();

function hashToAddress(text: string): Address {
  return `0x${keccak256(stringToHex(text)).slice(-40)}`;
}
