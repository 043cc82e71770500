import {
  addresses,
  decodeSignerOf,
  encodeSignerOf,
  type Operation,
  signerIdOf,
} from '../../../../contracts/index.ts';
import { ServiceError } from '../../../lib/errors.ts';
import type { JsonObject } from '../../../lib/json/json.ts';
import type {
  Delegate,
  FamilyWallet,
  PreparedOperation,
  PrepareOperationInput,
  Signer,
  TransferIntent,
} from '../../family.ts';
import { checksumAddress, type Hex } from '../abi/words.ts';
import { type EvmConnection, type EvmConnections, hasCode, nodeError } from '../rpc/connections.ts';
import type { GasPrice, GasPrices } from '../rpc/fees.ts';
import type { KnownContracts } from '../rpc/known-contracts.ts';
import { type RpcResult, revertDataOf } from '../rpc/rpc.ts';
import type { P256Precompiles } from '../signing/p256-precompile.ts';
import {
  type Authority,
  adminAuthority,
  authorityId,
  delegateAuthority,
} from '../wallet/authority.ts';
import {
  type AccountState,
  type Delegation,
  delegatedAccounts,
  delegationGas,
  readAccountState,
} from '../wallet/delegation.ts';
import type { DeployedWallets } from '../wallet/deployed-wallets.ts';
import {
  encodeWalletDeployment,
  readWalletSetup,
  secondsOf,
  type WalletSetup,
} from '../wallet/wallet-plan.ts';
import { explainFailure, refuseShortTransfer } from './explain-failure.ts';
import {
  authorityGas,
  callGasMax,
  callGasOf,
  deploymentGasOf,
  itemGasMax,
  needsP256,
  operationGas,
} from './gas.ts';
import { readMpcChain, readMpcParams } from './mpc-params.ts';
import type { Nonces } from './nonces.ts';
import { encodeExecute, hashOperation, operationTypedDataJson } from './operation.ts';
import { storeOperation } from './prepared-operation.ts';
import type { Previews, WalletChanges } from './preview.ts';
import { chooseScopes, hasChoice } from './scopes.ts';
import { readSimulation, type Simulation, simulationCall } from './simulate.ts';
import { placeOf, type ReadCall, readChain, readTransactionParams } from './transaction-params.ts';
import { counterpartiesOf } from './transfer-calls.ts';
import { userOperation } from './user-operation.ts';

export interface PrepareDeps {
  readonly connections: EvmConnections;
  readonly gasPrices: GasPrices;
  readonly deployed: DeployedWallets;
  readonly contracts: KnownContracts;
  readonly nonces: Nonces;
  readonly precompiles: P256Precompiles;
  readonly previews: Previews;
  /** Where accounts cannot delegate: they send by themselves. */
  readonly prepareAccountCall: (
    connection: EvmConnection,
    plan: CallPlan,
  ) => Promise<PreparedOperation>;
}

/** How long signers may take; after it the chain refuses the operation (supplement, section 22). */
const approvalWindowSeconds = 24 * 60 * 60;

/** As {@link ChainFamily.prepareOperation}: one round trip to the node when nothing fails. */
export async function prepareEvmOperation(
  deps: PrepareDeps,
  input: PrepareOperationInput,
): Promise<PreparedOperation> {
  const isMpc = input.wallet.type === 'mpc';
  const connection = await deps.connections.connect(
    isMpc
      ? readMpcChain(input.params, (chain) => deps.connections.requireNetwork(chain).delegation)
      : readChain(input.params),
  );
  const { chainId, network } = connection;
  const place = { name: network.name, chainId };
  const { calls, params } = isMpc
    ? readMpcParams(input.params, place)
    : readTransactionParams(input.params, place);
  refuseManagingCalls(calls, input.wallet.address);
  return prepareCalls(deps, connection, {
    ...input,
    calls,
    params,
    counterparties: counterpartiesOf(calls),
  });
}

/**
 * The functions of the wallet and its module change its signers, which the service would not
 * notice. Sending value is harmless.
 */
