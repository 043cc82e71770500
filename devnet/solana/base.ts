import { getBase58Decoder, getBase58Encoder } from '@solana/kit';

const decoder = getBase58Decoder();
const encoder = getBase58Encoder();

export function toBase58(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

/** @throws when the text is not base58 */
export function fromBase58(text: string): Uint8Array {
  return new Uint8Array(encoder.encode(text));
}

export function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}

export function readU64(data: Uint8Array, offset: number): bigint {
  return new DataView(data.buffer, data.byteOffset, data.byteLength).getBigUint64(offset, true);
}

export function readU32(data: Uint8Array, offset: number): number {
  return new DataView(data.buffer, data.byteOffset, data.byteLength).getUint32(offset, true);
}
