import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import {
  type Abi,
  type Account,
  type Address,
  type Chain,
  concatHex,
  createTestClient,
  decodeAbiParameters,
  decodeErrorResult,
  defineChain,
  encodeDeployData,
  encodeFunctionData,
  type Hex,
  type HttpTransport,
  http,
  keccak256,
  type LocalAccount,
  type PublicActions,
  parseEther,
  parseEventLogs,
  publicActions,
  stringToHex,
  type TestClient,
  type TransactionReceipt,
  TransactionReceiptNotFoundError,
  type WalletActions,
  walletActions,
} from 'viem';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import {
  addresses,
  batchExecutorAbi,
  coreDeployments,
  type DelegateInput,
  type Deployment,
  decodeSignerOf,
  encodeAdminSignature,
  encodeDeployment,
  encodeSignerOf,
  hashOperation,
  type Operation,
  operationTypedData,
  ownerAddressOf,
  type SignerKey,
  type SignerState,
  safeProxyFactoryAbi,
  singletonFactory,
  testTokenAbi,
  testTokenDeployment,
  walletAddress,
  walletModuleAbi,
} from '../index.ts';
import { type Anvil, startAnvil } from './anvil.ts';
import { describeError, describeRevert, revertDataOf } from './errors.ts';

type Client = TestClient<'anvil', HttpTransport, Chain, undefined> &
  PublicActions<HttpTransport, Chain> &
  WalletActions<Chain, undefined>;

export interface TestChain {
  readonly chainId: number;
  readonly client: Client;
  /** Unlocked accounts of the node with plenty of ether; the first mints the token. */
  readonly accounts: readonly Address[];
  readonly token: Address;
  stop(): Promise<void>;
}

/** A wallet the tests hold the keys of. */
export interface TestWallet {
  readonly address: Address;
  readonly owners: readonly LocalAccount[];
  readonly threshold: bigint;
  readonly deployment: Hex;
}

/** What became of a transaction: the error's name and arguments when it was refused. */
export interface Submitted {
  readonly status: 'success' | 'reverted';
  readonly receipt: TransactionReceipt;
  readonly error?: string;
}

export interface BatchItem {
  readonly op: Operation;
  readonly signature: Hex;
  readonly deployment: Hex;
  readonly gasLimit: bigint;
}

const submitGas = 5_000_000n;
export const farFuture = 4_000_000_000;

/** A fresh local chain with every contract at its address and a test token. */
export async function startTestChain(
  chainId = 31337,
  hardfork?: 'paris' | 'cancun',
): Promise<TestChain> {
  const anvil: Anvil = await startAnvil({ chainId, ...(hardfork && { hardfork }) });
  const chain = defineChain({
    id: chainId,
    name: 'test',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [anvil.rpcUrl] } },
  });
  const client: Client = createTestClient({
    mode: 'anvil',
    chain,
    transport: http(anvil.rpcUrl, { timeout: 30_000 }),
    pollingInterval: 5,
  })
    .extend(publicActions)
    .extend(walletActions);
  const accounts = await client.getAddresses();
  const owner = accounts[0];
  if (!owner) throw new Error('The node has no accounts.');
  const token = testTokenDeployment({ symbol: 'USDXM', name: 'Test dollar', owner });
  await client.setCode({
    address: singletonFactory.address,
    bytecode: singletonFactory.runtimeCode,
  });
  const testChain = { chainId, client, accounts, token: token.address, stop: () => anvil.stop() };
  for (const deployment of [...coreDeployments(), token])
    await deployThroughFactory(testChain, deployment);
  return testChain;
}

export async function deployThroughFactory(
  chain: TestChain,
  deployment: Deployment,
): Promise<void> {
  const { status } = await submit(chain, {
    to: singletonFactory.address,
    data: concatHex([deployment.salt, deployment.initCode]),
    gas: 8_000_000n,
  });
  const code = await chain.client.getCode({ address: deployment.address });
  if (status !== 'success' || !code)
    throw new Error(`${deployment.name} was not deployed at ${deployment.address}.`);
}