function refuseManagingCalls(calls: readonly ReadCall[], wallet: string): void {
  const managed = [wallet.toLowerCase(), addresses.walletModule.toLowerCase()];
  const index = calls.findIndex(({ to, data }) => managed.includes(to) && data !== '0x');
  if (index >= 0)
    throw new ServiceError('transaction-invalid', {
      message: `${placeOf(calls, index)}: calls the wallet itself or its module. Its signers are changed through the signers routes.`,
    });
}

/** Calls that are allowed, of whomever. */
export interface CallPlan {
  readonly wallet: FamilyWallet;
  readonly calls: readonly ReadCall[];
  /** As answered. */
  readonly params: JsonObject;
  readonly signer: Signer;
  readonly delegate?: Delegate;
  readonly now: Date;
  readonly transfer?: TransferIntent;
  readonly validSecondsMax?: number;
  /** Who is called and given money, as far as the calls tell. */
  readonly counterparties: readonly string[];
}

/** Builds and simulates an operation of these calls. */
export async function prepareCalls(
  deps: PrepareDeps,
  connection: EvmConnection,
  plan: CallPlan,
): Promise<PreparedOperation> {
  const { chainId, network } = connection;
  const setup = readWalletSetup(plan.wallet.setup);
  if (setup.form === 'account' && !network.delegation)
    return deps.prepareAccountCall(connection, plan);
  const draft = draftOperation(deps, connection, plan);
  const simulated = await simulate(deps, connection, { ...draft, setup, plan });
  const { gasUsed, isDeployed, gasPrice, changes, authority, delegation } = simulated;
  const callGas = callGasOf(gasUsed);
  if (callGas === undefined) throw tooMuchGas(gasUsed, callGasMax);
  const operation: Operation = { ...draft.operation, epoch: simulated.epoch, callGas };
  const hash = hashOperation(chainId, operation);
  const calldata = encodeExecute(operation, '0x');
  const spent = authorityGas(authority, {
    callCount: plan.calls.length,
    hasPrecompile: simulated.hasPrecompile,
  });
  const deployment = isDeployed ? 0n : deploymentGasOf(setup);
  const gas = operationGas(operation, { deployment, calldata, gasUsed, authority: spent });
  if (gas.limit > itemGasMax) throw tooMuchGas(gas.limit, itemGasMax);
  const totalGas =
    gasUsed +
    gas.verification +
    gas.deployment +
    gas.overhead +
    (delegation && !isDeployed ? delegationGas : 0n);
  const userOperationFields = {
    userOperation: userOperation({
      operation,
      calldata,
      gas,
      gasPrice,
      setup: isDeployed ? undefined : setup,
    }),
    userOperationHash: hash,
  };
  return {
    chain: network.name,
    params: plan.params,
    operation: storeOperation({
      chain: network.name,
      chainId,
      hash,
      deployed: deps.deployed.isSettled(chainId, operation.wallet),
      authority,
      authorityGas: spent.proof + spent.rules,
      operation,
      ...(delegation && { delegation }),
    }),
    onChain: { ...callOf(operation), ...(setup.form === 'account' ? {} : userOperationFields) },
    message: hash,
    validUntil: new Date(operation.validUntil * 1000),
    counterparties: [...new Set([...plan.counterparties, ...(changes?.recipients ?? [])])],
    feesEstimate: estimateFees(totalGas, gasPrice, network.native.symbol),
    preview: previewOf(network.name, totalGas, changes),
    // Only who signs outside asks for it.
    get typedData() {
      return operationTypedDataJson(chainId, operation);
    },
  };
}

/** What the wallet calls; of several calls there is none that could stand for all. */
function callOf({ calls }: Operation): JsonObject {
  const [only, ...more] = calls;
  return only === undefined || more.length > 0
    ? {}
    : { call: { to: checksumAddress(only.to), data: only.data } };
}

function tooMuchGas(gas: bigint, gasMax: bigint): ServiceError {
  return new ServiceError('transaction-invalid', {
    message: `The calls take ${gas} gas; one transaction of a wallet may take ${gasMax}. Split them over several transactions.`,
  });
}

interface Draft {
  readonly operation: Operation;
  readonly authority: Authority;
}

