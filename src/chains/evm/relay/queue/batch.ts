import { decodeFunctionResult, toFunctionSelector } from 'viem/utils';
import { batchExecutorAbi } from '../../../../../contracts/index.ts';
import { bytesTail, type Hex, wordOf } from '../../abi/words.ts';
import { encodeOperationArguments } from '../../operation/operation.ts';
import { relayLimits } from '../spending/limits.ts';
import type { RelayItem } from '../types.ts';

/** What one item came to in a simulated batch. */
export interface ItemResult {
  /** False: the item was refused and its nonce is not used. */
  readonly executed: boolean;
  readonly success: boolean;
  readonly returnData: Hex;
  readonly gasUsed: bigint;
}

const executeBatch = batchExecutorAbi.find(
  (entry) => entry.type === 'function' && entry.name === 'executeBatch',
);
if (executeBatch?.type !== 'function')
  throw new Error('BatchExecutor has no function executeBatch.');
const selector = toFunctionSelector(executeBatch).slice(2);

/**
 * Beside its cap an item costs the encoding of the module call and keeps gas back for its result
 * and event.
 */
const itemOverheadGas = 30_000n;
/**
 * For the event of a refused item the module hashes the operation once more: up to 1,600 for each
 * call where there are hundreds.
 */
const refusalGasPerCall = 2_000n;
const batchOverheadGas = 60_000n;
const transactionGas = 21_000n;
/** Gas of a batch without its items. */
export const batchFrameGas = transactionGas + batchOverheadGas;
/** Floor price of the word in the head of a batch that says where an item is. */
const offsetFloorGas = 32n * 40n;

/** The ABI encoding of one `Item`, ready to be put in a batch. */
export function encodeItem(
  item: Pick<RelayItem, 'op' | 'signature' | 'deployment' | 'gasLimit'>,
): Buffer {
  // `(Operation, bytes)` without its two offsets is what stands behind the four head words of an
  // item.
  const operationAndSignature = encodeOperationArguments(item.op, item.signature).slice(128);
  const operationAt = 0x80;
  const deploymentAt = operationAt + operationAndSignature.length / 2;
  const signatureAt = deploymentAt - bytesTail(item.signature).length / 2;
  return Buffer.from(
    wordOf(operationAt) +
      wordOf(signatureAt) +
      wordOf(deploymentAt) +
      wordOf(item.gasLimit) +
      operationAndSignature +
      bytesTail(item.deployment),
    'hex',
  );
}

/** Calldata of `executeBatch` with these items in this order. */
export function encodeBatch(items: readonly Uint8Array[]): Buffer {
  let head = `${selector}${wordOf(0x20)}${wordOf(items.length)}`;
  let offset = items.length * 32;
  for (const item of items) {
    head += wordOf(offset);
    offset += item.length;
  }
  return Buffer.concat([Buffer.from(head, 'hex'), ...items]);
}

/**
 * What an item adds to a batch's gas limit: its cap, its calldata, and what the executor contract
 * does around it; at least the floor price of its calldata, below which a node refuses the
 * transaction. As each item brings its own floor, so does every batch of them.
 */
export function itemGas(
  item: Uint8Array,
  { gasLimit, callCount }: { readonly gasLimit: bigint; readonly callCount: number },
): bigint {
  // Two memory copies and their expansion come to about one gas per byte.
  const spent =
    gasLimit +
    itemOverheadGas +
    refusalGasPerCall * BigInt(callCount) +
    calldataGas(item) +
    BigInt(item.length);
  const floor = calldataFloorGas(item) + offsetFloorGas;
  return spent > floor ? spent : floor;
}

/**
 * Gas limit of a batch whose items add up to `itemsGas`, the largest cap among them being `capMax`.
 */
export function batchGas(itemsGas: bigint, capMax: bigint): bigint {
  // A call passes on 63/64 of what is left, so the last item needs a 63rd of its cap on top.
  return transactionGas + batchOverheadGas + itemsGas + capMax / 63n + 1n;
}

/** The most gas that a batch may ask for on a chain with this block gas limit. */
export function batchGasMax(blockGasLimit: bigint): bigint {
  const share =
    (blockGasLimit * relayLimits.blockShareNumerator) / relayLimits.blockShareDenominator;
  return share < relayLimits.batchGasMax ? share : relayLimits.batchGasMax;
}

/** The most that the items of one batch may add up to on a chain with this block gas limit. */
export function itemsGasMax(blockGasLimit: bigint): bigint {
  return ((batchGasMax(blockGasLimit) - transactionGas - batchOverheadGas) * 63n) / 64n;
}

/** What calldata costs before anything runs (EIP-2028). */
function calldataGas(bytes: Uint8Array): bigint {
  return 4n * calldataTokens(bytes);
}

/**
 * The least that a transaction with this calldata pays beside its 21,000, however little it runs
 * (EIP-7623).
 */
export function calldataFloorGas(bytes: Uint8Array): bigint {
  return 10n * calldataTokens(bytes);
}

/** In the words of EIP-7623: a zero byte is one token, another four. */
function calldataTokens(bytes: Uint8Array): bigint {
  let zeros = 0;
  for (const byte of bytes) if (byte === 0) zeros++;
  return BigInt(zeros + (bytes.length - zeros) * 4);
}

/** @throws when the answer is not that of `executeBatch`, e.g. because no contract stands there */
export function decodeBatchResult(data: Hex): readonly ItemResult[] {
  return decodeFunctionResult({
    abi: [executeBatch as Extract<(typeof batchExecutorAbi)[number], { name: 'executeBatch' }>],
    functionName: 'executeBatch',
    data,
  });
}
