import { z } from 'zod';

/** What a node answers, read with care: another party wrote it. */

/**
 * 64 bits without a sign: a number, or its digits where a number would be rounded (`parseExact`).
 */
export const u64Schema = z
  .union([z.int().nonnegative(), z.string().regex(/^\d{1,20}$/)])
  .transform((value) => BigInt(value));
export const addressSchema = z.string().regex(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/);
export const signatureSchema = z.string().regex(/^[1-9A-HJ-NP-Za-km-z]{64,88}$/);

export function inContext<Schema extends z.ZodType>(value: Schema) {
  return z.object({ context: z.object({ slot: u64Schema }), value });
}

const dataSchema = z
  .tuple([z.base64(), z.literal('base64')])
  .transform(([text]) => new Uint8Array(Buffer.from(text, 'base64')));

export const accountSchema = z.object({
  lamports: u64Schema,
  owner: addressSchema,
  data: dataSchema,
  executable: z.boolean(),
});
/** An account as the chain has it. */
export type Account = z.infer<typeof accountSchema>;

/** Why a transaction failed, in the words of the chain: a name, or an object of one. */
export const transactionErrorSchema = z.union([z.string(), z.record(z.string(), z.unknown())]);
export type TransactionError = z.infer<typeof transactionErrorSchema>;

export const statusSchema = z
  .object({
    slot: u64Schema,
    err: transactionErrorSchema.nullable(),
    confirmationStatus: z.enum(['processed', 'confirmed', 'finalized']).nullish(),
  })
  .nullable();
/** Null: the node knows of no such transaction. */
export type SignatureStatus = z.infer<typeof statusSchema>;

/**
 * In base58: no transfer has more, nor a memo of this service. Base58 takes a time that grows with
 * the square of its length, and strangers may give a program 10,240 bytes.
 */
const dataLengthMax = 63;

const instructionSchema = z.object({
  programIdIndex: z.int().nonnegative(),
  accounts: z.array(z.int().nonnegative()),
  /** Base58; nothing where it was longer than anything that is looked at. */
  data: z.string().transform((text) => (text.length > dataLengthMax ? '' : text)),
});
const tokenBalanceSchema = z.object({
  accountIndex: z.int().nonnegative(),
  mint: addressSchema,
  owner: addressSchema.nullish(),
  programId: addressSchema.nullish(),
  uiTokenAmount: z.object({ amount: u64Schema, decimals: z.int().min(0).max(255) }),
});
export type TokenBalanceChange = z.infer<typeof tokenBalanceSchema>;

/** What is looked at: the rest, such as logs, is most of a block and is not kept. */
const transactionMetaSchema = z.object({
  err: transactionErrorSchema.nullable(),
  fee: u64Schema,
  preBalances: z.array(u64Schema),
  postBalances: z.array(u64Schema),
  preTokenBalances: z.array(tokenBalanceSchema).nullish(),
  postTokenBalances: z.array(tokenBalanceSchema).nullish(),
  innerInstructions: z
    .array(z.object({ index: z.int().nonnegative(), instructions: z.array(instructionSchema) }))
    .nullish(),
  loadedAddresses: z
    .object({ writable: z.array(addressSchema), readonly: z.array(addressSchema) })
    .nullish(),
});

const messageSchema = z.object({
  accountKeys: z.array(addressSchema),
  instructions: z.array(instructionSchema),
  header: z.object({ numRequiredSignatures: z.int().nonnegative() }),
});

/** A transaction with its outcome, encoding `json`. */
const transactionSchema = z.object({
  transaction: z.object({ signatures: z.array(signatureSchema).min(1), message: messageSchema }),
  meta: transactionMetaSchema,
});
export type ChainTransaction = z.infer<typeof transactionSchema>;

export const blockSchema = z.object({
  blockhash: z.string(),
  parentSlot: u64Schema,
  blockTime: z.int().nullable(),
  transactions: z.array(transactionSchema),
});
export type Block = z.infer<typeof blockSchema>;

/**
 * A block as `transactionDetails: 'accounts'` tells it, in the form of a whole one: accounts of
 * lookup tables stand behind the others, and instructions are left out.
 */
export const briefBlockSchema = blockSchema.extend({
  transactions: z.array(
    z
      .object({
        transaction: z.object({
          signatures: z.array(signatureSchema).min(1),
          accountKeys: z.array(z.object({ pubkey: addressSchema, signer: z.boolean() })),
        }),
        meta: transactionMetaSchema,
      })
      .transform(
        ({ transaction: { signatures, accountKeys }, meta }): ChainTransaction => ({
          transaction: {
            signatures,
            message: {
              accountKeys: accountKeys.map(({ pubkey }) => pubkey),
              instructions: [],
              header: { numRequiredSignatures: accountKeys.filter(({ signer }) => signer).length },
            },
          },
          meta,
        }),
      ),
  ),
});

export const foundTransactionSchema = transactionSchema
  .extend({ slot: u64Schema, blockTime: z.int().nullish() })
  .nullable();

export const simulationSchema = z.object({
  err: transactionErrorSchema.nullable(),
  logs: z.array(z.string()).nullish(),
  unitsConsumed: u64Schema.nullish(),
  accounts: z.array(accountSchema.nullable()).nullish(),
  returnData: z
    .object({ programId: addressSchema, data: z.tuple([z.string(), z.literal('base64')]) })
    .nullish(),
});
export type Simulation = z.infer<typeof simulationSchema>;
