import { createHash } from 'node:crypto';
import bs58 from 'bs58';
import { z } from 'zod';
import type { JsonObject } from '../../../lib/json/json.ts';
import { type Message, readMessage, signersOf } from './message.ts';

/**
 * An operation as the service stores it between its preparation and its end: the bytes, and what
 * cannot be read from them.
 */
export interface StoredOperation {
  readonly chain: string;
  readonly wallet: string;
  /** Who must have signed it beside the fee payer. */
  readonly signers: readonly string[];
  readonly messageBytes: Uint8Array;
  readonly message: Message;
  readonly feePayer: string;
  /** Of the nonce that it uses. */
  readonly lease: string;
  readonly validUntil: Date;
  /** The most that it may cost the service, in lamports. */
  readonly costMax: bigint;
}

const storedSchema = z.object({
  chain: z.string(),
  wallet: z.string(),
  message: z.string(),
  lease: z.uuid(),
  validUntil: z.int(),
  costMax: z.string().regex(/^\d{1,19}$/),
});

export type NewOperation = Pick<
  StoredOperation,
  'chain' | 'wallet' | 'messageBytes' | 'lease' | 'validUntil' | 'costMax'
>;

export function storeOperation(operation: NewOperation): JsonObject {
  return {
    chain: operation.chain,
    wallet: operation.wallet,
    message: Buffer.from(operation.messageBytes).toString('base64'),
    lease: operation.lease,
    validUntil: operation.validUntil.getTime(),
    costMax: operation.costMax.toString(),
  };
}

/** @throws Error when the value is not one of {@link storeOperation}, or another wallet's */
export function readOperation(value: JsonObject): StoredOperation {
  const stored = storedSchema.parse(value);
  const messageBytes = new Uint8Array(Buffer.from(stored.message, 'base64'));
  const message = readMessage(messageBytes);
  const [feePayer, ...signers] = signersOf(message);
  if (
    feePayer === undefined ||
    !message.staticAccounts.some((address) => address === stored.wallet)
  )
    throw new Error(`A stored operation of ${stored.wallet} does not name it: it was changed.`);
  return {
    ...stored,
    signers,
    messageBytes,
    message,
    feePayer,
    validUntil: new Date(stored.validUntil),
    costMax: BigInt(stored.costMax),
  };
}

/** The lease of its nonce; undefined where somebody changed the value so that it has none. */
export const leaseIn = (value: JsonObject): string | undefined =>
  storedSchema.pick({ lease: true }).safeParse(value).data?.lease;

/**
 * What a key in custody signs of an operation when it is sent: its message to the last byte, nonce
 * and all, so that the chain takes it once however often it is signed.
 * @throws Error where the bytes are other ones, or nobody asks for this key's signature
 */
export function signedBytes(value: JsonObject, built: Uint8Array, signer: string): Uint8Array {
  const { messageBytes, signers } = readOperation(value);
  if (!Buffer.from(built).equals(messageBytes)) throw new Error('its message is another one');
  if (!signers.includes(signer)) throw new Error(`it is not signed by ${signer}`);
  return messageBytes;
}

/** What approvals show of the bytes that are signed: their SHA-256. */
export function messageDigest(messageBytes: Uint8Array): string {
  return bs58.encode(createHash('sha256').update(messageBytes).digest());
}
