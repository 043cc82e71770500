/**
 * ABI words as hex text without `0x`. The hot paths put calldata together from these: a generic
 * encoder costs ten times as much there. Tests compare every layout with the generic encoder.
 */
import { keccakOfHex } from './keccak.ts';

export type Hex = `0x${string}`;

const zeroWord = '0'.repeat(64);
const twoTo256 = 1n << 256n;

/** A 32-byte word of a non-negative integer. */
export function wordOf(value: bigint | number): string {
  return value.toString(16).padStart(64, '0');
}

/** A 32-byte word of an integer, negative ones in two's complement. */
export function wordOfSigned(value: bigint): string {
  return wordOf(value < 0n ? twoTo256 + value : value);
}

/** A 32-byte word of an address in any case. */
export function wordOfAddress(address: string): string {
  return `000000000000000000000000${address.slice(2).toLowerCase()}`;
}

/** Length word and bytes, padded to whole words. */
export function bytesTail(hex: Hex): string {
  const digits = hex.length - 2;
  const padding = (64 - (digits % 64)) % 64;
  return wordOf(digits / 2) + hex.slice(2) + zeroWord.slice(0, padding);
}

/** The address in its mixed-case form (EIP-55). */
export function checksumAddress(address: string): Hex {
  const lower = address.slice(2).toLowerCase();
  const hash = keccakOfHex(Buffer.from(lower, 'latin1').toString('hex'));
  let mixed = '0x';
  for (let index = 0; index < 40; index++)
    mixed += hash.charCodeAt(index) >= 56 ? lower[index]!.toUpperCase() : lower[index]!;
  return mixed as Hex;
}

const addressPattern = /^0x[a-fA-F0-9]{40}$/;

/** Twenty bytes of hex in any case; its checksum is for {@link checkEvmAddress}. */
export function isEvmAddress(text: string): text is Hex {
  return addressPattern.test(text);
}

/**
 * As {@link ChainFamily.checkAddress}: mixed case is a checksum (EIP-55), which tells a typing
 * error; all of one case has none.
 */
export function checkEvmAddress(text: string): string | undefined {
  if (!isEvmAddress(text)) return 'is not an address of the evm family: 0x and 40 hex characters';
  const digits = text.slice(2);
  if (
    digits === digits.toLowerCase() ||
    digits === digits.toUpperCase() ||
    text === checksumAddress(text)
  )
    return undefined;
  return 'has a wrong checksum (EIP-55), so one of its characters is probably mistyped. Compare it with its source, or send it in lower case if you are sure of it';
}

export function hexOf(bytes: Uint8Array): Hex {
  return `0x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')}`;
}

export function bytesOf(hex: Hex): Buffer {
  return Buffer.from(hex.slice(2), 'hex');
}