function draftOperation(
  { nonces }: PrepareDeps,
  { chainId, network }: EvmConnection,
  plan: CallPlan,
): Draft {
  const { wallet, calls, delegate, now } = plan;
  const authority = delegate
    ? delegateAuthority(
        delegate,
        chooseScopes({ delegate, calls, wallet: wallet.address, chain: network.name, now }),
      )
    : adminAuthority(wallet, plan.signer);
  const { validSecondsMax = approvalWindowSeconds } = plan;
  const windowEnd = secondsOf(now) + Math.min(approvalWindowSeconds, validSecondsMax);
  const operation: Operation = {
    wallet: wallet.address as Hex,
    calls: calls.map(({ to, value, data }) => ({ to, value, data })),
    nonce: nonces.next(chainId, wallet.address, delegate && authorityId(authority)),
    // Told by the simulation.
    epoch: 0n,
    validAfter: 0,
    validUntil:
      delegate?.expiresAt === undefined
        ? windowEnd
        : Math.min(windowEnd, secondsOf(delegate.expiresAt)),
    callGas: 0n,
  };
  return { operation, authority };
}

interface SimulateInput extends Draft {
  readonly setup: WalletSetup;
  readonly plan: CallPlan;
}

interface Simulated {
  readonly gasUsed: bigint;
  readonly epoch: bigint;
  /** Of an account: runs our code already. */
  readonly isDeployed: boolean;
  /** Of an account that has not run our code for a while. */
  readonly delegation?: Delegation;
  readonly gasPrice: GasPrice;
  readonly hasPrecompile: boolean;
  readonly authority: Authority;
  /** Absent when the node did not tell them now. */
  readonly changes: WalletChanges | undefined;
}

async function simulate(
  deps: PrepareDeps,
  connection: EvmConnection,
  input: SimulateInput,
): Promise<Simulated> {
  const { operation, setup, plan } = input;
  const { chainId } = connection;
  const isAccount = setup.form === 'account';
  // What an account needs for a delegation that a reorganisation undoes is read for as long as one
  // may.
  const isKnown = deps.deployed[isAccount ? 'isSettled' : 'isKnown'](chainId, operation.wallet);
  const undeployed = isKnown ? undefined : setup;
  const methods = isKnown ? [] : ['eth_getCode', ...(isAccount ? ['eth_getTransactionCount'] : [])];
  const deploymentCheck = methods.map((method) => ({
    method,
    params: [operation.wallet, 'latest'],
  }));
  const [[result, code, count], gasPrice, changes, hasPrecompile] = await Promise.all([
    connection.ask([simulationOf(input, undeployed), ...deploymentCheck]),
    deps.gasPrices.read(connection),
    deps.previews.read(connection, { operation, setup: undeployed }).catch(withoutPreview),
    needsP256(input.authority) && deps.precompiles.has(connection),
    deps.contracts.requireAll(connection, plan.calls),
  ]);
  const account = isAccount && !isKnown ? readAccount(connection, code!, count!) : undefined;
  const isDeployed = isKnown || (account ? account.delegated : hasCode(code!));
  if (isDeployed) deps.deployed.add(chainId, operation.wallet);
  let { authority } = input;
  let outcome = readSimulation(result!, plan.calls, connection);
  if ('refused' in outcome && outcome.isEarly) {
    // A chain that makes blocks on demand still has the time of its last one: the block to come is
    // asked whether it is time.
    const askNextBlock = async () => {
      const [again] = await connection.ask([
        simulationOf({ ...input, authority }, undeployed, 'pending'),
      ]);
      return again!.ok || revertDataOf(again!.error) === undefined
        ? outcome
        : readSimulation(again!, plan.calls, connection);
    };
    outcome = await askNextBlock();
    if (isWorthAnotherScope(outcome, plan.delegate)) {
      authority = await chooseByWhatIsLeft(connection, plan);
      outcome = await askNextBlock();
    }
  }
  if (!outcome.success)
    throw await explainFailure(connection, {
      wallet: operation.wallet,
      calls: plan.calls,
      failure: outcome,
      transfer: plan.transfer,
    });
  if (plan.transfer) refuseShortTransfer(outcome.returnData, plan.transfer);
  const delegation = account && { delegation: { chainId, nonce: account.nonce } };
  return {
    gasUsed: outcome.gasUsed,
    epoch: outcome.epoch,
    isDeployed,
    ...delegation,
    gasPrice,
    changes,
    hasPrecompile,
    authority,
  };
}

