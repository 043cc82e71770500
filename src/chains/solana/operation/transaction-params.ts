import { z } from 'zod';
import { ServiceError } from '../../../lib/errors.ts';
import type { JsonObject } from '../../../lib/json/json.ts';
import { type Message, readTransaction } from './message.ts';

const locatorsMax = 10;

/** `params` of wallets on Solana (supplement, section 6). */
export const solanaTransactionParamsSchema = z.strictObject({
  transaction: z
    .string()
    .min(1)
    .describe(
      'A serialised transaction, legacy or version 0, in base58. Lifetime, fee payer and compute budget are replaced by those of the service; signatures are not needed.',
    ),
  requiredSigners: z
    .array(z.string().min(1).max(300))
    .max(locatorsMax)
    .optional()
    .describe(
      'Locators of those who sign beside the wallet because an instruction names them, `external-wallet:<address>` or `server:<address>`: each is asked for an approval. Of a quorum also the members that will sign; without any the first ones.',
    ),
  feeConfig: z
    .strictObject({
      feePayer: z
        .literal('svc', 'must be "svc": the service pays the fees of all wallets')
        .describe('The service.'),
      amount: z
        .string()
        .max(40)
        .optional()
        .describe('In whole SOL. Of an answer: what is paid is worked out anew.'),
    })
    .optional()
    .describe('As answered for smart wallets: who pays. The service does, so it need not be sent.'),
});

export interface TransactionParams {
  readonly message: Message;
  readonly requiredSigners: readonly string[];
  /** As answered. */
  readonly params: JsonObject;
}

/** @throws validation-error */
export function readTransactionParams(params: JsonObject): TransactionParams {
  const read = solanaTransactionParamsSchema.safeParse(params);
  if (!read.success) {
    const [issue] = read.error.issues;
    throw new ServiceError('validation-error', {
      message: `params.${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'is not valid'}.`,
    });
  }
  const { transaction, requiredSigners } = read.data;
  try {
    const answered =
      requiredSigners === undefined ? { transaction } : { transaction, requiredSigners };
    return {
      message: readTransaction(transaction),
      requiredSigners: requiredSigners ?? [],
      params: answered,
    };
  } catch (error) {
    if (error instanceof TypeError)
      throw new ServiceError('validation-error', {
        message: `params.transaction ${error.message}.`,
      });
    throw error;
  }
}
