import { hexToBytes } from '@noble/hashes/utils.js';
import { z } from 'zod';
import type { JsonObject } from '../../../lib/json/json.ts';
import { addressOfEd25519 } from '../encoding/addresses.ts';
import { feePayerMessage } from '../encoding/hashes.ts';
import {
  decodeRaw,
  type EntryFunction,
  type RawTransaction,
  readPayload,
} from '../encoding/transactions.ts';

/**
 * An operation as the service keeps it: the transaction, complete but for who pays, and the
 * wallet's key.
 */
export interface StoredOperation {
  readonly chain: string;
  readonly wallet: string;
  readonly publicKey: Uint8Array;
  readonly rawBytes: Uint8Array;
  readonly raw: RawTransaction;
  readonly call: EntryFunction;
}

const storedSchema = z.strictObject({
  chain: z.string(),
  publicKey: z.string().regex(/^[0-9a-f]{64}$/),
  raw: z.string(),
});

export function storeOperation(
  operation: Pick<StoredOperation, 'chain' | 'publicKey' | 'rawBytes'>,
): JsonObject {
  return {
    chain: operation.chain,
    publicKey: Buffer.from(operation.publicKey).toString('hex'),
    raw: Buffer.from(operation.rawBytes).toString('base64'),
  };
}

/** @throws Error when the value is not one of {@link storeOperation}, or contradicts itself */
export function readOperation(value: JsonObject): StoredOperation {
  const { chain, publicKey: hex, raw: base64 } = storedSchema.parse(value);
  const publicKey = hexToBytes(hex);
  const rawBytes = new Uint8Array(Buffer.from(base64, 'base64'));
  const raw = decodeRaw(rawBytes);
  const { call, nonce } = readPayload(raw.payload);
  if (raw.sender !== addressOfEd25519(publicKey)) throw new Error('its sender has another key');
  if (nonce === undefined) throw new Error('it has no nonce');
  return { chain, wallet: raw.sender, publicKey, rawBytes, raw, call };
}

/** What is built of an operation: its transaction, and behind it who pays. */
export function writeBuilt(rawBytes: Uint8Array, feePayer: Uint8Array): Uint8Array {
  return new Uint8Array([...rawBytes, ...feePayer]);
}

/** @throws Error */
export function readBuilt(built: Uint8Array): {
  readonly rawBytes: Uint8Array;
  readonly feePayer: string;
} {
  if (built.length <= 32) throw new Error('it names nobody who pays');
  return {
    rawBytes: built.slice(0, -32),
    feePayer: `0x${Buffer.from(built.slice(-32)).toString('hex')}`,
  };
}

/**
 * What the wallet's key signs of what was built. The transaction is the operation's to the last
 * byte, nonce and expiry too: the chain takes one with this nonce and this expiry, whoever pays and
 * however often it is handed to the relay.
 * @throws Error with what does not match
 */
export function signedBytes(value: JsonObject, built: Uint8Array): Uint8Array {
  const { rawBytes: own, wallet } = readOperation(value);
  const { rawBytes, feePayer } = readBuilt(built);
  if (!Buffer.from(rawBytes).equals(own)) throw new Error('its transaction is another one');
  // A wallet would pay for itself, against what its owner was told.
  if (feePayer === wallet || /^0x0{64}$/.test(feePayer)) throw new Error('nobody else pays for it');
  return feePayerMessage(own, feePayer);
}
