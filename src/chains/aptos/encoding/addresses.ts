import { sha3_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import type { AnyPublicKey } from './authenticators.ts';
import { anyPublicKey, multiKey } from './authenticators.ts';

/** Last byte of what an authentication key is the hash of: which kind of key it is. */
const schemes = { ed25519: 0, singleKey: 2, multiKey: 3 } as const;

function hashOf(bytes: Uint8Array, scheme: number): string {
  return `0x${bytesToHex(sha3_256(new Uint8Array([...bytes, scheme])))}`;
}

/** The address at which the account of an Ed25519 key begins. */
export function addressOfEd25519(publicKey: Uint8Array): string {
  if (publicKey.length !== 32) throw new Error('an Ed25519 key has 32 bytes');
  return hashOf(publicKey, schemes.ed25519);
}

/** The same of one key of any kind. */
export function addressOfSingleKey(publicKey: AnyPublicKey): string {
  return hashOf(anyPublicKey.serialize(publicKey).toBytes(), schemes.singleKey);
}

/** The same of several keys, of which so many must sign. */
export function addressOfMultiKey(
  publicKeys: readonly AnyPublicKey[],
  signaturesRequired: number,
): string {
  return hashOf(
    multiKey.serialize({ publicKeys: [...publicKeys], signaturesRequired }).toBytes(),
    schemes.multiKey,
  );
}

/**
 * 32 bytes of an address in any spelling: short forms are filled with zeros in front.
 * @throws Error
 */
export function addressBytes(text: string): Uint8Array {
  if (!/^0x[0-9a-fA-F]{1,64}$/.test(text)) throw new Error(`no address: ${text.slice(0, 70)}`);
  return hexToBytes(text.slice(2).toLowerCase().padStart(64, '0'));
}

/** An address with all its 64 digits, in lower case. @throws Error */
export function longAddress(text: string): string {
  return `0x${bytesToHex(addressBytes(text))}`;
}

/**
 * As type tags and the network's answers write it: special addresses (0x0 to 0xf) have one digit,
 * others all.
 */
export function shortAddress(text: string): string {
  const long = longAddress(text);
  return /^0x0{63}[0-9a-f]$/.test(long) ? `0x${long.at(-1)}` : long;
}