/** A committed artifact of ours. */
export function readArtifact(name: string): { readonly abi: Abi; readonly bytecode: Hex } {
  return JSON.parse(
    readFileSync(new URL(`../artifacts/${name}.json`, import.meta.url), 'utf8'),
  ) as { abi: Abi; bytecode: Hex };
}

/** Deploys a contract of the tests from the first account. */
export async function deploy(
  chain: TestChain,
  artifact: { readonly abi: Abi; readonly bytecode: Hex },
  args: readonly unknown[] = [],
): Promise<Address> {
  const { receipt } = await submit(chain, {
    data: encodeDeployData({ abi: artifact.abi, bytecode: artifact.bytecode, args }),
  });
  if (!receipt.contractAddress) throw new Error('Nothing was deployed.');
  return receipt.contractAddress;
}

/** Sends a transaction with a fixed gas limit, so that it is mined even when it reverts. */
export async function submit(
  chain: TestChain,
  tx: {
    readonly to?: Address;
    readonly data?: Hex;
    readonly value?: bigint;
    readonly gas?: bigint;
    readonly from?: Address;
  },
): Promise<Submitted> {
  const account = tx.from ?? chain.accounts[0] ?? null;
  const request = {
    to: tx.to ?? null,
    data: tx.data ?? '0x',
    value: tx.value ?? 0n,
    gas: tx.gas ?? submitGas,
  } as const;
  const hash = await chain.client.sendTransaction({ account, ...request });
  const receipt = await readReceipt(chain, hash);
  if (receipt.status === 'success') return { status: 'success', receipt };
  return { status: 'reverted', receipt, error: await readRefusal(chain, { account, ...request }) };
}

/** The node mines at once, so waiting for a later block, as viem does, would wait for ever. */
export async function readReceipt(chain: TestChain, hash: Hex): Promise<TransactionReceipt> {
  const triesMax = 4_000;
  for (let tries = 0; tries < triesMax; tries++) {
    const receipt = await chain.client.getTransactionReceipt({ hash }).catch((error: unknown) => {
      if (error instanceof TransactionReceiptNotFoundError) return undefined;
      throw error;
    });
    if (receipt) return receipt;
    await setTimeout(5);
  }
  throw new Error(`No receipt of ${hash}.`);
}

/** Replays a refused transaction as a call, in the state before, for its error. */
async function readRefusal(
  chain: TestChain,
  request: {
    readonly account: Address | Account | null;
    readonly to: Address | null;
    readonly data: Hex;
    readonly value: bigint;
    readonly gas: bigint;
  },
): Promise<string> {
  const { account, ...call } = request;
  try {
    await chain.client.call({ ...call, ...(account && { account }) });
    return 'none';
  } catch (error) {
    return describeError(error);
  }
}

/** A key that is the same in every run. */
export function anAccount(name: string): PrivateKeyAccount {
  return privateKeyToAccount(keccak256(stringToHex(name)));
}

let walletCount = 0n;

/**
 * A wallet with 1,000 tokens and one ether, of one owner unless said otherwise, not deployed unless
 * said otherwise. `ownerSigners` own it through their contracts; then it is deployed without an
 * operation.
 */
export async function aWallet(
  chain: TestChain,
  input: {
    readonly owners?: readonly LocalAccount[];
    readonly ownerSigners?: readonly { readonly key: SignerKey }[];
    readonly threshold?: bigint;
    readonly delegates?: readonly DelegateInput[];
    readonly deployed?: boolean;
  } = {},
): Promise<TestWallet> {
  const saltNonce = ++walletCount;
  const ownerKeys = (input.ownerSigners ?? []).map(({ key }) => key);
  const owners = input.owners ?? (ownerKeys.length > 0 ? [] : [anAccount(`owner ${saltNonce}`)]);
  const setup = {
    owners: [...owners.map((owner) => owner.address), ...ownerKeys.map(ownerAddressOf)],
    threshold: input.threshold ?? 1n,
    ownerKeys,
    delegates: input.delegates ?? [],
    saltNonce,
  };
  const wallet = {
    address: walletAddress(setup),
    owners,
    threshold: setup.threshold,
    deployment: encodeDeployment(setup),
  };
  await mint(chain, wallet.address, 1_000_000_000n);
  await chain.client.setBalance({ address: wallet.address, value: parseEther('1') });
  if (input.deployed) await deployWallet(chain, wallet);
  return wallet;
}

