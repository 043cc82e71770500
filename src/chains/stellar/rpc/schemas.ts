import { xdr } from '@stellar/stellar-sdk/base';
import { z } from 'zod';

/** What a node answers, read with care: another party wrote it. */

/** XDR in base64 as what it is of. */
function xdrOf<Value>(readXdr: (text: string) => Value) {
  return z.string().transform((text, ctx): Value => {
    try {
      return readXdr(text);
    } catch {
      ctx.addIssue({ code: 'custom', message: 'This is no XDR of that type.' });
      return z.NEVER;
    }
  });
}

const ledgerSchema = z.int().min(0).max(0xffff_ffff);
/** Seconds since 1970, which nodes write as a number or as its digits. */
const secondsSchema = z
  .union([z.int().nonnegative(), z.string().regex(/^\d{1,12}$/)])
  .transform(Number);
const hashSchema = z.string().regex(/^[0-9a-f]{64}$/);
/** Whole stroops: digits, or a number from older nodes. */
const stroopsSchema = z
  .union([z.int().nonnegative(), z.string().regex(/^\d{1,19}$/)])
  .transform(BigInt);

export const latestLedgerSchema = z.object({
  sequence: ledgerSchema,
  protocolVersion: z.int().nonnegative(),
  closeTime: secondsSchema.optional(),
});

export const entriesSchema = z.object({
  latestLedger: ledgerSchema,
  entries: z
    .array(
      z.object({
        key: z.string(),
        xdr: xdrOf((text) => xdr.LedgerEntryData.fromXdr(text, 'base64')),
        liveUntilLedgerSeq: ledgerSchema.nullish(),
        lastModifiedLedgerSeq: ledgerSchema.nullish(),
      }),
    )
    .nullish(),
});

export const feeStatsSchema = z.object({
  sorobanInclusionFee: z.object({ p50: stroopsSchema, p90: stroopsSchema }),
  inclusionFee: z.object({ p50: stroopsSchema, p90: stroopsSchema }),
});

const stateChangeSchema = z.object({
  key: xdrOf((text) => xdr.LedgerKey.fromXdr(text, 'base64')),
  before: xdrOf((text) => xdr.LedgerEntry.fromXdr(text, 'base64')).nullish(),
  after: xdrOf((text) => xdr.LedgerEntry.fromXdr(text, 'base64')).nullish(),
});

export const simulationSchema = z.object({
  latestLedger: ledgerSchema,
  /** The network's own words on why it failed. */
  error: z.string().nullish(),
  transactionData: xdrOf((text) => xdr.SorobanTransactionData.fromXdr(text, 'base64')).nullish(),
  minResourceFee: stroopsSchema.nullish(),
  events: z.array(xdrOf((text) => xdr.DiagnosticEvent.fromXdr(text, 'base64'))).nullish(),
  results: z
    .array(
      z.object({
        auth: z
          .array(xdrOf((text) => xdr.SorobanAuthorizationEntry.fromXdr(text, 'base64')))
          .nullish(),
        xdr: xdrOf((text) => xdr.ScVal.fromXdr(text, 'base64')),
      }),
    )
    .nullish(),
  /** Archived entries have to be restored first, by an operation of its own. */
  restorePreamble: z
    .object({
      transactionData: xdrOf((text) => xdr.SorobanTransactionData.fromXdr(text, 'base64')),
      minResourceFee: stroopsSchema,
    })
    .nullish(),
  stateChanges: z.array(stateChangeSchema).nullish(),
});
export type Simulation = z.infer<typeof simulationSchema>;

export const sentSchema = z.object({
  status: z.enum(['PENDING', 'DUPLICATE', 'TRY_AGAIN_LATER', 'ERROR']),
  hash: hashSchema,
  latestLedger: ledgerSchema,
  errorResultXdr: xdrOf((text) => xdr.TransactionResult.fromXdr(text, 'base64')).nullish(),
});
export type Sent = z.infer<typeof sentSchema>;

/** What the node keeps: what is older than `oldestLedger` it knows nothing of. */
const retentionSchema = z.object({ latestLedger: ledgerSchema, oldestLedger: ledgerSchema });

const doneSchema = z.object({
  status: z.enum(['SUCCESS', 'FAILED']),
  ledger: ledgerSchema,
  createdAt: secondsSchema,
  envelopeXdr: xdrOf((text) => xdr.TransactionEnvelope.fromXdr(text, 'base64')),
  resultXdr: xdrOf((text) => xdr.TransactionResult.fromXdr(text, 'base64')),
  resultMetaXdr: xdrOf((text) => xdr.TransactionMeta.fromXdr(text, 'base64')),
});
export type DoneTransaction = z.infer<typeof doneSchema>;
const listedTransactionSchema = doneSchema.extend({ txHash: hashSchema });
export type ListedTransaction = z.infer<typeof listedTransactionSchema>;

export const foundTransactionSchema = z.discriminatedUnion('status', [
  retentionSchema.extend({ status: z.literal('NOT_FOUND') }),
  doneSchema.extend({ ...retentionSchema.shape, status: z.literal('SUCCESS') }),
  doneSchema.extend({ ...retentionSchema.shape, status: z.literal('FAILED') }),
]);
export type FoundTransaction = z.infer<typeof foundTransactionSchema>;

export const transactionsSchema = retentionSchema.extend({
  transactions: z.array(listedTransactionSchema),
  cursor: z.string().regex(/^\d{1,20}$/),
});

const eventSchema = z.object({
  id: z.string().regex(/^\d{1,20}-\d{1,10}$/),
  type: z.string(),
  ledger: ledgerSchema,
  ledgerClosedAt: z.iso.datetime({ offset: true }),
  contractId: z.string(),
  inSuccessfulContractCall: z.boolean().optional(),
  txHash: hashSchema,
  topic: z.array(xdrOf((text) => xdr.ScVal.fromXdr(text, 'base64'))),
  value: xdrOf((text) => xdr.ScVal.fromXdr(text, 'base64')),
});
export type ChainEvent = z.infer<typeof eventSchema>;

export const eventsSchema = z.object({
  latestLedger: ledgerSchema,
  oldestLedger: ledgerSchema.optional(),
  cursor: z.string(),
  events: z.array(eventSchema),
});
