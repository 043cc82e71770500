import { ServiceError } from '../../../lib/errors.ts';
import { formatAmount } from '../../../lib/money/amount.ts';
import type { PreparedOperation } from '../../family.ts';
import { checksumAddress, type Hex } from '../abi/words.ts';
import { starOf } from '../config/networks.ts';
import { explainFailure, refuseShortTransfer } from '../operation/explain-failure.ts';
import { callGasMax } from '../operation/gas.ts';
import {
  type CallPlan,
  estimateFees,
  type PrepareDeps,
  previewOf,
  withoutPreview,
} from '../operation/prepare.ts';
import { revertError } from '../operation/simulate.ts';
import type { ReadCall } from '../operation/transaction-params.ts';
import { quantitySchema } from '../relay/rpc-schemas.ts';
import { type EvmConnection, nodeError } from '../rpc/connections.ts';
import { type RpcResult, revertDataOf } from '../rpc/rpc.ts';
import type { AccountName } from './fund.ts';
import { ownMoney, transferGas, transferGasLimit } from './money.ts';
import { type AccountCall, hashAccountCall, storeAccountCall } from './stored.ts';

/** How long an operation may wait for its turn and for its price. */
const lifetimeMs = 24 * 60 * 60 * 1000;

export interface PrepareAccountDeps
  extends Pick<PrepareDeps, 'gasPrices' | 'previews' | 'contracts'> {
  /** Of an account's native money what is the service's, for gas; in wei. */
  readonly readGasFund: (account: AccountName) => Promise<bigint>;
}

/**
 * Builds and simulates the one call of an account that sends by itself, because its network has no
 * EIP-7702. The service gives it the native money for its gas when it is sent.
 * @throws chain-not-supported, transaction-invalid, insufficient-balance,
 *   transaction-simulation-failed
 */
