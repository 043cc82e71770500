import { ed25519 } from '@noble/curves/ed25519.js';
import type { Secret } from '../../../lib/sealing/secret.ts';
import { addressOfPublicKey } from '../addresses.ts';
import { serializeSignature, signedBytesOf } from '../operation/transaction.ts';

/** An account of the service that signs: sponsor or treasury. */
export interface SigningAccount {
  readonly address: string;
  /** Signature of a transaction as the network takes it. */
  sign(transaction: Uint8Array): string;
}

/** @param seed of an Ed25519 key, 32 bytes */
export function createSigningAccount(seed: Secret<Uint8Array>): SigningAccount {
  const publicKey = ed25519.getPublicKey(seed.reveal());
  return {
    address: addressOfPublicKey(publicKey),
    sign: (transaction) =>
      serializeSignature(publicKey, ed25519.sign(signedBytesOf(transaction), seed.reveal())),
  };
}
