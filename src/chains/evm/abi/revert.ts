import { type Abi, type AbiParameter, decodeErrorResult, parseAbi } from 'viem';
import { walletModuleAbi } from '../../../../contracts/index.ts';
import type { Json } from '../../../lib/json/json.ts';
import { storableText } from '../../../lib/json/storable-text.ts';
import { readAbiParams } from './abi-values.ts';
import type { Hex } from './words.ts';

/** What a revert says, for people and for programs. */
export interface Revert {
  /** One line, e.g. `ERC20InsufficientBalance(sender: 0x…, balance: 5, needed: 7)`. */
  readonly reason: string;
  /** Of a named error: `{name, args}`. */
  readonly reasonData?: Json;
}

const reasonLengthMax = 500;
const textLengthMax = 1_000;
const errorEntriesMax = 300;

/**
 * Errors of widespread contracts (OpenZeppelin 5, Permit2, WETH and their like), for calls that
 * came without an ABI.
 */
const knownErrors = parseAbi([
  'error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)',
  'error ERC20InsufficientAllowance(address spender, uint256 allowance, uint256 needed)',
  'error ERC20InvalidSender(address sender)',
  'error ERC20InvalidReceiver(address receiver)',
  'error ERC20InvalidApprover(address approver)',
  'error ERC20InvalidSpender(address spender)',
  'error ERC721InvalidOwner(address owner)',
  'error ERC721NonexistentToken(uint256 tokenId)',
  'error ERC721IncorrectOwner(address sender, uint256 tokenId, address owner)',
  'error ERC721InvalidSender(address sender)',
  'error ERC721InvalidReceiver(address receiver)',
  'error ERC721InsufficientApproval(address operator, uint256 tokenId)',
  'error ERC1155InsufficientBalance(address sender, uint256 balance, uint256 needed, uint256 tokenId)',
  'error ERC1155InvalidReceiver(address receiver)',
  'error ERC1155MissingApprovalForAll(address operator, address owner)',
  'error ERC1155InvalidArrayLength(uint256 idsLength, uint256 valuesLength)',
  'error ERC1155InvalidSender(address sender)',
  'error ERC2612ExpiredSignature(uint256 deadline)',
  'error ERC2612InvalidSigner(address signer, address owner)',
  'error ERC20ExceededCap(uint256 increasedSupply, uint256 cap)',
  'error ERC4626ExceededMaxDeposit(address receiver, uint256 assets, uint256 max)',
  'error ERC4626ExceededMaxMint(address receiver, uint256 shares, uint256 max)',
  'error ERC4626ExceededMaxWithdraw(address owner, uint256 assets, uint256 max)',
  'error ERC4626ExceededMaxRedeem(address owner, uint256 shares, uint256 max)',
  'error SafeERC20FailedOperation(address token)',
  'error SafeERC20FailedDecreaseAllowance(address spender, uint256 currentAllowance, uint256 requestedDecrease)',
  'error SafeCastOverflowedUintDowncast(uint8 bits, uint256 value)',
  'error OwnableUnauthorizedAccount(address account)',
  'error OwnableInvalidOwner(address owner)',
  'error AccessControlBadConfirmation()',
  'error AccessControlEnforcedDefaultAdminRules()',
  'error InvalidAccountNonce(address account, uint256 currentNonce)',
  'error InvalidInitialization()',
  'error NotInitializing()',
  'error ECDSAInvalidSignature()',
  'error ECDSAInvalidSignatureLength(uint256 length)',
  'error ECDSAInvalidSignatureS(bytes32 s)',
  'error TimelockUnauthorizedCaller(address caller)',
  'error StringsInsufficientHexLength(uint256 value, uint256 length)',
  'error AccessControlUnauthorizedAccount(address account, bytes32 neededRole)',
  'error AddressEmptyCode(address target)',
  'error InsufficientBalance(uint256 balance, uint256 needed)',
  'error FailedCall()',
  'error FailedInnerCall()',
  'error EnforcedPause()',
  'error ExpectedPause()',
  'error ReentrancyGuardReentrantCall()',
  'error OnlyOwner()',
]);

/** Codes of `Panic(uint256)` in Solidity's documentation. */
const panicReasons: Readonly<Record<string, string>> = {
  '1': 'an assertion failed',
  '17': 'arithmetic overflow or underflow',
  '18': 'division by zero',
  '33': 'a value is not in the enumeration',
  '34': 'a byte array in storage is broken',
  '49': 'pop from an empty array',
  '50': 'array index out of bounds',
  '65': 'too much memory',
  '81': 'call of an uninitialised function',
};

