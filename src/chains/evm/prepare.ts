import type { Operation } from '../../../contracts/index.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { JsonObject } from '../../lib/json.ts';
import type { PreparedOperation, PrepareOperationInput } from '../family.ts';
import { type EvmConnection, type EvmConnections, hasCode } from './connections.ts';
import type { DeployedWallets } from './deployed-wallets.ts';
import { explainFailure, refuseShortTransfer } from './explain-failure.ts';
import type { GasPrice, GasPrices } from './fees.ts';
import { callGasMax, callGasOf, type OperationGas, operationGas } from './gas.ts';
import type { KnownContracts } from './known-contracts.ts';
import type { Nonces } from './nonces.ts';
import { encodeExecute, hashOperation } from './operation.ts';
import { storeOperation } from './prepared-operation.ts';
import { readSimulation, simulationCall } from './simulate.ts';
import { type ReadCall, readChain, readTransactionParams } from './transaction-params.ts';
import { encodeFactoryCall, encodeWalletDeployment, readWalletSetup, type WalletSetup } from './wallet-plan.ts';
import type { Hex } from './words.ts';

export interface PrepareDeps {
  readonly connections: EvmConnections;
  readonly gasPrices: GasPrices;
  readonly deployed: DeployedWallets;
  readonly contracts: KnownContracts;
  readonly nonces: Nonces;
}

/** How long signers may take; after it the chain refuses the operation (supplement, section 22). */
const approvalWindowSeconds = 24 * 60 * 60;

/** As {@link ChainFamily.prepareOperation}: one round trip to the node when nothing fails. */
export async function prepareEvmOperation(deps: PrepareDeps, input: PrepareOperationInput): Promise<PreparedOperation> {
  const connection = await deps.connections.connect(readChain(input.params));
  const { chainId, network } = connection;
  const { calls, params } = readTransactionParams(input.params, { name: network.name, chainId });
  refuseSelfCalls(calls, input.wallet.address);
  const setup = readWalletSetup(input.wallet.setup);
  const draft: Operation = {
    wallet: input.wallet.address as Hex,
    calls: calls.map(({ to, value, data }) => ({ to, value, data })),
    nonce: deps.nonces.next(chainId, input.wallet.address),
    validAfter: 0,
    validUntil: Math.floor(input.now.getTime() / 1000) + approvalWindowSeconds,
    callGas: 0n,
  };
  const { gasUsed, isDeployed, gasPrice } = await simulate(deps, connection, { draft, calls, setup, input });
  const callGas = callGasOf(gasUsed);
  if (callGas === undefined)
    throw new ServiceError('transaction-invalid', {
      message: `The calls take ${gasUsed} gas; one transaction of a wallet may take ${callGasMax}. Split them over several transactions.`,
    });
  const operation: Operation = { ...draft, callGas };
  const hash = hashOperation(chainId, operation);
  const calldata = encodeExecute(operation, '0x');
  const gas = operationGas(operation, { deployed: isDeployed, calldata, gasUsed });
  return {
    chain: network.name,
    params,
    operation: storeOperation({ chainId, hash, deployed: deps.deployed.isSettled(chainId, operation.wallet), operation }),
    onChain: {
      userOperation: userOperation({ operation, calldata, gas, gasPrice, setup: isDeployed ? undefined : setup }),
      userOperationHash: hash,
    },
    message: hash,
    validUntil: new Date(operation.validUntil * 1000),
    counterparties: calls.map(({ to }) => to),
    feesEstimate: estimateFees(gasUsed + gas.verification + gas.deployment + gas.overhead, gasPrice, network.native.symbol),
  };
}

interface SimulateInput {
  readonly draft: Operation;
  readonly calls: readonly ReadCall[];
  readonly setup: WalletSetup;
  readonly input: PrepareOperationInput;
}

async function simulate(
  deps: PrepareDeps,
  connection: EvmConnection,
  { draft, calls, setup, input }: SimulateInput,
): Promise<{ gasUsed: bigint; isDeployed: boolean; gasPrice: GasPrice }> {
  const { chainId } = connection;
  const isKnown = deps.deployed.isKnown(chainId, draft.wallet);
  // The module ignores the deployment of a wallet that stands.
  const simulation = simulationCall(draft, isKnown ? '0x' : encodeWalletDeployment(setup));
  const deploymentCheck = isKnown ? [] : [{ method: 'eth_getCode', params: [draft.wallet, 'latest'] }];
  const [[result, code], gasPrice] = await Promise.all([
    connection.ask([simulation, ...deploymentCheck]),
    deps.gasPrices.read(connection),
    deps.contracts.requireAll(connection, calls),
  ]);
  const isDeployed = isKnown || hasCode(code!);
  if (isDeployed) deps.deployed.add(chainId, draft.wallet);
  const outcome = readSimulation(result!, calls, connection);
  if (!outcome.success) throw await explainFailure(connection, { wallet: draft.wallet, calls, failure: outcome, transfer: input.transfer });
  if (input.transfer) refuseShortTransfer(outcome.returnData, input.transfer);
  return { gasUsed: outcome.gasUsed, isDeployed, gasPrice };
}

/** The wallet's own functions change its signers, which the service would not notice. Sending it value is harmless. */
function refuseSelfCalls(calls: readonly ReadCall[], wallet: string): void {
  const own = wallet.toLowerCase();
  const index = calls.findIndex(({ to, data }) => to === own && data !== '0x');
  if (index >= 0)
    throw new ServiceError('transaction-invalid', {
      message: `params.calls[${index}]: calls the wallet itself. Its signers are changed through the signers routes.`,
    });
}

interface UserOperationInput {
  readonly operation: Operation;
  readonly calldata: Hex;
  readonly gas: OperationGas;
  readonly gasPrice: GasPrice;
  /** Of a wallet that is still to be deployed. */
  readonly setup: WalletSetup | undefined;
}

/**
 * The operation in the field names of ERC-4337 v0.7. There is no entry point: `callData` is what the wallet module is called
 * with, the signature left out.
 */
function userOperation({ operation, calldata, gas, gasPrice, setup }: UserOperationInput): JsonObject {
  return {
    sender: operation.wallet,
    nonce: operation.nonce.toString(),
    callData: calldata,
    callGasLimit: operation.callGas.toString(),
    verificationGasLimit: (gas.verification + gas.deployment).toString(),
    preVerificationGas: gas.overhead.toString(),
    maxFeePerGas: gasPrice.maxFeeWei.toString(),
    maxPriorityFeePerGas: gasPrice.tipWei.toString(),
    ...(setup ? { ...encodeFactoryCall(setup) } : {}),
    signature: '0x',
  };
}

function estimateFees(gas: bigint, gasPrice: GasPrice, token: string): JsonObject {
  return { gas: gas.toString(), gasPriceWei: gasPrice.priceWei.toString(), amountWei: (gas * gasPrice.priceWei).toString(), token };
}
