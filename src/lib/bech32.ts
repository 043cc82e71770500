const alphabet = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const generators = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];

/** True for a bech32 text (BIP-173) of this human-readable part, checksum included. */
export function isBech32(text: string, prefix: string): boolean {
  if (text !== text.toLowerCase() || !text.startsWith(`${prefix}1`) || text.length > 90) return false;
  const values = Array.from(text.slice(prefix.length + 1), (character) => alphabet.indexOf(character));
  if (values.length < 6 || values.includes(-1)) return false;
  const codes = [...prefix].map((character) => character.charCodeAt(0));
  return polymod([...codes.map((code) => code >> 5), 0, ...codes.map((code) => code & 31), ...values]) === 1;
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
