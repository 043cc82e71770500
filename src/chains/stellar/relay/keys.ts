import { type FeeBumpTransaction, Keypair, type Transaction } from '@stellar/stellar-sdk/base';
import type { Secret } from '../../../lib/sealing/secret.ts';

/** An account of the service that sends transactions and pays their fees. */
export interface Channel {
  readonly address: string;
  sign(transaction: Transaction | FeeBumpTransaction): void;
}

/** @param seed of its Ed25519 key */
export function createChannel(seed: Secret<Uint8Array>): Channel {
  const keypair = () => Keypair.fromRawEd25519Seed(Buffer.from(seed.reveal()));
  return { address: keypair().publicKey(), sign: (transaction) => transaction.sign(keypair()) };
}
