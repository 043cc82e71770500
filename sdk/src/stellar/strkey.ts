/** Addresses of Stellar (SEP-23): a version byte, what it names, a checksum, in base32. */

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
export const versions = {
  account: 6 << 3,
  contract: 2 << 3,
  muxed: 12 << 3,
  claimableBalance: 1 << 3,
  liquidityPool: 11 << 3,
} as const;

export function encodeAddress(kind: keyof typeof versions, bytes: Uint8Array): string {
  const body = Uint8Array.of(versions[kind], ...bytes);
  const checksum = crc16(body);
  let bits = [...body, checksum & 255, checksum >> 8]
    .map((byte) => byte.toString(2).padStart(8, '0'))
    .join('');
  bits = bits.padEnd(Math.ceil(bits.length / 5) * 5, '0');
  return bits
    .match(/.{5}/g)!
    .map((five) => letters[Number.parseInt(five, 2)])
    .join('');
}

/** True for accounts (G…) and contracts (C…). */
export function isStellarAddress(text: string): boolean {
  if (!/^[GC][A-Z2-7]{55}$/.test(text)) return false;
  const bits = [...text]
    .map((letter) => letters.indexOf(letter).toString(2).padStart(5, '0'))
    .join('');
  const bytes = Uint8Array.from(bits.match(/.{8}/g)!, (eight) => Number.parseInt(eight, 2));
  return (
    encodeAddress(text.startsWith('G') ? 'account' : 'contract', bytes.subarray(1, 33)) === text
  );
}

/** CRC-16/XMODEM. */
function crc16(bytes: Uint8Array): number {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++)
      crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : (crc << 1) & 0xffff;
  }
  return crc;
}
