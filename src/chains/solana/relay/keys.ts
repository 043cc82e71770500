import { createPrivateKey, type KeyObject, sign } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import type { Address } from '@solana/kit';
import bs58 from 'bs58';
import type { Secret } from '../../../lib/sealing/secret.ts';

/** An account of the service that signs: fee payer or treasury. */
export interface SigningAccount {
  readonly address: Address;
  sign(bytes: Uint8Array): Uint8Array;
}

/** PKCS #8 around the 32 bytes of an Ed25519 key. */
const pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex');

/** @param keypair seed and public key, 64 bytes */
export function createSigningAccount(keypair: Secret<Uint8Array>): SigningAccount {
  const seed = keypair.reveal().subarray(0, 32);
  const key: KeyObject = createPrivateKey({
    key: Buffer.concat([pkcs8Prefix, seed]),
    format: 'der',
    type: 'pkcs8',
  });
  return {
    address: bs58.encode(ed25519.getPublicKey(seed)) as Address,
    sign: (bytes) => new Uint8Array(sign(null, bytes, key)),
  };
}
