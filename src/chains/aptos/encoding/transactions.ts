import { bcs } from '@mysten/bcs';
import { transactionAuthenticator } from './authenticators.ts';
import { address, byteVector, u64 } from './primitives.ts';
import { typeTag } from './type-tags.ts';

/** A call of a module's entry function; each argument is encoded already. */
export const entryFunction = bcs.struct('EntryFunction', {
  address,
  module: bcs.string(),
  function: bcs.string(),
  typeArgs: bcs.vector(typeTag),
  args: bcs.vector(byteVector),
});
export type EntryFunction = typeof entryFunction.$inferType;

const never = bcs.u8().transform({
  input: (): number => {
    throw new Error('not supported: only entry functions are called');
  },
  output: (): never => {
    throw new Error('not supported: only entry functions are called');
  },
});

const innerPayload = bcs.enum('TransactionInnerPayload', {
  v1: bcs.struct('V1', {
    executable: bcs.enum('Executable', { script: never, entryFunction, empty: null }),
    extra: bcs.enum('ExtraConfig', {
      v1: bcs.struct('ExtraConfigV1', {
        multisigAddress: bcs.option(address),
        replayProtectionNonce: bcs.option(u64),
      }),
    }),
  }),
});

const transactionPayload = bcs.enum('TransactionPayload', {
  script: never,
  moduleBundle: never,
  entryFunction,
  multisig: never,
  inner: innerPayload,
});

export const rawTransaction = bcs.struct('RawTransaction', {
  sender: address,
  sequenceNumber: u64,
  payload: transactionPayload,
  maxGasAmount: u64,
  gasUnitPrice: u64,
  expirationSeconds: u64,
  chainId: bcs.u8(),
});
export type RawTransaction = typeof rawTransaction.$inferType;

export const signedTransaction = bcs.struct('SignedTransaction', {
  raw: rawTransaction,
  authenticator: transactionAuthenticator,
});
export type SignedTransaction = typeof signedTransaction.$inferType;

/** What a transaction with a nonce has in place of a sequence number. */
export const orderlessSequenceNumber = 0xdeadbeefn;

export interface OrderlessInput {
  readonly sender: string;
  readonly call: EntryFunction;
  /** Uses itself up: the chain takes one transaction of a sender with it. */
  readonly nonce: bigint;
  readonly maxGasAmount: bigint;
  readonly gasUnitPrice: bigint;
  readonly expirationSeconds: bigint;
  readonly chainId: number;
}

/** A transaction that no other of its sender has to wait for. */
export function encodeOrderless({ call, nonce, ...rest }: OrderlessInput): Uint8Array {
  const extra = { v1: { multisigAddress: null, replayProtectionNonce: nonce } };
  return rawTransaction
    .serialize({
      ...rest,
      sequenceNumber: orderlessSequenceNumber,
      payload: { inner: { v1: { executable: { entryFunction: call }, extra } } },
    })
    .toBytes();
}

/**
 * What it calls and what keeps it from being taken twice.
 * @throws Error for scripts and multisig accounts
 */
export function readPayload(payload: RawTransaction['payload']): {
  readonly call: EntryFunction;
  readonly nonce: bigint | undefined;
} {
  if (payload.$kind === 'entryFunction') return { call: payload.entryFunction, nonce: undefined };
  if (payload.$kind !== 'inner') throw new Error('not supported: only entry functions are called');
  const { executable, extra } = payload.inner.v1;
  if (executable.$kind !== 'entryFunction' || extra.v1.multisigAddress !== null)
    throw new Error(
      'not supported: only entry functions are called, by accounts that sign themselves',
    );
  return { call: executable.entryFunction, nonce: extra.v1.replayProtectionNonce ?? undefined };
}

/**
 * Reads the whole of the bytes.
 * @throws Error where they are of another form, longer, or written in another way
 */
export function decodeRaw(bytes: Uint8Array): RawTransaction {
  const raw = rawTransaction.parse(bytes);
  requireSame(rawTransaction.serialize(raw).toBytes(), bytes);
  return raw;
}

/** As {@link decodeRaw}, with the signatures. @throws Error */
export function decodeSigned(bytes: Uint8Array): SignedTransaction {
  const signed = signedTransaction.parse(bytes);
  requireSame(signedTransaction.serialize(signed).toBytes(), bytes);
  return signed;
}

function requireSame(written: Uint8Array, read: Uint8Array): void {
  if (!Buffer.from(written).equals(read)) throw new Error('not in canonical form');
}
