import {
  Account,
  Asset,
  Operation,
  type OperationRecord,
  Transaction,
  TransactionBuilder,
} from '@stellar/stellar-sdk/base';
import { z } from 'zod';
import type { JsonObject } from '../../../lib/json/json.ts';
import { readStellarAddress } from '../strkey.ts';
import { parseAsset } from '../tokens/assets.ts';
import { reserveStroops } from './entry.ts';

/**
 * What makes an account of a wallet, and its trust lines, with reserves of the service. It moves
 * nothing and may run again: it makes what is missing. Only the wallet's own key can allow it.
 */
export interface SetUp {
  readonly chain: string;
  readonly passphrase: string;
  /** G… */
  readonly wallet: string;
  /** Whose trust line it makes, as `CODE:G…`; absent: the account alone. */
  readonly asset?: string | undefined;
}

const schema = z.object({
  kind: z.literal('set-up'),
  chain: z.string(),
  passphrase: z.string(),
  wallet: z.string().refine((text) => readStellarAddress(text)?.kind === 'G'),
  asset: z
    .string()
    .refine((text) => parseAsset(text) !== undefined)
    .optional(),
});

export function storeSetUp({ chain, passphrase, wallet, asset }: SetUp): JsonObject {
  return { kind: 'set-up', chain, passphrase, wallet, ...(asset !== undefined && { asset }) };
}

/** Undefined: it is another kind of operation. @throws Error when it contradicts itself */
export function readSetUp(value: JsonObject): SetUp | undefined {
  if (value['kind'] !== 'set-up') return undefined;
  const { kind: _, ...setUp } = schema.parse(value);
  return setUp;
}

export interface SetUpParts {
  /** The account of the service that sends, pays and keeps the reserves. */
  readonly channel: string;
  /** Of the channel, as the chain has it. */
  readonly sequence: bigint;
  /** The first ledger that does not take it any more. */
  readonly maxLedger: number;
  readonly makesAccount: boolean;
  /** The trust line of the set-up's asset is missing. */
  readonly makesLine: boolean;
  /** For each operation, in stroops. */
  readonly fee: bigint;
}

/** The transaction, unsigned. */
export function assembleSetUp(
  { wallet, passphrase, asset }: SetUp,
  parts: SetUpParts,
): Transaction {
  const builder = new TransactionBuilder(new Account(parts.channel, parts.sequence.toString()), {
    fee: parts.fee.toString(),
    networkPassphrase: passphrase,
    ledgerbounds: { minLedger: 0, maxLedger: parts.maxLedger },
  });
  builder.addOperation(Operation.beginSponsoringFutureReserves({ sponsoredId: wallet }));
  if (parts.makesAccount)
    builder.addOperation(Operation.createAccount({ destination: wallet, startingBalance: '0' }));
  if (parts.makesLine)
    builder.addOperation(Operation.changeTrust({ asset: parseAsset(asset!)!, source: wallet }));
  return builder
    .addOperation(Operation.endSponsoringFutureReserves({ source: wallet }))
    .setTimeout(0)
    .build();
}

export interface ReadSetUp {
  readonly transaction: Transaction;
  readonly txId: string;
  readonly channel: string;
  readonly maxLedger: number;
  readonly maxFee: bigint;
  readonly wallet: string;
  /** Of the account and a trust line, what it makes: `CODE:G…`, or empty for the account. */
  readonly made: readonly string[];
  /** What the channel keeps for it once it has run, in stroops. */
  readonly reserves: bigint;
}

/** Undefined: the bytes are of something else. */
export function readSetUpBytes(raw: Uint8Array, passphrase: string): ReadSetUp | undefined {
  const transaction = TransactionBuilder.fromXdr(Buffer.from(raw).toString('base64'), passphrase);
  if (!(transaction instanceof Transaction)) return undefined;
  const { ledgerBounds, source: channel, fee, operations } = transaction;
  const [begin, end] = [operations[0], operations.at(-1)];
  if (
    begin?.type !== 'beginSponsoringFutureReserves' ||
    end?.type !== 'endSponsoringFutureReserves'
  )
    return undefined;
  const wallet = begin.sponsoredId;
  const isFramed =
    begin.source === undefined &&
    end.source === wallet &&
    channel !== wallet &&
    transaction.memo.type === 'none';
  const made = operations.slice(1, -1).map((operation) => madeBy(operation, wallet));
  const known = made.filter((one) => one !== undefined);
  if (
    !isFramed ||
    !ledgerBounds ||
    ledgerBounds.maxLedger === 0 ||
    known.length === 0 ||
    known.length < made.length
  )
    return undefined;
  return {
    transaction,
    txId: Buffer.from(transaction.hash()).toString('hex'),
    channel,
    maxLedger: ledgerBounds.maxLedger,
    maxFee: BigInt(fee),
    wallet,
    made: known,
    reserves: reservesOf({
      makesAccount: known.includes(''),
      makesLine: known.some((one) => one !== ''),
    }),
  };
}

const lineLimit = '922337203685.4775807';

/** Undefined: nothing that a set-up does. */
function madeBy(operation: OperationRecord, wallet: string): string | undefined {
  if (operation.type === 'createAccount')
    return operation.source === undefined &&
      operation.destination === wallet &&
      Number(operation.startingBalance) === 0
      ? ''
      : undefined;
  if (
    operation.type !== 'changeTrust' ||
    operation.source !== wallet ||
    !(operation.line instanceof Asset)
  )
    return undefined;
  return operation.limit === lineLimit ? operation.line.toString() : undefined;
}

/** In stroops: an account has two, a trust line one. */
export function reservesOf({
  makesAccount,
  makesLine,
}: Pick<SetUpParts, 'makesAccount' | 'makesLine'>): bigint {
  return BigInt((makesAccount ? 2 : 0) + (makesLine ? 1 : 0)) * reserveStroops;
}

/** @throws Error where the bytes do anything but make what this operation is for, each once */
export function requireSetUp({ wallet, asset, passphrase }: SetUp, raw: Uint8Array): ReadSetUp {
  const read = readSetUpBytes(raw, passphrase);
  const isWanted = (one: string) => one === '' || one === asset;
  if (
    !read ||
    read.wallet !== wallet ||
    !read.made.every(isWanted) ||
    new Set(read.made).size < read.made.length
  )
    throw new Error(`It does something else than make the account ${wallet}.`);
  return read;
}
