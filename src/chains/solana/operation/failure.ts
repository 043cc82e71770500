import { ServiceError } from '../../../lib/errors.ts';
import type { Json, JsonObject } from '../../../lib/json/json.ts';
import { formatAmount } from '../../../lib/money/amount.ts';
import type { OperationError, TransferIntent } from '../../family.ts';
import { readTokenAccount } from './layout.ts';
import type { ChainAccount } from './node.ts';

const logsMax = 100;
const logLengthMax = 1_000;

/**
 * `error` of an operation that a program, or the cluster itself, refuses (supplement, section 6).
 */
export function programError(err: Json, logs: readonly string[]): OperationError {
  return {
    reason: 'program_error',
    message: sentenceOf(err, logs),
    logs: logs.slice(0, logsMax).map((line) => line.slice(0, logLengthMax)),
  };
}

/** @throws transaction-simulation-failed, always */
export function simulationFailed(err: Json, logs: readonly string[]): ServiceError {
  const error = programError(err, logs);
  return new ServiceError('transaction-simulation-failed', {
    message: error.message,
    details: { error, message: error.message },
  });
}

const known: Readonly<Record<string, string>> = {
  AccountNotFound: 'An account that pays does not exist.',
  BlockhashNotFound: 'The lifetime of the transaction is over.',
  InsufficientFundsForFee: 'The fee payer cannot pay the fee.',
  InsufficientFundsForRent:
    'An account would hold less than the least that the cluster lets an account hold.',
  InvalidRentPayingAccount:
    'An account would hold less than the least that the cluster lets an account hold.',
  MaxLoadedAccountsDataSizeExceeded: 'The accounts hold more data than a transaction may load.',
  ProgramAccountNotFound: 'A program that is called does not exist.',
};

function sentenceOf(err: Json, logs: readonly string[]): string {
  const said = logs
    .findLast((line) =>
      /^Program log: (?:Error|AnchorError|Instruction failed|panicked)/i.test(line),
    )
    ?.slice('Program log: '.length);
  const because = said === undefined ? '' : ` (${printable(said).slice(0, 200)})`;
  const kind = typeof err === 'string' ? err : Object.keys((err ?? {}) as JsonObject)[0];
  const inner =
    typeof err === 'object' && err !== null ? (err as JsonObject)['InstructionError'] : undefined;
  if (!Array.isArray(inner))
    return known[kind ?? ''] ?? `The cluster refuses the transaction: ${kind ?? 'unknown error'}.`;
  const [, reason] = inner as [number, Json];
  const custom =
    typeof reason === 'object' && reason !== null ? (reason as JsonObject)['Custom'] : undefined;
  const what =
    custom === undefined
      ? String(typeof reason === 'string' ? reason : JSON.stringify(reason))
      : `error ${String(custom)}`;
  const program = logs.findLast((line) => /^Program \w+ failed/.test(line))?.split(' ')[1];
  return `${program === undefined ? 'A program' : `The program ${program}`} refuses the transaction: ${what}${because}.`;
}

/** Programs write what they like. */
function printable(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, ' ');
}

/** Too little of what is sent is told as such, whatever words the programs have for it. */
export function insufficientBalance(
  { token, amountMinor }: TransferIntent,
  account: ChainAccount | undefined,
  leastLamports: bigint,
): ServiceError | undefined {
  const have =
    token.address === undefined
      ? (account?.lamports ?? 0n)
      : (readTokenAccount(account)?.amount ?? 0n);
  const unit = token.symbol ?? token.address ?? '';
  const format = (amount: bigint) => `${formatAmount(amount, token.decimals)} ${unit}`;
  if (have < amountMinor)
    return new ServiceError('insufficient-balance', {
      message: `The wallet has ${format(have)} on "${token.chain}", the transfer needs ${format(amountMinor)}.`,
    });
  const rest = have - amountMinor;
  if (token.address !== undefined || rest === 0n || rest >= leastLamports) return undefined;
  return new ServiceError('insufficient-balance', {
    message: `The transfer would leave ${format(rest)} in the wallet; the cluster lets an account hold nothing, or ${format(leastLamports)} and more.`,
  });
}
