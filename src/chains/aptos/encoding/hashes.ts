import { sha3_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { addressBytes } from './addresses.ts';

const prefixOf = (name: string) => sha3_256(utf8ToBytes(`APTOS::${name}`));
const prefixes = {
  raw: prefixOf('RawTransaction'),
  withData: prefixOf('RawTransactionWithData'),
  transaction: prefixOf('Transaction'),
} as const;
/** Variants of `RawTransactionWithData` and of `Transaction`. */
const variants = { feePayer: 1, user: 0 } as const;

/** What sender and fee payer sign, where somebody else pays; no other accounts take part. */
export function feePayerMessage(raw: Uint8Array, feePayer: string): Uint8Array {
  return concatBytes(
    prefixes.withData,
    new Uint8Array([variants.feePayer]),
    raw,
    new Uint8Array([0]),
    addressBytes(feePayer),
  );
}

/** What the sender signs that pays by itself. */
export function senderMessage(raw: Uint8Array): Uint8Array {
  return concatBytes(prefixes.raw, raw);
}

/** The id of a transaction, of its signed bytes. */
export function transactionHash(signed: Uint8Array): string {
  return `0x${bytesToHex(sha3_256(concatBytes(prefixes.transaction, new Uint8Array([variants.user]), signed)))}`;
}
