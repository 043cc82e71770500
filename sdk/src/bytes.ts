/** The bytes of `0x…` hex. @throws TypeError */
export function bytesOfHex(hex: string): Uint8Array<ArrayBuffer> {
  const digits = hex.startsWith('0x') ? hex.slice(2) : hex;
  if (digits.length % 2 !== 0 || !/^[0-9a-fA-F]*$/.test(digits))
    throw new TypeError('expected hexadecimal text of whole bytes');
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

/** `0x` and two digits for each byte. */
export function hexOfBytes(bytes: Uint8Array): `0x${string}` {
  return `0x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

export function bigIntOfBytes(bytes: Uint8Array): bigint {
  return BigInt(bytes.length === 0 ? '0x0' : hexOfBytes(bytes));
}

/** 32 bytes, `0x` and 64 digits. */
export function wordOfBigInt(value: bigint): `0x${string}` {
  return `0x${value.toString(16).padStart(64, '0')}`;
}

export function base64UrlOfBytes(bytes: Uint8Array): string {
  return base64OfBytes(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** @throws TypeError for anything but base64 as it is usually written */
export function bytesOfBase64(text: string): Uint8Array<ArrayBuffer> {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text))
    throw new TypeError('it is not base64');
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

export function base64OfBytes(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}
