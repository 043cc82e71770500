import {
  Account,
  extractBaseAddress,
  type Memo,
  type OperationRecord,
  Transaction,
  TransactionBuilder,
  type xdr,
} from '@stellar/stellar-sdk/base';
import { z } from 'zod';
import type { JsonObject } from '../../../lib/json/json.ts';
import { readStellarAddress } from '../strkey.ts';

/**
 * Classic operations of a wallet that is an account, as the service stores them. The mark of an
 * operation is its sequence number: the chain takes it once, whatever ran before. Everything that
 * is signed but the last ledger follows from what is stored.
 */
export interface StoredClassic {
  readonly chain: string;
  readonly passphrase: string;
  /** G… */
  readonly wallet: string;
  readonly sequence: bigint;
  /** Of the wallet: its operations and memo, with the sequence number, unsigned. */
  readonly transaction: Transaction;
  readonly validUntil: Date;
  /** The most that it may cost the service, in stroops. */
  readonly costMax: bigint;
}

const schema = z.object({
  kind: z.literal('classic'),
  chain: z.string(),
  passphrase: z.string(),
  wallet: z.string().refine((text) => readStellarAddress(text)?.kind === 'G'),
  transaction: z.string(),
  validUntil: z.int(),
  costMax: z.string().regex(/^\d{1,19}$/),
});

export function storeClassic({
  chain,
  passphrase,
  wallet,
  transaction,
  validUntil,
  costMax,
}: Omit<StoredClassic, 'sequence'>): JsonObject {
  return {
    kind: 'classic',
    chain,
    passphrase,
    wallet,
    transaction: transaction.toXdr(),
    validUntil: validUntil.getTime(),
    costMax: costMax.toString(),
  };
}

export const isClassic = (value: JsonObject): boolean => value['kind'] === 'classic';

/** @throws Error when the value is not one of {@link storeClassic}, or contradicts itself */
export function readClassic(value: JsonObject): StoredClassic {
  const stored = schema.parse(value);
  const transaction = TransactionBuilder.fromXdr(stored.transaction, stored.passphrase);
  if (!(transaction instanceof Transaction) || transaction.source !== stored.wallet)
    throw new Error(`What is stored for ${stored.wallet} is no transaction of it: it was changed.`);
  return {
    ...stored,
    transaction,
    sequence: BigInt(transaction.sequence),
    validUntil: new Date(stored.validUntil),
    costMax: BigInt(stored.costMax),
  };
}

export interface ClassicParts {
  readonly wallet: string;
  readonly passphrase: string;
  readonly operations: readonly xdr.Operation[];
  readonly memo: Memo;
  readonly sequence: bigint;
  /** The first ledger that does not take it any more; 0: not known yet. */
  readonly maxLedger: number;
}

/** Of one operation; nobody pays it: who sends the transaction bids for it. */
const innerFee = '100';

/**
 * The wallet's transaction, unsigned. It may skip numbers: those of transactions that never were.
 */
export function assembleClassic({
  wallet,
  passphrase,
  operations,
  memo,
  sequence,
  maxLedger,
}: ClassicParts): Transaction {
  const builder = new TransactionBuilder(new Account(wallet, (sequence - 1n).toString()), {
    fee: innerFee,
    networkPassphrase: passphrase,
    ledgerbounds: { minLedger: 0, maxLedger },
    minAccountSequence: '0',
    memo,
  });
  for (const operation of operations) builder.addOperation(operation);
  return builder.setTimeout(0).build();
}

/** As it is signed: stored, with its last ledger. */
export function withLastLedger(
  { wallet, passphrase, transaction, sequence }: StoredClassic,
  maxLedger: number,
): Transaction {
  return assembleClassic({
    wallet,
    passphrase,
    operations: operationsOf(transaction),
    memo: transaction.memo,
    sequence,
    maxLedger,
  });
}

export function operationsOf(transaction: Transaction): readonly xdr.Operation[] {
  const envelope = transaction.toEnvelope();
  return envelope.type === 'envelopeTypeTx' ? envelope.v1.tx.operations : [];
}

/**
 * Every account that gets something by an operation, without the numbers of its customers: who is
 * screened is the account.
 */
export function receiversOf(operation: OperationRecord): string[] {
  const { destination, claimants, trustor } = operation as {
    readonly destination?: string;
    readonly claimants?: readonly { readonly destination: string }[];
    readonly trustor?: string;
  };
  return [
    destination,
    trustor,
    ...(claimants ?? []).map((claimant) => claimant.destination),
  ].flatMap((one) => (one === undefined ? [] : [extractBaseAddress(one)]));
}