export async function prepareAccountCall(
  deps: PrepareAccountDeps,
  connection: EvmConnection,
  plan: CallPlan,
): Promise<PreparedOperation> {
  const { chainId, network } = connection;
  // The schema of these wallets has one.
  const [call] = plan.calls as [ReadCall];
  const wallet = plan.wallet.address.toLowerCase() as Hex;
  const params = {
    from: wallet,
    to: call.to,
    value: `0x${call.value.toString(16)}`,
    data: call.data,
  };
  const preview = {
    operation: {
      wallet,
      calls: [{ to: call.to, value: call.value, data: call.data }],
      nonce: 0n,
      epoch: 0n,
      validAfter: 0,
      validUntil: 0,
      callGas: 0n,
    },
    setup: undefined,
    isAccount: true,
  };
  const [[called, estimated, balance, given], gasPrice, fundWei, changes] = await Promise.all([
    connection.ask([
      { method: 'eth_call', params: [params, 'latest'] },
      { method: 'eth_estimateGas', params: [params, 'latest'] },
      { method: 'eth_getBalance', params: [wallet, 'latest'] },
      // The top-up: what it takes is told by who gets it.
      { method: 'eth_estimateGas', params: [{ from: wallet, to: wallet, value: '0x0' }, 'latest'] },
    ]),
    deps.gasPrices.read(connection),
    deps.readGasFund({ chain: network.name, address: wallet }),
    deps.previews.read(connection, preview).catch(withoutPreview),
    deps.contracts.requireAll(connection, plan.calls),
  ]);
  if (gasPrice.legacy)
    throw new ServiceError('chain-not-supported', {
      message: `Wallets of type "mpc" make no transactions on "${network.name}": it has neither EIP-7702 nor EIP-1559. Use a smart wallet there.`,
    });
  requireOwnMoney(connection, plan, { valueWei: call.value, fundWei, balance: balance! });
  if (!called!.ok || !estimated!.ok)
    throw await failureOf(connection, plan, called!.ok ? estimated! : called!);
  if (plan.transfer) refuseShortTransfer(called!.value as Hex, plan.transfer);
  const gas = quantitySchema.parse(estimated!.value);
  if (!given!.ok) throw nodeError(given!.error, network.name);
  const topUpGas = quantitySchema.parse(given!.value);
  if (gas > callGasMax)
    throw new ServiceError('transaction-invalid', {
      message: `The call takes ${gas} gas; one transaction of a wallet may take ${callGasMax}.`,
    });
  const gasLimit = gas === transferGas ? gas : (gas * 5n) / 4n;
  const { feeMaxWei, accountTopUpMaxWei } = network.bounds;
  const affordableWei = accountTopUpMaxWei / gasLimit;
  const capWei = affordableWei < feeMaxWei ? affordableWei : feeMaxWei;
  if (gasPrice.priceWei > capWei)
    throw new ServiceError('transaction-invalid', {
      message: `The call takes up to ${gasLimit} gas, at ${gasPrice.priceWei} wei each on "${network.name}" now: that is more than the ${accountTopUpMaxWei} wei that one operation of an mpc wallet gets there. Create it again when gas is cheaper, or its operator raises EVM_ACCOUNT_TOP_UP_MAX_WEI_${starOf(network.name)}.`,
    });
  const feeWei = gasPrice.maxFeeWei < capWei ? gasPrice.maxFeeWei : capWei;
  const validUntil = new Date(plan.now.getTime() + lifetimeMs);
  const own: AccountCall = {
    chain: network.name,
    chainId,
    wallet,
    to: call.to.toLowerCase() as Hex,
    valueWei: call.value,
    data: call.data.toLowerCase() as Hex,
    gasLimit,
    feeMaxWei: capWei,
    costMaxWei: gasLimit * feeWei + transferGasLimit(topUpGas) * gasPrice.maxFeeWei,
    validUntil,
  };
  const totalGas = gas + topUpGas;
  return {
    chain: network.name,
    params: plan.params,
    operation: storeAccountCall(own),
    onChain: { call: { to: checksumAddress(call.to), data: call.data } },
    message: hashAccountCall(own),
    validUntil,
    counterparties: [...new Set([...plan.counterparties, ...(changes?.recipients ?? [])])],
    feesEstimate: estimateFees(totalGas, gasPrice, network.native.symbol),
    preview: previewOf(network.name, totalGas, changes),
  };
}

/** What the service gave for gas is not the owner's to send. */
function requireOwnMoney(
  { network }: EvmConnection,
  { transfer }: CallPlan,
  input: { readonly valueWei: bigint; readonly fundWei: bigint; readonly balance: RpcResult },
): void {
  const { valueWei, fundWei, balance } = input;
  if (valueWei === 0n) return;
  if (!balance.ok) throw nodeError(balance.error, network.name);
  const ownWei = ownMoney(quantitySchema.parse(balance.value), fundWei);
  if (ownWei >= valueWei) return;
  const { decimals, symbol } = network.native;
  const format = (wei: bigint) => `${formatAmount(wei, decimals)} ${symbol}`;
  throw new ServiceError(transfer ? 'insufficient-balance' : 'transaction-invalid', {
    message: `The wallet has ${format(ownWei)} of its own on "${network.name}", the ${transfer ? 'transfer' : 'call'} needs ${format(valueWei)}.`,
  });
}

async function failureOf(
  connection: EvmConnection,
  { calls, wallet, transfer }: CallPlan,
  result: RpcResult,
): Promise<ServiceError> {
  const { name } = connection.network;
  if (result.ok) return nodeError(result.value, name);
  // Nodes say of a call that reverts without a word no more than that.
  const isRevert = /revert/i.test(result.error.message);
  const data = revertDataOf(result.error) ?? (isRevert ? '0x' : undefined);
  if (data === undefined) return nodeError(result.error, name);
  const error = revertError({ type: 'contract_call', data, abi: calls[0]?.abi });
  return explainFailure(connection, {
    wallet: wallet.address as Hex,
    calls,
    failure: { success: false, error },
    transfer,
  });
}
