import { decodeErrorResult } from 'viem/utils';
import { batchExecutorAbi, walletModuleAbi } from '../../../../../contracts/index.ts';
import type { Json } from '../../../../lib/json/json.ts';
import type { OperationError } from '../../../family.ts';
import { decodeRevert } from '../../abi/revert.ts';
import type { Hex } from '../../abi/words.ts';
import type { ItemResult } from './batch.ts';

/** Why an operation did not run, or ran in vain, as the answer tells it. */

const ownErrors = [...walletModuleAbi, ...batchExecutorAbi].filter(
  (entry) => entry.type === 'error',
);

export interface RevertReason {
  /** Name of an error of our own contracts. */
  readonly name?: string;
  readonly args: readonly unknown[];
  /** A sentence fragment for people. */
  readonly text: string;
  readonly data?: Json;
}

/** Reads revert data, of our contracts or any other. */
export function readRevert(data: Hex): RevertReason {
  const { reason, reasonData } = decodeRevert(data, batchExecutorAbi);
  return { text: reason, data: reasonData, ...readOwnError(data) };
}

function readOwnError(data: Hex): { name?: string; args: readonly unknown[] } {
  try {
    const { errorName, args } = decodeErrorResult({ abi: ownErrors, data });
    return { name: errorName, args: args ?? [] };
  } catch {
    return { args: [] };
  }
}

/**
 * Reasons for which the module refuses an operation now that say nothing about whether it ran
 * before.
 */
export function refusalKind(returnData: Hex): 'nonce-used' | 'expired' | 'not-yet-valid' | 'other' {
  const { name } = readRevert(returnData);
  if (name === 'NonceAlreadyUsed') return 'nonce-used';
  if (name === 'OperationExpired') return 'expired';
  if (name === 'OperationNotYetValid') return 'not-yet-valid';
  return 'other';
}

/** `error` of an operation whose calls ran and reverted. */
export function revertedError(returnData: Hex, explorerLink?: string): OperationError {
  const { text, data } = readRevert(returnData);
  return {
    reason: 'execution_reverted',
    message: `The call reverts: ${text}.`,
    revertData: returnData,
    revert: { type: 'contract_call', reason: text, reasonData: data, explorerLink },
  };
}

/** `error` of an operation that the module or the batch contract refused, before its calls ran. */
export function refusedError(result: Pick<ItemResult, 'returnData'>): OperationError {
  const { name, text, data } = readRevert(result.returnData);
  const revert = (
    type: 'wallet_authorization' | 'wallet_deployment',
    message: string,
  ): OperationError => ({
    reason: 'execution_reverted',
    message: `${message}: ${text}.`,
    revertData: result.returnData,
    revert: { type, reason: text, reasonData: data },
  });
  switch (name) {
    case 'OperationExpired':
      return expiredError();
    case 'NonceAlreadyUsed':
      return {
        reason: 'failed_to_land_on_chain',
        message:
          'The nonce of the operation was used or cancelled by something else. Create it again.',
      };
    case 'WrongEpoch':
      return revert(
        'wallet_authorization',
        'What was signed for the wallet before was ended. Create the operation again',
      );
    case 'OperationNotYetValid':
      return { reason: 'failed_to_land_on_chain', message: 'The operation is not valid yet.' };
    case 'InsufficientGas':
    case 'InsufficientBatchGas':
      return {
        reason: 'failed_to_land_on_chain',
        message: 'The operation needs more gas than it was given. Create it again.',
        revertData: result.returnData,
      };
    case 'UnknownWallet':
      return revert(
        'wallet_deployment',
        'No wallet stands at the address, or its code is not the one of its kind. Create the operation again',
      );
    case 'WalletAddressMismatch':
      return revert('wallet_deployment', 'The wallet is not deployed, or not as expected');
    case 'UnknownSigner':
    case 'SignerExpired':
    case 'SignerNotYetValid':
      return revert('wallet_authorization', 'The signer may not act for the wallet');
    case 'SignatureTooShort':
    case 'InvalidSignature':
    case 'ForeignNonce':
      return revert('wallet_authorization', 'The wallet refused the signature');
    case 'SpendingLimitExceeded':
    case 'ForbiddenTarget':
    case 'ForbiddenRecipient':
    case 'NotATransfer':
    case 'ScopesMismatch':
    case 'UnknownScope':
      return revert('wallet_authorization', 'The scopes of the signer do not allow the operation');
    default:
      // The Safe's own refusals of signatures are texts from GS020 to GS026.
      if (/^GS02\d\b/.test(text))
        return revert('wallet_authorization', 'The wallet refused the signature');
      return {
        reason: 'failed_to_land_on_chain',
        message: `The wallet refused the operation: ${text}.`,
        revertData: result.returnData,
      };
  }
}

/** `error` of an operation whose validity ended before it was executed. */
export function expiredError(): OperationError {
  return {
    reason: 'failed_to_land_on_chain',
    message: 'The operation expired before it was included in a block. Create it again.',
  };
}

/** `error` of an operation that batches landed without, again and again. */
export function gaveUpError({
  tries,
  itemRefusals,
}: {
  readonly tries: number;
  readonly itemRefusals: number;
}): OperationError {
  if (itemRefusals > 0)
    return {
      reason: 'failed_to_land_on_chain',
      message:
        'The operation was refused in a block although it had run in simulation: it is not tried again. Its gas counts.',
    };
  return {
    reason: 'failed_to_land_on_chain',
    message: `The operation did not run in ${tries} transactions that were to carry it.`,
  };
}