/** Deploys a wallet as anybody can, and expects that it worked. */
export async function deployWallet(
  chain: TestChain,
  wallet: TestWallet,
): Promise<TransactionReceipt> {
  const [initializer, saltNonce] = decodeAbiParameters(
    [{ type: 'bytes' }, { type: 'uint256' }],
    wallet.deployment,
  );
  const { status, receipt, error } = await submit(chain, {
    to: addresses.safeProxyFactory,
    data: encodeFunctionData({
      abi: safeProxyFactoryAbi,
      functionName: 'createProxyWithNonce',
      args: [addresses.safeSingleton, initializer, saltNonce],
    }),
  });
  if (status !== 'success') throw new Error(`The wallet was not deployed: ${error}`);
  return receipt;
}

export async function mint(chain: TestChain, to: Address, amount: bigint): Promise<void> {
  await submit(chain, {
    to: chain.token,
    data: encodeFunctionData({ abi: testTokenAbi, functionName: 'mint', args: [to, amount] }),
  });
}

export function balanceOf(chain: TestChain, holder: Address, token = chain.token): Promise<bigint> {
  return chain.client.readContract({
    address: token,
    abi: testTokenAbi,
    functionName: 'balanceOf',
    args: [holder],
  });
}

export function transferCall(
  token: Address,
  to: Address,
  amount: bigint,
): Operation['calls'][number] {
  return {
    to: token,
    value: 0n,
    data: encodeFunctionData({ abi: testTokenAbi, functionName: 'transfer', args: [to, amount] }),
  };
}

export const recipient: Address = '0x00000000000000000000000000000000000000AA';

let nonceCount = 0n;

/** An operation that is valid now; without `calls`, a transfer of one token unit. */
export function anOperation(
  chain: TestChain,
  wallet: { readonly address: Address },
  fields: Partial<Operation> = {},
): Operation {
  return {
    wallet: wallet.address,
    calls: [transferCall(chain.token, recipient, 1n)],
    nonce: ++nonceCount,
    epoch: 0n,
    validAfter: 0,
    validUntil: farFuture,
    callGas: 150_000n,
    ...fields,
  };
}

/** The admin's signature: of as many owners as the threshold says, or of `by`. */
export async function sign(
  chain: { readonly chainId: number },
  wallet: TestWallet,
  op: Operation,
  input: { readonly by?: readonly LocalAccount[]; readonly scheme?: 'eip712' | 'eip191' } = {},
): Promise<Hex> {
  const signers = input.by ?? wallet.owners.slice(0, Number(wallet.threshold));
  const scheme = input.scheme ?? 'eip712';
  return encodeAdminSignature(
    await Promise.all(
      signers.map(async (owner) => ({
        owner: owner.address,
        scheme,
        signature:
          scheme === 'eip712'
            ? await signTypedData(owner, chain.chainId, op)
            : await signRaw(owner, hashOperation(chain.chainId, op)),
      })),
    ),
  );
}

function signTypedData(owner: LocalAccount, chainId: number, op: Operation): Promise<Hex> {
  return owner.signTypedData(operationTypedData(chainId, op));
}

function signRaw(owner: LocalAccount, hash: Hex): Promise<Hex> {
  return owner.signMessage({ message: { raw: hash } });
}

export function executeData(op: Operation, signature: Hex): Hex {
  return encodeFunctionData({
    abi: walletModuleAbi,
    functionName: 'execute',
    args: [op, signature],
  });
}

export function batchData(items: readonly BatchItem[]): Hex {
  return encodeFunctionData({ abi: batchExecutorAbi, functionName: 'executeBatch', args: [items] });
}

