import { bcs } from '@mysten/bcs';
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';

/** 32 bytes, as `0x` and 64 digits. */
export const address = bcs.bytes(32).transform({
  input: (text: string) => hexToBytes(text.slice(2)),
  output: (bytes) => `0x${bytesToHex(bytes)}`,
});

/** Bytes behind their length. */
export const byteVector = bcs.byteVector().transform({
  input: (bytes: Uint8Array) => bytes,
  output: (bytes) => new Uint8Array(bytes),
});

/** Whole numbers of 64 bits. */
export const u64 = bcs
  .u64()
  .transform({ input: (value: bigint) => value, output: (text) => BigInt(text) });
