/**
 * How much gas a batch and its items are to be given. The numbers are bounds measured on a local
 * node with margin, not costs: `gas-limits.test.ts` holds them against operations of all shapes.
 */
import { decodeAbiParameters, decodeFunctionData, type Hex, isAddressEqual, size } from 'viem';
import { type Operation, safeAbi } from './index.ts';

export interface ItemBytes {
  readonly op: Operation;
  readonly signature: Hex;
  /** As handed to `executeBatch`; empty when the wallet is deployed already. */
  readonly deployment: Hex;
}

/** Cold accounts and slots of an item, a nonce in a fresh slot, its event. */
const itemGas = 65_000n;
/** What the module keeps back for after the calls. */
const afterCallsGas = 15_000n;
const callGas = 1_500n;
/** An operation that manages the wallet raises its epoch, which may be a fresh slot. */
const epochGas = 25_000n;
const signatureGas = 9_000n;
const deploymentGas = 320_000n;
const deployedOwnerGas = 25_000n;

/**
 * `gasLimit` of a batch item whose owners sign as accounts (ecrecover). Owners that are contracts
 * need more: add what their check takes.
 */
export function itemGasLimit({ op, signature, deployment }: ItemBytes): bigint {
  const bytes =
    op.calls.reduce((sum, call) => sum + size(call.data), 0) + size(signature) + size(deployment);
  const signatures = BigInt(Math.ceil((size(signature) - 32) / 65));
  return (
    itemGas +
    withReserve(op.callGas + afterCallsGas) +
    callGas * BigInt(op.calls.length) +
    signatureGas * signatures +
    memoryGas(bytes) +
    (op.calls.some(({ to, data }) => isAddressEqual(to, op.wallet) && data !== '0x')
      ? epochGas
      : 0n) +
    (deployment === '0x' ? 0n : deploymentGas + deployedOwnerGas * countOwners(deployment))
  );
}

/**
 * Gas of the transaction with calldata `data` that executes these items: enough when each of them
 * uses all of its gas.
 */
export function batchGasLimit(items: readonly { readonly gasLimit: bigint }[], data: Hex): bigint {
  const afterItemGas = 30_000n;
  const spent = items.reduce((sum, item) => sum + item.gasLimit + afterItemGas, 0n);
  const largest = items.reduce((most, item) => (item.gasLimit > most ? item.gasLimit : most), 0n);
  return 21_000n + calldataGas(data) + memoryGas(size(data)) + spent + largest / 63n + afterItemGas;
}

/** A call passes on at most 63/64 of the gas that is left. */
function withReserve(gas: bigint): bigint {
  return gas + gas / 63n + 64n;
}

/** The bytes are copied and hashed a few times: linear, and the square of the memory they take. */
function memoryGas(bytes: number): bigint {
  const words = BigInt(Math.ceil(bytes / 32));
  return words * 30n + (words * words) / 50n;
}

/** Bound of the intrinsic price of calldata, with the floor price of EIP-7623. */
function calldataGas(data: Hex): bigint {
  return BigInt(size(data)) * 40n;
}

function countOwners(deployment: Hex): bigint {
  const [initializer] = decodeAbiParameters([{ type: 'bytes' }, { type: 'uint256' }], deployment);
  const setup = decodeFunctionData({ abi: safeAbi, data: initializer });
  if (setup.functionName !== 'setup') throw new Error('The deployment does not set a wallet up.');
  return BigInt(setup.args[0].length);
}
