import { bigIntOfBytes, wordOfBigInt } from './bytes.ts';

/** Order of the P-256 group (SEC 2, section 2.4.2). */
const groupOrder = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

/**
 * r and s as the service takes them: `0x` and 64 digits, the lower of the two values of s that
 * verify.
 */
export interface P256Signature {
  readonly r: `0x${string}`;
  readonly s: `0x${string}`;
}

/** A point as decimal text, the form of `publicKey` in the interface. */
export interface P256PublicKey {
  readonly x: string;
  readonly y: string;
}

export function p256Signature(r: bigint, s: bigint): P256Signature {
  return { r: wordOfBigInt(r), s: wordOfBigInt(s > groupOrder / 2n ? groupOrder - s : s) };
}

/** r and s of the 64 bytes that WebCrypto makes. */
export function p256SignatureOfRaw(raw: Uint8Array): P256Signature {
  return p256Signature(bigIntOfBytes(raw.subarray(0, 32)), bigIntOfBytes(raw.subarray(32, 64)));
}

/**
 * r and s of the DER sequence that an authenticator makes (RFC 3279, section 2.2.3).
 * @throws TypeError
 */
export function p256SignatureOfDer(der: Uint8Array): P256Signature {
  const readInteger = (at: number): { value: bigint; end: number } => {
    const length = der[at + 1];
    if (der[at] !== 0x02 || length === undefined || length > 33)
      throw new TypeError('the authenticator made no DER signature of P-256');
    return { value: bigIntOfBytes(der.subarray(at + 2, at + 2 + length)), end: at + 2 + length };
  };
  if (der[0] !== 0x30) throw new TypeError('the authenticator made no DER signature of P-256');
  const r = readInteger(2);
  return p256Signature(r.value, readInteger(r.end).value);
}

/** The point of a public key as WebCrypto exports it in `raw`: 04, x, y. */
export function p256PublicKeyOfRaw(raw: Uint8Array): P256PublicKey {
  return {
    x: bigIntOfBytes(raw.subarray(1, 33)).toString(),
    y: bigIntOfBytes(raw.subarray(33, 65)).toString(),
  };
}
