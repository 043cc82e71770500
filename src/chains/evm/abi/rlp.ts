/** RLP (Ethereum yellow paper, appendix B) of transactions. */

/** A byte string, an integer without leading zeros, or a list. */
export type RlpItem = Uint8Array | bigint | readonly RlpItem[];

export function encodeRlpList(items: readonly RlpItem[]): Buffer {
  const parts = items.flatMap(encodeItem);
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  return Buffer.concat([lengthPrefix(0xc0, length), ...parts]);
}

function encodeItem(item: RlpItem): Uint8Array[] {
  if (typeof item === 'bigint') return encodeBytes(integerBytes(item));
  if (item instanceof Uint8Array) return encodeBytes(item);
  return [encodeRlpList(item)];
}

function encodeBytes(bytes: Uint8Array): Uint8Array[] {
  if (bytes.length === 1 && bytes[0]! < 0x80) return [bytes];
  return [lengthPrefix(0x80, bytes.length), bytes];
}

function lengthPrefix(base: number, length: number): Buffer {
  if (length < 56) return Buffer.of(base + length);
  const bytes = integerBytes(BigInt(length));
  return Buffer.concat([Buffer.of(base + 55 + bytes.length), bytes]);
}

function integerBytes(value: bigint): Buffer {
  if (value === 0n) return Buffer.alloc(0);
  const hex = value.toString(16);
  return Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex');
}
