import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesOfHex, hexOfBytes } from '../bytes.ts';

export type Hex = `0x${string}`;

/** keccak-256 of bytes written as hex. */
export function keccak(hex: string): Hex {
  return hexOfBytes(keccak_256(bytesOfHex(hex)));
}

/** keccak-256 of the UTF-8 bytes of a text. */
export function keccakOfText(text: string): Hex {
  return hexOfBytes(keccak_256(new TextEncoder().encode(text)));
}

/** The first four bytes of a function's hash. */
export function selectorOf(signature: string): Hex {
  return keccakOfText(signature).slice(0, 10) as Hex;
}

/** What a text is signed as by personal_sign (EIP-191). */
export function hashOfMessage(text: string): Hex {
  const bytes = new TextEncoder().encode(text);
  const head = new TextEncoder().encode(`\x19Ethereum Signed Message:\n${bytes.length}`);
  return keccak(hexOfBytes(head) + hexOfBytes(bytes).slice(2));
}

export function isAddress(text: unknown): text is Hex {
  return typeof text === 'string' && /^0x[0-9a-fA-F]{40}$/.test(text);
}

export function isSameAddress(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/** With its checksum (EIP-55). */
export function checksumAddress(address: string): Hex {
  const digits = address.slice(2).toLowerCase();
  const hash = keccakOfText(digits);
  return `0x${[...digits].map((digit, at) => (hash.charCodeAt(at + 2) >= 56 ? digit.toUpperCase() : digit)).join('')}`;
}

/** Where CREATE2 puts a contract (EIP-1014). */
export function create2Address(from: string, salt: Hex, codeHash: Hex): Hex {
  return checksumAddress(
    `0x${keccak(`0xff${from.slice(2)}${salt.slice(2)}${codeHash.slice(2)}`).slice(26)}`,
  );
}