/**
 * Submits an operation to the module directly, from an account that has nothing to do with the
 * wallet.
 */
export async function execute(
  chain: TestChain,
  op: Operation,
  signature: Hex,
  gas = submitGas,
): Promise<Submitted & { readonly success?: boolean; readonly reason?: Hex }> {
  const submitted = await submit(chain, {
    to: addresses.walletModule,
    data: executeData(op, signature),
    gas,
    ...(chain.accounts[4] && { from: chain.accounts[4] }),
  });
  const executed = readExecuted(submitted.receipt)[0];
  return { ...submitted, ...(executed && { success: executed.success, reason: executed.reason }) };
}

/**
 * Executes through the batch executor, which deploys the wallet when needed, and expects that it
 * worked.
 */
export async function executeOk(
  chain: TestChain,
  wallet: TestWallet,
  op: Operation,
): Promise<TransactionReceipt> {
  const item = {
    op,
    signature: await sign(chain, wallet, op),
    deployment: wallet.deployment,
    gasLimit: 1_000_000n,
  };
  const { receipt } = await executeBatch(chain, [item]);
  if (!readExecuted(receipt)[0]?.success) throw new Error('The operation was not executed.');
  return receipt;
}

export function executeBatch(
  chain: TestChain,
  items: readonly BatchItem[],
  gas = 30_000_000n,
): Promise<Submitted> {
  return submit(chain, { to: addresses.batchExecutor, data: batchData(items), gas });
}

/** `OperationExecuted` of our module in a receipt. */
export function readExecuted(receipt: TransactionReceipt) {
  const logs = receipt.logs.filter(
    (log) => log.address.toLowerCase() === addresses.walletModule.toLowerCase(),
  );
  return parseEventLogs({ abi: walletModuleAbi, eventName: 'OperationExecuted', logs }).map(
    (log) => log.args,
  );
}

/** `ItemFailed` of our executor in a receipt. */
export function readFailed(receipt: TransactionReceipt) {
  const logs = receipt.logs.filter(
    (log) => log.address.toLowerCase() === addresses.batchExecutor.toLowerCase(),
  );
  return parseEventLogs({ abi: batchExecutorAbi, eventName: 'ItemFailed', logs }).map(
    (log) => log.args,
  );
}

/** How a signer of a wallet is registered. */
export async function readSigner(
  chain: TestChain,
  wallet: { readonly address: Address },
  signer: Parameters<typeof encodeSignerOf>[1],
): Promise<SignerState> {
  const { data } = await chain.client.call({
    to: addresses.walletModule,
    data: encodeSignerOf(wallet.address, signer),
  });
  return decodeSignerOf(data ?? '0x');
}

export function isNonceUsed(chain: TestChain, op: Operation): Promise<boolean> {
  return chain.client.readContract({
    address: addresses.walletModule,
    abi: walletModuleAbi,
    functionName: 'isNonceUsed',
    args: [op.wallet, op.nonce],
  });
}

/** What `simulate` says about an operation, with `from` zero as nodes default to. */
export function simulate(chain: TestChain, op: Operation, deployment: Hex = '0x', gas?: bigint) {
  return readSimulation(
    chain,
    encodeFunctionData({ abi: walletModuleAbi, functionName: 'simulate', args: [op, deployment] }),
    gas,
  );
}

/**
 * The result that a simulating call of the module reverts with.
 * @throws Error with what it refused
 */
export async function readSimulation(chain: TestChain, data: Hex, gas?: bigint) {
  try {
    await chain.client.call({ to: addresses.walletModule, data, ...(gas && { gas }) });
  } catch (error) {
    const answer = revertDataOf(error);
    if (answer === undefined) throw error;
    const decoded = decodeErrorResult({ abi: walletModuleAbi, data: answer });
    if (decoded.errorName !== 'SimulationResult')
      throw new Error(describeRevert(answer), { cause: error });
    const [success, failedCall, returnData, gasUsed, epoch] = decoded.args;
    return { success, failedCall, returnData, gasUsed, epoch };
  }
  throw new Error('A simulation that does not revert.');
}
