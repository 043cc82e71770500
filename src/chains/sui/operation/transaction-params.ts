import { z } from 'zod';
import { ServiceError } from '../../../lib/errors.ts';
import type { JsonObject } from '../../../lib/json/json.ts';
import { suiCoinType } from '../config/networks.ts';
import { type Program, readProgram } from './program.ts';
import { checkSponsored } from './sponsor.ts';
import { readTransfer, type Transfer } from './transfer-program.ts';

/** `params` of wallets on Sui (supplement, section 6). */
export const suiTransactionParamsSchema = z.strictObject({
  transaction: z
    .string()
    .min(1)
    .max(90_000)
    .describe(
      'A programmable transaction as BCS in base64: its kind alone, or whole. The service pays for it: gas, price and expiry are its own, and no command names the gas coin.',
    ),
});

export interface TransactionParams {
  readonly program: Program;
  /** What it is, word for word; absent for any other program. */
  readonly transfer?: Transfer;
  /** As answered. */
  readonly params: JsonObject;
}

/**
 * @throws validation-error what cannot be read, transaction-invalid what the service does not pay
 * for
 */
export function readTransactionParams(params: JsonObject, wallet: string): TransactionParams {
  const parsed = suiTransactionParamsSchema.safeParse(params);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new ServiceError('validation-error', {
      message: `params.${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'is not valid'}.`,
    });
  }
  const { transaction } = parsed.data;
  const program = refusing('validation-error', () => readProgram(transaction, wallet));
  const read = readTransfer(program);
  // Out of the coin that pays only its own owner may transfer: the wallet's own coins are meant
  // where it was to pay.
  const isOwn = read?.from !== 'gas' || read.transfer.coinType === suiCoinType;
  if (read && isOwn) return { program, transfer: read.transfer, params: { transaction } };
  refusing('transaction-invalid', () => checkSponsored(program));
  return { program, params: { transaction } };
}

function refusing<T>(code: 'validation-error' | 'transaction-invalid', run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof TypeError)
      throw new ServiceError(code, { message: `params.transaction ${error.message}.` });
    throw error;
  }
}
