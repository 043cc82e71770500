/**
 * Keys and addresses of Stellar as text (StrKey): base32 of a version byte, 32 bytes, and a CRC-16
 * (XMODEM) with the low byte first. Checksum and padding bits are checked, so that each has one
 * spelling only.
 */

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
/**
 * `G`: an account, whose address is its Ed25519 key. `C`: a contract. `S`: the seed of a key, a
 * secret.
 */
const versions = { G: 6 << 3, C: 2 << 3, S: 18 << 3 } as const;
const textLength = 56;
const payloadBytes = 32;

export interface StrKey {
  readonly kind: keyof typeof versions;
  /** 32 of them. */
  readonly bytes: Uint8Array;
}

/** Undefined when the text is none of these, or one of its characters is mistyped. */
export function decodeStrKey(text: string): StrKey | undefined {
  const kind = text[0];
  if (text.length !== textLength || (kind !== 'G' && kind !== 'C' && kind !== 'S'))
    return undefined;
  const decoded = decodeBase32(text);
  if (decoded?.[0] !== versions[kind]) return undefined;
  const checked = decoded.subarray(0, 1 + payloadBytes);
  const checksum = decoded[1 + payloadBytes]! | (decoded[2 + payloadBytes]! << 8);
  return crc16(checked) === checksum ? { kind, bytes: checked.subarray(1) } : undefined;
}

/** As text. @param bytes 32 of them */
export function encodeStrKey({ kind, bytes }: StrKey): string {
  const checked = new Uint8Array([versions[kind], ...bytes]);
  const checksum = crc16(checked);
  return encodeBase32(new Uint8Array([...checked, checksum & 0xff, checksum >> 8]));
}

/** 56 characters are 35 bytes exactly: no padding, no bits left over. */
function decodeBase32(text: string): Uint8Array | undefined {
  const bytes = new Uint8Array((text.length * 5) / 8);
  let bits = 0;
  let bitCount = 0;
  let at = 0;
  for (const character of text) {
    const value = alphabet.indexOf(character);
    if (value === -1) return undefined;
    bits = (bits << 5) | value;
    bitCount += 5;
    if (bitCount < 8) continue;
    bitCount -= 8;
    bytes[at++] = (bits >> bitCount) & 0xff;
    bits &= (1 << bitCount) - 1;
  }
  return bytes;
}

function encodeBase32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{5}/g) ?? []).map((five) => alphabet[Number.parseInt(five, 2)]).join('');
}

function crc16(bytes: Uint8Array): number {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++)
      crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : (crc << 1) & 0xffff;
  }
  return crc;
}
