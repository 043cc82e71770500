import {
  FeeBumpTransaction,
  type Transaction,
  TransactionBuilder,
} from '@stellar/stellar-sdk/base';
import { type StoredClassic, withLastLedger } from './stored.ts';

/**
 * The wallet's transaction in one of the service, which pays and needs no sequence number of its
 * own.
 */

export interface ReadFeeBump {
  readonly bump: FeeBumpTransaction;
  readonly inner: Transaction;
  readonly txId: string;
  /** The account of the service that pays. */
  readonly payer: string;
  readonly maxLedger: number;
  readonly maxFee: bigint;
}

/** @param fee for each operation, in stroops; the bump itself counts as one */
export function wrap(
  inner: Transaction,
  { payer, fee }: { readonly payer: string; readonly fee: bigint },
): FeeBumpTransaction {
  return TransactionBuilder.buildFeeBumpTransaction(
    payer,
    fee.toString(),
    inner,
    inner.networkPassphrase,
  );
}

/** Undefined: the bytes are of something else. */
export function readFeeBump(raw: Uint8Array, passphrase: string): ReadFeeBump | undefined {
  const bump = TransactionBuilder.fromXdr(Buffer.from(raw).toString('base64'), passphrase);
  if (!(bump instanceof FeeBumpTransaction)) return undefined;
  const { innerTransaction: inner, feeSource: payer } = bump;
  const maxLedger = inner.ledgerBounds?.maxLedger ?? 0;
  if (maxLedger === 0) return undefined;
  return {
    bump,
    inner,
    txId: Buffer.from(bump.hash()).toString('hex'),
    payer,
    maxLedger,
    maxFee: BigInt(bump.fee),
  };
}

/** @throws Error where the bytes are anything but this operation, paid by somebody else */
export function requireClassic(stored: StoredClassic, raw: Uint8Array): ReadFeeBump {
  const read = readFeeBump(raw, stored.passphrase);
  const own = read && withLastLedger(stored, read.maxLedger);
  if (
    !read ||
    !own ||
    read.payer === stored.wallet ||
    !Buffer.from(own.hash()).equals(Buffer.from(read.inner.hash()))
  )
    throw new Error('It runs something else.');
  return read;
}
