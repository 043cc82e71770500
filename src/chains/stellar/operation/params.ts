import { z } from 'zod';
import { ServiceError } from '../../../lib/errors.ts';
import type { JsonObject } from '../../../lib/json/json.ts';
import type { WalletType } from '../../family.ts';
import { readStellarAddress } from '../strkey.ts';

/** `params` of wallets on Stellar (supplement, section 6). */

const contractId = z
  .string()
  .refine(
    (text) => readStellarAddress(text)?.kind === 'C',
    'must be the address of a contract, C…',
  );

/** The network counts bytes of a text, and numbers have 64 bits. */
const memoBytesMax = 28;
const memoIdMax = 2n ** 64n - 1n;

const memoSchema = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('text'),
    value: z
      .string()
      .min(1)
      .max(memoBytesMax)
      .refine(
        (text) => Buffer.byteLength(text) <= memoBytesMax,
        `must have at most ${memoBytesMax} bytes: other letters than a to z take two and more`,
      ),
  }),
  z.strictObject({
    type: z.literal('id'),
    value: z
      .string()
      .regex(/^(?:0|[1-9]\d{0,19})$/)
      .refine(
        (text) => !/^\d+$/.test(text) || BigInt(text) <= memoIdMax,
        `must be at most ${memoIdMax}`,
      ),
  }),
  z.strictObject({ type: z.literal('hash'), value: z.string().regex(/^[0-9a-fA-F]{64}$/) }),
]);
export type Memo = z.infer<typeof memoSchema>;

const contractCallSchema = z.strictObject({
  type: z.literal('contract-call'),
  contractId,
  method: z.string().regex(/^[A-Za-z0-9_]{1,32}$/),
  args: z
    .record(z.string(), z.unknown())
    .describe('By the names that the contract gives its parameters; big numbers as decimal text.'),
  memo: memoSchema
    .optional()
    .describe(
      'Of a transfer to an account, type `id`: the network takes no memo beside a call of a contract, the number stands in the recipient.',
    ),
});
const serializedSchema = z.strictObject({
  type: z.literal('serialized-transaction'),
  serializedTransaction: z
    .string()
    .min(1)
    .describe(
      'A transaction with one call of a contract, XDR in base64. Source, sequence number, fee and resources are those of the service.',
    ),
  contractId: contractId.describe('The contract that it calls.'),
});
const accountSerializedSchema = serializedSchema.extend({
  serializedTransaction: z
    .string()
    .min(1)
    .describe(
      'A transaction with one call of a contract, or with classic operations of the wallet, XDR in base64. Sequence number, time bounds, fee and resources are those of the service; a fee bump of it pays for classic operations.',
    ),
  contractId: contractId
    .optional()
    .describe('The contract that it calls; absent beside classic operations, which call none.'),
});
const upgradeSchema = z.strictObject({ type: z.literal('upgrade-wallet') });
const migrateSchema = z.strictObject({ type: z.literal('migrate-wallet') });

export const stellarTransactionParams = {
  smart: z.strictObject({
    transaction: z.discriminatedUnion('type', [
      contractCallSchema,
      upgradeSchema,
      migrateSchema,
      serializedSchema,
    ]),
  }),
  mpc: z.strictObject({
    transaction: z.discriminatedUnion('type', [contractCallSchema, accountSerializedSchema]),
  }),
};

export type TransactionParams = z.infer<
  (typeof stellarTransactionParams)['smart' | 'mpc']
>['transaction'];

/** @throws validation-error */
export function readTransactionParams(type: WalletType, params: JsonObject): TransactionParams {
  const { data, error } = stellarTransactionParams[type].safeParse(params);
  if (data) return data.transaction;
  const [issue] = error.issues;
  throw new ServiceError('validation-error', {
    message: `params.${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'is not valid'}.`,
  });
}
