const alphabet = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const generators = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];

/** True for a bech32 text (BIP-173) of this human-readable part, checksum included. */
export function isBech32(text: string, prefix: string): boolean {
  if (text !== text.toLowerCase() || !text.startsWith(`${prefix}1`) || text.length > 90)
    return false;
  const values = Array.from(text.slice(prefix.length + 1), (character) =>
    alphabet.indexOf(character),
  );
  if (values.length < 6 || values.includes(-1)) return false;
  const codes = [...prefix].map((character) => character.charCodeAt(0));
  return (
    polymod([
      ...codes.map((code) => code >> 5),
      0,
      ...codes.map((code) => code & 31),
      ...values,
    ]) === 1
  );
}

/**
 * The bytes of a bech32 text of this human-readable part; undefined where it is none, or holds no
 * whole bytes.
 */
export function decodeBech32(text: string, prefix: string): Uint8Array | undefined {
  if (!isBech32(text, prefix)) return undefined;
  const bytes: number[] = [];
  let bits = 0;
  let value = 0;
  for (const character of text.slice(prefix.length + 1, -6)) {
    value = ((value << 5) | alphabet.indexOf(character)) & 0xfff;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push((value >> bits) & 0xff);
  }
  const padding = value & ((1 << bits) - 1);
  return bits < 5 && padding === 0 ? Uint8Array.from(bytes) : undefined;
}

function polymod(values: readonly number[]): number {
  let checksum = 1;
  for (const value of values) {
    const top = checksum >>> 25;
    checksum = ((checksum & 0x1ffffff) << 5) ^ value;
    generators.forEach((generator, index) => {
      if ((top >>> index) & 1) checksum ^= generator;
    });
  }
  return checksum;
}