/**
 * @throws transaction-invalid when the account's key cannot make it run our code; upstream-error
 * when the node does not tell
 */
function readAccount({ network }: EvmConnection, code: RpcResult, count: RpcResult): AccountState {
  if (!code.ok || typeof code.value !== 'string') throw nodeError(code, network.name);
  if (!count.ok || typeof count.value !== 'string' || !/^0x[0-9a-f]{1,16}$/i.test(count.value))
    throw nodeError(count, network.name);
  const state = readAccountState(code.value, BigInt(count.value));
  if (state) return state;
  throw new ServiceError('transaction-invalid', {
    message: `A contract stands at the address of the wallet on "${network.name}": its key cannot act there.`,
  });
}

/**
 * @param setup of a wallet that is not known to be deployed; the module ignores it when the wallet
 * stands, and so does the node
 */
function simulationOf(
  { operation, authority }: Draft,
  setup: WalletSetup | undefined,
  block: 'latest' | 'pending' = 'latest',
) {
  if (setup?.form === 'account') {
    const { method, params } = simulationCall(operation, '0x', undefined, block);
    return { method, params: [...params, delegatedAccounts([operation.wallet])] };
  }
  const deployment = setup ? encodeWalletDeployment(setup) : '0x';
  if (authority?.kind !== 'delegate')
    return simulationCall(operation, deployment, undefined, block);
  return simulationCall(
    operation,
    deployment,
    { signerId: signerIdOf(authority.key), scopeIndexes: authority.scopeIndexes },
    block,
  );
}

/** A preview is a help, not a rule: what only it needs may be missing. */
export function withoutPreview(error: unknown): undefined {
  if (error instanceof ServiceError) return undefined;
  throw error;
}

function isWorthAnotherScope(
  outcome: Simulation,
  delegate: Delegate | undefined,
): delegate is Delegate {
  return (
    'refused' in outcome && outcome.limitExceeded && delegate !== undefined && hasChoice(delegate)
  );
}

/**
 * Several scopes of a signer fit, and the first one is used up.
 * @throws signer-scope-violation none has enough left
 */
async function chooseByWhatIsLeft(
  connection: EvmConnection,
  { wallet, delegate, calls, now }: CallPlan,
): Promise<Authority> {
  const { key } = delegateAuthority(delegate!, []);
  const [result] = await connection.ask([
    {
      method: 'eth_call',
      params: [
        { to: addresses.walletModule, data: encodeSignerOf(wallet.address as Hex, key) },
        'pending',
      ],
    },
  ]);
  const state = result!.ok ? decodeSignerOf(result!.value as Hex) : undefined;
  const availableMinor = state?.scopes.map(({ available }) => available);
  return delegateAuthority(
    delegate!,
    chooseScopes({
      delegate: delegate!,
      calls,
      wallet: wallet.address,
      chain: connection.network.name,
      now,
      availableMinor,
    }),
  );
}

export function estimateFees(gas: bigint, gasPrice: GasPrice, token: string): JsonObject {
  return {
    gas: gas.toString(),
    gasPriceWei: gasPrice.priceWei.toString(),
    amountWei: (gas * gasPrice.priceWei).toString(),
    token,
  };
}

export function previewOf(
  chain: string,
  gas: bigint,
  changes: WalletChanges | undefined,
): JsonObject {
  const note = changes
    ? `The node of "${chain}" cannot tell what moves in a simulation: balanceChanges has only the transfers that the calls themselves name.`
    : `The node of "${chain}" did not tell what would move.`;
  return {
    balanceChanges: changes?.balanceChanges ?? [],
    gas: gas.toString(),
    sponsored: true,
    ...(changes?.complete === true ? {} : { note }),
  };
}
