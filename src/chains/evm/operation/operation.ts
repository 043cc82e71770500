import { toFunctionSelector } from 'viem';
import {
  addresses,
  type Operation,
  type OperationCall,
  operationTypedData,
  walletModuleAbi,
} from '../../../../contracts/index.ts';
import type { JsonObject } from '../../../lib/json/json.ts';
import { keccakOfHex, keccakOfText } from '../abi/keccak.ts';
import { bytesTail, type Hex, wordOf, wordOfAddress } from '../abi/words.ts';

/**
 * Operations of the wallet module, encoded and hashed for the hot path. `contracts/index.ts` says
 * the same in the generic way; the tests hold the two together.
 */

const callTypeHash = keccakOfText('Call(address to,uint256 value,bytes data)');
const operationTypeHash = keccakOfText(
  'Operation(address wallet,Call[] calls,uint256 nonce,uint64 epoch,uint48 validAfter,uint48 validUntil,uint256 callGas)Call(address to,uint256 value,bytes data)',
);
const domainTypeHash = keccakOfText(
  'EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)',
);
const moduleNameHash = keccakOfText('Purser WalletModule');
const moduleVersionHash = keccakOfText('1');

export const simulateSelector = selectorOf('simulate');
const executeSelector = selectorOf('execute');
const simulateAsSelector = selectorOf('simulateAs');

const operationHeadWords = 7;
const domainSeparators = new Map<number, string>();

function selectorOf(name: 'simulate' | 'simulateAs' | 'execute'): string {
  const item = walletModuleAbi.find((entry) => entry.type === 'function' && entry.name === name);
  if (item?.type !== 'function') throw new Error(`WalletModule has no function ${name}.`);
  return toFunctionSelector(item).slice(2);
}

/** The EIP-712 hash of the operation: what its signers sign and what names it on chain. */
export function hashOperation(chainId: number, operation: Operation): Hex {
  return `0x${keccakOfHex(operationPreimage(chainId, operation).slice(2))}`;
}

/** What the operation's hash is the hash of: a Safe hands it to owners that are contracts. */
export function operationPreimage(chainId: number, operation: Operation): Hex {
  const structHash = keccakOfHex(
    operationTypeHash +
      wordOfAddress(operation.wallet) +
      keccakOfHex(operation.calls.map(hashCall).join('')) +
      wordOf(operation.nonce) +
      wordOf(operation.epoch) +
      wordOf(operation.validAfter) +
      wordOf(operation.validUntil) +
      wordOf(operation.callGas),
  );
  return `0x1901${domainSeparator(chainId)}${structHash}`;
}

const domainFields = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
];

/**
 * The operation as wallet software takes it for `eth_signTypedData_v4`: integers as decimal text.
 */
export function operationTypedDataJson(chainId: number, operation: Operation): JsonObject {
  const { domain, types, primaryType } = operationTypedData(chainId, operation);
  return {
    domain,
    types: { EIP712Domain: domainFields, ...types },
    primaryType,
    message: {
      wallet: operation.wallet,
      calls: operation.calls.map(({ to, value, data }) => ({ to, value: value.toString(), data })),
      nonce: operation.nonce.toString(),
      epoch: operation.epoch.toString(),
      validAfter: operation.validAfter.toString(),
      validUntil: operation.validUntil.toString(),
      callGas: operation.callGas.toString(),
    },
  };
}

function hashCall(call: OperationCall): string {
  return keccakOfHex(
    callTypeHash + wordOfAddress(call.to) + wordOf(call.value) + keccakOfHex(call.data.slice(2)),
  );
}

/** Bounded by the number of networks. */
function domainSeparator(chainId: number): string {
  let separator = domainSeparators.get(chainId);
  if (separator === undefined) {
    separator = keccakOfHex(
      domainTypeHash +
        moduleNameHash +
        moduleVersionHash +
        wordOf(chainId) +
        wordOfAddress(addresses.walletModule),
    );
    domainSeparators.set(chainId, separator);
  }
  return separator;
}

/** Arguments `(Operation, bytes)`, which `execute` and `simulate` share, as hex without `0x`. */
export function encodeOperationArguments(operation: Operation, bytes: Hex): string {
  const encoded = encodeOperation(operation);
  return wordOf(0x40) + wordOf(0x40 + encoded.length / 2) + encoded + bytesTail(bytes);
}

/** Calldata of `simulateAs`: what a delegate's operation would do. */
export function encodeSimulateAs(
  operation: Operation,
  deployment: Hex,
  delegate: { signerId: Hex; scopeIndexes: readonly number[] },
): Hex {
  const encoded = encodeOperation(operation);
  const deploymentTail = bytesTail(deployment);
  const indexes: Hex = `0x${delegate.scopeIndexes.map((index) => index.toString(16).padStart(2, '0')).join('')}`;
  const operationAt = 0x80;
  const deploymentAt = operationAt + encoded.length / 2;
  const head =
    wordOf(operationAt) +
    wordOf(deploymentAt) +
    delegate.signerId.slice(2) +
    wordOf(deploymentAt + deploymentTail.length / 2);
  return `0x${simulateAsSelector}${head}${encoded}${deploymentTail}${bytesTail(indexes)}`;
}

function encodeOperation(operation: Operation): string {
  let offset = operation.calls.length * 32;
  let offsets = '';
  let tails = '';
  for (const call of operation.calls) {
    const tail = wordOfAddress(call.to) + wordOf(call.value) + wordOf(0x60) + bytesTail(call.data);
    offsets += wordOf(offset);
    tails += tail;
    offset += tail.length / 2;
  }
  const head =
    wordOfAddress(operation.wallet) +
    wordOf(operationHeadWords * 32) +
    wordOf(operation.nonce) +
    wordOf(operation.epoch) +
    wordOf(operation.validAfter) +
    wordOf(operation.validUntil) +
    wordOf(operation.callGas);
  return head + wordOf(operation.calls.length) + offsets + tails;
}

/**
 * Calldata of `execute` as the user operation of the answer shows it; the signature is empty until
 * there is one.
 */
export function encodeExecute(operation: Operation, signature: Hex): Hex {
  return `0x${executeSelector}${encodeOperationArguments(operation, signature)}`;
}

/** Gas that the calldata of a transaction costs before anything runs (EIP-2028). */
export function calldataGas(hex: string): number {
  return 4 * calldataTokens(hex);
}

/**
 * The least that a transaction with this calldata pays beside its 21,000, however little it runs
 * (EIP-7623).
 */
export function calldataFloorGas(hex: string): number {
  return 10 * calldataTokens(hex);
}

/** In the words of EIP-7623: a zero byte is one token, another four. */
function calldataTokens(hex: string): number {
  let tokens = 0;
  for (let index = hex.startsWith('0x') ? 2 : 0; index < hex.length; index += 2) {
    tokens += hex.charCodeAt(index) === 48 && hex.charCodeAt(index + 1) === 48 ? 1 : 4;
  }
  return tokens;
}
