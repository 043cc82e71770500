import { createKeccak } from 'hash-wasm';

/**
 * keccak-256 for the hot paths (wallet addresses, operation hashes, checksums): planning a wallet
 * takes eight blocks, and the JavaScript implementations take about 11 µs for each, hash-wasm's
 * WebAssembly about one.
 */
const hasher = await createKeccak(256);

/** keccak-256 of the bytes: 32 bytes. */
export function keccak256(bytes: Uint8Array): Buffer {
  const hash = hasher.init().update(bytes).digest('binary');
  return Buffer.from(hash.buffer, hash.byteOffset, hash.byteLength);
}

/** keccak-256 of bytes written as hex without `0x`: 64 hex characters without `0x`. */
export function keccakOfHex(hex: string): string {
  const bytes = Buffer.from(hex, 'hex');
  if (bytes.length * 2 !== hex.length) throw new Error('The text is not the hex form of bytes.');
  return hasher.init().update(bytes).digest('hex');
}

/** keccak-256 of the UTF-8 bytes of a text, as 64 hex characters without `0x`. */
export function keccakOfText(text: string): string {
  return hasher.init().update(text).digest('hex');
}
