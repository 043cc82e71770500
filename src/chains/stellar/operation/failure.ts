import { walletErrorOf } from '../../../../contracts/stellar/index.ts';
import { ServiceError } from '../../../lib/errors.ts';
import type { OperationError } from '../../family.ts';

/** What the network says about a call that fails, as callers read it (supplement, section 6). */

const logsMax = 50;
const logLengthMax = 500;

/** Of the contracts of assets (CAP-46-6), which others may use for something else. */
const tokenErrors: Readonly<Record<number, string>> = {
  6: 'an account does not exist',
  8: 'an amount is negative',
  9: 'the allowance does not suffice',
  10: 'the balance does not suffice',
  11: 'an account may not hold this asset',
  13: 'an account has no trust line for this asset',
  14: 'an account would hold less than its reserve',
};

/** The code of a contract's own error in the text of a failure; undefined when it is none. */
export function contractErrorOf(text: string): number | undefined {
  const code = /Error\(Contract, #(\d{1,9})\)/.exec(text)?.[1];
  return code === undefined ? undefined : Number(code);
}

/** Why `__check_auth` of a wallet refused; undefined when it was something else. */
function walletErrorIn(text: string): string | undefined {
  if (!/Error\(Auth, |__check_auth/.test(text)) return undefined;
  const code = contractErrorOf(text);
  return code === undefined ? undefined : walletErrorOf(code);
}

/**
 * `error` of an operation that the network refuses.
 * @param text in its own words, which contracts write too
 */
export function programError(text: string): OperationError {
  const lines = text
    .split('\n')
    .map((line) => line.replace(/[^\x20-\x7e]/g, ' ').trim())
    .filter((line) => line !== '');
  return {
    reason: 'program_error',
    message: sentenceOf(text, lines),
    logs: lines.slice(0, logsMax).map((line) => line.slice(0, logLengthMax)),
  };
}

function sentenceOf(text: string, [first = 'unknown error']: readonly string[]): string {
  const wallet = walletErrorIn(text);
  if (wallet !== undefined) return `The wallet refuses the transaction: ${wallet}.`;
  const code = contractErrorOf(text);
  const known = code === undefined ? undefined : tokenErrors[code];
  if (code !== undefined)
    return `A contract refuses the transaction: error ${code}${known === undefined ? '' : ` (of an asset: ${known})`}.`;
  return `The network refuses the transaction: ${first.slice(0, 200)}`;
}

/** @param text in the network's words */
export function simulationFailed(text: string): ServiceError {
  const error = programError(text);
  return new ServiceError('transaction-simulation-failed', {
    message: error.message,
    details: { error, message: error.message },
  });
}
