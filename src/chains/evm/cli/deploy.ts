import { setTimeout as delay } from 'node:timers/promises';
import type { Address } from 'viem';
import {
  coreDeployments,
  type Deployment,
  singletonFactory,
  testTokenDeployment,
} from '../../../../contracts/index.ts';
import type { Secret } from '../../../lib/sealing/secret.ts';
import { bytesOf, type Hex, hexOf } from '../abi/words.ts';
import { testToken } from '../config/networks.ts';
import type { SpendingBounds } from '../config/spending-bounds.ts';
import { headSchema, hexSchema, quantitySchema, receiptSchema } from '../relay/rpc-schemas.ts';
import { isTooDear, marketFeesOf, readNodePrice } from '../relay/sending/fees.ts';
import { createSigningAccount, type SigningAccount, signTx } from '../relay/sending/signing.ts';
import { type RpcClient, RpcError } from '../rpc/rpc.ts';

/** Deployment stopped; the message says what to do. Running it again goes on where it stopped. */
export class DeployError extends Error {
  override readonly name = 'DeployError';
}

export interface DeployInput {
  readonly rpc: RpcClient;
  /** The most that is paid per gas, whatever the node names. */
  readonly bounds: Pick<SpendingBounds, 'feeMaxWei' | 'tipMaxWei'>;
  /** Pays for the deployments. Whoever it is, the addresses are the same. */
  readonly deployerKey: Secret<Hex>;
  /** On test networks: deploys the test stablecoin that this account mints. */
  readonly testTokenOwner?: Address;
  readonly onProgress: (line: string) => void;
}

export interface DeployResult {
  readonly deployed: readonly string[];
  readonly present: readonly string[];
}

const receiptWaitMs = 180_000;
const receiptPollMs = 1_000;
/** An estimate can be short by what the chain's state changes in the meantime. */
const gasMarginPercent = 115n;

/**
 * Puts the service's contracts on a chain, each at its fixed address. What stands already is left
 * alone, so it may be run again at any time.
 * @throws DeployError factory missing, too little money, a deployment that failed or was not
 * included in time
 * @throws RpcError, RpcTransportError
 */
export async function deployContracts(input: DeployInput): Promise<DeployResult> {
  const { rpc, onProgress } = input;
  const chainId = Number(quantitySchema.parse(await rpc.request('eth_chainId')));
  if (!(await hasCodeAt(rpc, singletonFactory.address))) {
    throw new DeployError(
      `The factory that gives contracts the same address on every chain is not on chain ${chainId} yet (${singletonFactory.address}). Ask for it at https://github.com/safe-global/safe-singleton-factory, then run this again.`,
    );
  }
  const account = createSigningAccount(input.deployerKey);
  const deployed: string[] = [];
  const present: string[] = [];
  for (const deployment of plannedDeployments(input)) {
    if (await hasCodeAt(rpc, deployment.address)) {
      onProgress(`${deployment.name} stands at ${deployment.address}.`);
      present.push(deployment.name);
      continue;
    }
    onProgress(`${deployment.name} is being deployed at ${deployment.address} …`);
    await deployOne({ rpc, account, chainId, deployment, bounds: input.bounds });
    deployed.push(deployment.name);
  }
  return { deployed, present };
}

function plannedDeployments({ testTokenOwner }: DeployInput): readonly Deployment[] {
  if (testTokenOwner === undefined) return coreDeployments();
  return [
    ...coreDeployments(),
    testTokenDeployment({ symbol: testToken.symbol, name: testToken.name, owner: testTokenOwner }),
  ];
}

interface DeployOne {
  readonly rpc: RpcClient;
  readonly account: SigningAccount;
  readonly chainId: number;
  readonly deployment: Deployment;
  readonly bounds: DeployInput['bounds'];
}

async function deployOne({ rpc, account, chainId, deployment, bounds }: DeployOne): Promise<void> {
  const data = bytesOf(`${deployment.salt}${deployment.initCode.slice(2)}`);
  const gasLimit = await estimateGas(rpc, { from: account.address, deployment, data });
  const price = await readNodePrice(
    rpc,
    headSchema.parse(await rpc.request('eth_getBlockByNumber', ['latest', false])),
  );
  if (isTooDear(price, bounds))
    throw new DeployError(
      `The node names ${price.baseWei} wei per gas, and ${bounds.feeMaxWei} is the most that is paid (EVM_FEE_MAX_WEI_*).`,
    );
  const fees = marketFeesOf(price, bounds, undefined);
  const balanceWei = quantitySchema.parse(
    await rpc.request('eth_getBalance', [account.address, 'latest']),
  );
  const needWei = gasLimit * fees.maxFeeWei;
  if (balanceWei < needWei)
    throw new DeployError(
      `The account ${account.address} has ${balanceWei} wei, deploying ${deployment.name} may take ${needWei}: send it native tokens and run this again.`,
    );
  const nonce = quantitySchema.parse(
    await rpc.request('eth_getTransactionCount', [account.address, 'latest']),
  );
  const { hash, raw } = await signTx(
    account,
    { chainId, nonce, to: singletonFactory.address, valueWei: 0n, data, gasLimit },
    fees,
  );
  await broadcast(rpc, hexOf(raw), deployment.name);
  await waitForReceipt(rpc, hash, deployment.name);
  if (!(await hasCodeAt(rpc, deployment.address)))
    throw new DeployError(
      `${deployment.name} did not come out at ${deployment.address}: this chain creates contracts in another way, and the wallets of this service do not run there.`,
    );
}

async function estimateGas(
  rpc: RpcClient,
  { from, deployment, data }: { from: Hex; deployment: Deployment; data: Buffer },
): Promise<bigint> {
  try {
    const estimate = quantitySchema.parse(
      await rpc.request('eth_estimateGas', [
        { from, to: singletonFactory.address, data: hexOf(data) },
      ]),
    );
    return (estimate * gasMarginPercent) / 100n;
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    throw new DeployError(`The chain does not accept ${deployment.name}: ${error.message}`, {
      cause: error,
    });
  }
}

/** The same bytes sent twice, also by an earlier run that was interrupted, are one transaction. */
async function broadcast(rpc: RpcClient, raw: Hex, name: string): Promise<void> {
  try {
    await rpc.request('eth_sendRawTransaction', [raw]);
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    if (/already known|nonce too low|already imported/i.test(error.message)) return;
    throw new DeployError(
      `The node refused the transaction that deploys ${name}: ${error.message}. If the account has an unconfirmed transaction, wait for it and run this again.`,
      { cause: error },
    );
  }
}

async function waitForReceipt(rpc: RpcClient, hash: Hex, name: string): Promise<void> {
  for (let waitedMs = 0; waitedMs < receiptWaitMs; waitedMs += receiptPollMs) {
    const receipt = receiptSchema
      .nullable()
      .parse(await rpc.request('eth_getTransactionReceipt', [hash]));
    if (receipt?.status === 0n)
      throw new DeployError(
        `The transaction ${hash} that was to deploy ${name} failed on the chain.`,
      );
    if (receipt) return;
    await delay(receiptPollMs);
  }
  throw new DeployError(
    `The transaction ${hash} that deploys ${name} was not included within ${receiptWaitMs / 1000} s: run this again later, it goes on where it stopped.`,
  );
}

async function hasCodeAt(rpc: RpcClient, address: Address): Promise<boolean> {
  return hexSchema.parse(await rpc.request('eth_getCode', [address, 'latest'])) !== '0x';
}
