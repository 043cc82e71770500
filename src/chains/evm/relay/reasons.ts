import { decodeErrorResult, parseAbi } from 'viem/utils';
import { batchExecutorAbi, walletModuleAbi } from '../../../../contracts/index.ts';
import type { OperationError } from '../../family.ts';
import type { Hex } from '../words.ts';
import type { ItemResult } from './batch.ts';

/** Revert data in words: errors of our contracts, of Solidity, of OpenZeppelin's tokens and of the Safe. */

const commonErrors = parseAbi([
  'error Error(string)',
  'error Panic(uint256)',
  'error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)',
  'error ERC20InsufficientAllowance(address spender, uint256 allowance, uint256 needed)',
  'error ERC20InvalidSender(address sender)',
  'error ERC20InvalidReceiver(address receiver)',
  'error ERC721NonexistentToken(uint256 tokenId)',
  'error ERC721IncorrectOwner(address sender, uint256 tokenId, address owner)',
  'error ERC721InsufficientApproval(address operator, uint256 tokenId)',
  'error ERC1155InsufficientBalance(address sender, uint256 balance, uint256 needed, uint256 tokenId)',
  'error OwnableUnauthorizedAccount(address account)',
  'error EnforcedPause()',
]);
const ownErrors = [...walletModuleAbi, ...batchExecutorAbi].filter((entry) => entry.type === 'error');

const panics: Readonly<Record<string, string>> = {
  '1': 'assertion failed', '17': 'arithmetic overflow', '18': 'division by zero', '33': 'bad enum value', '34': 'bad storage encoding',
  '49': 'pop of an empty array', '50': 'index out of bounds', '65': 'out of memory', '81': 'call of an empty function',
};

export interface RevertReason {
  /** Name of the error; `Error` for a plain text. Absent when the data is of no known form. */
  readonly name?: string;
  readonly args: readonly unknown[];
  /** A sentence fragment for people. */
  readonly text: string;
}

/** Reads revert data. Unknown errors are named by their selector. */
export function readRevert(data: Hex): RevertReason {
  if (data === '0x') return { args: [], text: 'no reason given (out of gas, or a plain revert)' };
  const known = decodeWith(commonErrors, data) ?? decodeWith(ownErrors, data);
  if (!known) return { args: [], text: `unknown error ${data.slice(0, 10)}` };
  if (known.name === 'Error') return { ...known, text: String(known.args[0]) };
  if (known.name === 'Panic') return { ...known, text: `panic: ${panics[String(known.args[0])] ?? `code ${String(known.args[0])}`}` };
  return { ...known, text: `${known.name}(${known.args.map((arg) => (typeof arg === 'object' ? '…' : String(arg))).join(', ')})` };
}

function decodeWith(abi: Parameters<typeof decodeErrorResult>[0]['abi'], data: Hex): { name: string; args: readonly unknown[] } | undefined {
  try {
    const { errorName, args } = decodeErrorResult({ abi: abi as typeof commonErrors, data });
    return { name: errorName, args: (args as readonly unknown[] | undefined) ?? [] };
  } catch {
    return undefined;
  }
}

/** Reasons for which the module refuses an operation now that say nothing about whether it ran before. */
export function refusalKind(returnData: Hex): 'nonce-used' | 'expired' | 'not-yet-valid' | 'other' {
  const { name } = readRevert(returnData);
  if (name === 'NonceAlreadyUsed') return 'nonce-used';
  if (name === 'OperationExpired') return 'expired';
  if (name === 'OperationNotYetValid') return 'not-yet-valid';
  return 'other';
}

/** `error` of an operation whose calls ran and reverted. */
export function revertedError(returnData: Hex, explorerLink?: string): OperationError {
  const { text } = readRevert(returnData);
  return {
    reason: 'execution_reverted',
    message: `The call reverted: ${text}.`,
    revertData: returnData,
    revert: { type: 'contract_call', reason: text, reasonData: returnData, explorerLink },
  };
}

/** `error` of an operation that the module or the batch contract refused, before its calls ran. */
export function refusedError(result: Pick<ItemResult, 'returnData'>): OperationError {
  const { name, text } = readRevert(result.returnData);
  const revert = (type: 'wallet_authorization' | 'wallet_deployment', message: string): OperationError => ({
    reason: 'execution_reverted', message: `${message}: ${text}.`, revertData: result.returnData, revert: { type, reason: text, reasonData: result.returnData },
  });
  switch (name) {
    case 'OperationExpired':
      return expiredError();
    case 'NonceAlreadyUsed':
      return { reason: 'failed_to_land_on_chain', message: 'The nonce of the operation was used or cancelled by something else. Create it again.' };
    case 'OperationNotYetValid':
      return { reason: 'failed_to_land_on_chain', message: 'The operation is not valid yet.' };
    case 'InsufficientGas':
    case 'InsufficientBatchGas':
      return { reason: 'failed_to_land_on_chain', message: 'The operation needs more gas than it was given. Create it again.', revertData: result.returnData };
    case 'WalletAddressMismatch':
    case 'NotASafeWallet':
      return revert('wallet_deployment', 'The wallet is not deployed, or not as expected');
    case 'UnknownSigner':
    case 'SignatureTooShort':
      return revert('wallet_authorization', 'The wallet refused the signature');
    default:
      // The Safe's own refusals of signatures are texts from GS020 to GS026.
      if (/^GS02\d$/.test(text)) return revert('wallet_authorization', 'The wallet refused the signature');
      return { reason: 'failed_to_land_on_chain', message: `The wallet refused the operation: ${text}.`, revertData: result.returnData };
  }
}

/** `error` of an operation whose validity ended before it was executed. */
export function expiredError(): OperationError {
  return { reason: 'failed_to_land_on_chain', message: 'The operation expired before it was included in a block. Create it again.' };
}

/** `error` of an operation that batches landed without, again and again. */
export function gaveUpError(tries: number): OperationError {
  return { reason: 'failed_to_land_on_chain', message: `The operation did not run in ${tries} transactions that were to carry it.` };
}
