import { z } from 'zod';
import { ServiceError } from '../../../lib/errors.ts';
import type { JsonObject } from '../../../lib/json.ts';
import { type Program, readProgram } from './program.ts';
import { checkSponsored } from './sponsor.ts';

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
  /** As answered. */
  readonly params: JsonObject;
}

/** @throws validation-error what cannot be read, transaction-invalid what the service does not pay for */
export function readTransactionParams(params: JsonObject, wallet: string): TransactionParams {
  const read = suiTransactionParamsSchema.safeParse(params);
  if (!read.success) {
    const [issue] = read.error.issues;
    throw new ServiceError('validation-error', { message: `params.${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'is not valid'}.` });
  }
  const { transaction } = read.data;
  const program = refusing('validation-error', () => readProgram(transaction, wallet));
  refusing('transaction-invalid', () => checkSponsored(program));
  return { program, params: { transaction } };
}

function refusing<T>(code: 'validation-error' | 'transaction-invalid', run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof TypeError) throw new ServiceError(code, { message: `params.transaction ${error.message}.` });
    throw error;
  }
}