/** What a Safe 1.4.1 means by the texts it reverts with; a wallet meets them at other Safes too. */
const safeReasons: Readonly<Record<string, string>> = {
  GS000: 'the Safe could not finish its set-up',
  GS010: 'the Safe was given too little gas',
  GS013: 'the call that the Safe was to make failed',
  GS020: 'the Safe misses signatures',
  GS021: 'a contract signature points to a wrong place',
  GS022: 'a contract signature has a wrong length',
  GS023: 'a contract signature is cut off',
  GS024: 'an owner that is a contract did not sign',
  GS025: 'an owner has not approved the hash',
  GS026: 'a signature is of nobody who owns the Safe, or out of order',
  GS031: 'only the Safe itself may call this',
  GS103: 'the module is not enabled',
  GS104: 'the caller is no module of the Safe',
  GS200: 'the Safe is set up already',
  GS201: 'the threshold is above the number of owners',
  GS203: 'the address cannot own a Safe',
  GS204: 'the address owns the Safe already',
  GS205: 'the address does not own the Safe',
};

/**
 * Says what revert data means.
 * @param abi ABI of the failing call as the caller sent it, unchecked; its errors are looked up
 * first
 */
export function decodeRevert(data: Hex, abi?: readonly unknown[]): Revert {
  if (data === '0x') return { reason: 'reverted without a reason' };
  const candidates: readonly Abi[] = [readErrors(abi), knownErrors, walletModuleAbi];
  for (const errors of candidates) {
    const decoded = tryDecode(errors, data);
    if (decoded) return decoded;
  }
  return { reason: `reverted with an unknown error ${data.slice(0, 10)}` };
}

function tryDecode(abi: Abi, data: Hex): Revert | undefined {
  try {
    // `Error(string)` and `Panic(uint256)` are known to the decoder.
    const { errorName, args, abiItem } = decodeErrorResult({ abi, data });
    const values: readonly unknown[] = args ?? [];
    if (errorName === 'Error')
      return { reason: explainText(cleanText(String(values[0]), reasonLengthMax)) };
    if (errorName === 'Panic')
      return { reason: panicReasons[String(values[0])] ?? `panic ${String(values[0])}` };
    const inputs: readonly AbiParameter[] =
      'inputs' in abiItem && abiItem.inputs ? abiItem.inputs : [];
    const named = inputs.map((input, index): [string, Json] => [
      input.name || String(index),
      toJson(values[index]),
    ]);
    const text = named
      .map(
        ([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
      )
      .join(', ');
    return {
      reason: cleanText(`${errorName}(${text})`, reasonLengthMax),
      reasonData: { name: errorName, args: Object.fromEntries(named) },
    };
  } catch {
    return undefined;
  }
}

function explainText(text: string): string {
  if (text === '') return 'reverted with an empty reason';
  return Object.hasOwn(safeReasons, text) ? `${text} (${safeReasons[text]})` : text;
}

/** The errors of a foreign ABI that can be read; the rest is left out. */
function readErrors(abi: readonly unknown[] | undefined): Abi {
  const errors: Abi[number][] = [];
  for (const entry of abi ?? []) {
    const { type, name, inputs } = (entry ?? {}) as {
      type?: unknown;
      name?: unknown;
      inputs?: unknown;
    };
    if (type !== 'error' || typeof name !== 'string' || !/^[A-Za-z_$][\w$]{0,127}$/.test(name))
      continue;
    const params = readAbiParams(inputs ?? []);
    if (params) errors.push({ type: 'error', name, inputs: params as readonly AbiParameter[] });
    if (errors.length >= errorEntriesMax) break;
  }
  return errors;
}

function toJson(value: unknown): Json {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'string') return cleanText(value, textLengthMax);
  if (typeof value === 'boolean' || typeof value === 'number') return value;
  if (Array.isArray(value)) return value.slice(0, 100).map(toJson);
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, toJson(inner)]));
  return null;
}

/**
 * A contract chooses these texts: no controls, no characters that turn the direction of writing, no
 * lone surrogates.
 */
export function cleanText(text: string, lengthMax: number): string {
  return storableText(
    text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu, '').trim(),
    lengthMax,
  );
}
