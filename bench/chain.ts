import { type Address, encodeFunctionData, type Hex } from 'viem';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import {
  addresses,
  batchExecutorAbi,
  batchGasLimit,
  encodeAdminSignature,
  encodeDeployment,
  itemGasLimit,
  type Operation,
  operationTypedData,
  testTokenAbi,
  walletAddress,
} from '../contracts/index.ts';
import type { RpcClient } from '../src/chains/evm/rpc/rpc.ts';

/** An account of the bench's own that sends what was signed beforehand. */
export interface BenchSender {
  readonly account: PrivateKeyAccount;
  nonce: number;
}

export interface SignInput {
  readonly chainId: number;
  readonly sender: BenchSender;
  readonly to: Address;
  readonly data: Hex;
  readonly gas: bigint;
}

export function createSender(key: Hex = generatePrivateKey()): BenchSender {
  return { account: privateKeyToAccount(key), nonce: 0 };
}

/** The next transaction of the sender, signed and not sent. */
export async function signNext({ chainId, sender, to, data, gas }: SignInput): Promise<Hex> {
  return sender.account.signTransaction({
    chainId,
    type: 'eip1559',
    nonce: sender.nonce++,
    to,
    data,
    gas,
    maxFeePerGas: 10n ** 10n,
    maxPriorityFeePerGas: 1n,
  });
}

export function transferCall(to: Address, amountMinor: bigint): Hex {
  return encodeFunctionData({
    abi: testTokenAbi,
    functionName: 'transfer',
    args: [to, amountMinor],
  });
}

export function mintCall(to: Address, amountMinor: bigint): Hex {
  return encodeFunctionData({ abi: testTokenAbi, functionName: 'mint', args: [to, amountMinor] });
}

/** A wallet of the bench's own, with the same contracts as the service's. */
export interface BenchWallet {
  readonly owner: PrivateKeyAccount;
  readonly address: Address;
  readonly deployment: Hex;
  nonce: bigint;
}

export function planBenchWallet(index: number): BenchWallet {
  const owner = privateKeyToAccount(generatePrivateKey());
  const setup = { owners: [owner.address], threshold: 1n, saltNonce: BigInt(index) };
  return { owner, address: walletAddress(setup), deployment: encodeDeployment(setup), nonce: 0n };
}

const callGas = 60_000n;
/** EIP-7825: no transaction may have more. */
const transactionGasMax = 16_777_216n;

/** One batch transaction, an operation of each wallet, signed by owners and sender. */
export async function signBatch(input: {
  chainId: number;
  sender: BenchSender;
  wallets: readonly BenchWallet[];
  token: Address;
  recipient: Address;
  amountMinor: bigint;
  deploy: boolean;
}): Promise<Hex> {
  const { chainId, sender, wallets, token, deploy } = input;
  const data = transferCall(input.recipient, input.amountMinor);
  const items = await Promise.all(
    wallets.map(async (wallet) => {
      const op: Operation = {
        wallet: wallet.address,
        calls: [{ to: token, value: 0n, data }],
        nonce: wallet.nonce++,
        epoch: 0n,
        validAfter: 0,
        validUntil: 2 ** 40,
        callGas,
      };
      const signature = encodeAdminSignature([
        {
          owner: wallet.owner.address,
          signature: await wallet.owner.signTypedData(operationTypedData(chainId, op)),
          scheme: 'eip712',
        },
      ]);
      const deployment: Hex = deploy ? wallet.deployment : '0x';
      return { op, signature, deployment, gasLimit: itemGasLimit({ op, signature, deployment }) };
    }),
  );
  const calldata = encodeFunctionData({
    abi: batchExecutorAbi,
    functionName: 'executeBatch',
    args: [items],
  });
  const gas = batchGasLimit(items, calldata);
  if (gas > transactionGasMax) throw new Error(`a batch of ${wallets.length} needs ${gas} gas`);
  return signNext({ chainId, sender, to: addresses.batchExecutor, data: calldata, gas });
}

const receiptWaitMs = 30_000;

/** Sends a signed transaction and waits for its receipt. @throws Error when it failed */
export async function sendAndWait(rpc: RpcClient, raw: Hex): Promise<void> {
  await waitForReceipt(rpc, (await rpc.request('eth_sendRawTransaction', [raw])) as Hex);
}

export async function waitForReceipt(rpc: RpcClient, hash: Hex): Promise<void> {
  for (const endAt = Date.now() + receiptWaitMs; ; ) {
    const receipt = (await rpc.request('eth_getTransactionReceipt', [hash])) as {
      status: Hex;
    } | null;
    if (receipt?.status === '0x1') return;
    if (receipt || Date.now() > endAt)
      throw new Error(`transaction ${hash} ${receipt ? 'failed' : 'is in no block'}`);
  }
}

/** Balance of the test token, in its smallest unit. */
export async function readTokenBalance(
  rpc: RpcClient,
  token: Address,
  holder: Address,
): Promise<bigint> {
  const data = encodeFunctionData({ abi: testTokenAbi, functionName: 'balanceOf', args: [holder] });
  return BigInt((await rpc.request('eth_call', [{ to: token, data }, 'latest'])) as Hex);
}
