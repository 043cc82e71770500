import { p256 } from '@noble/curves/nist.js';

/** A point of P-256 as the interface writes it: two decimal integers. */
export interface P256PublicKey {
  readonly x: string;
  readonly y: string;
}

const coordinateBytes = 32;

/** True when the coordinates are a point of the curve. */
export function isP256Point({ x, y }: P256PublicKey): boolean {
  try {
    p256.Point.fromAffine({ x: BigInt(x), y: BigInt(y) }).assertValidity();
    return true;
  } catch {
    return false;
  }
}

/** `device:` and {@link formatDeviceKey}. */
export function deviceLocator(key: P256PublicKey): string {
  return `device:${formatDeviceKey(key)}`;
}

/** The 65 bytes `04 || x || y` (SEC 1, uncompressed) in base64. */
export function formatDeviceKey({ x, y }: P256PublicKey): string {
  return Buffer.from(`04${hexOf(x)}${hexOf(y)}`, 'hex').toString('base64');
}

/** SubjectPublicKeyInfo of a P-256 point (RFC 5480), up to the SEC 1 bytes. */
const spkiHead = Buffer.from('3059301306072a8648ce3d020106082a8648ce3d030107034200', 'hex');

/**
 * The point behind a device locator, in base64 or base64url: SEC 1 bytes (compressed or not), the
 * bare coordinates, or a SubjectPublicKeyInfo, which is how browsers and phones export keys.
 * Undefined for anything else.
 */
export function readDeviceKey(base64: string): P256PublicKey | undefined {
  let bytes = Buffer.from(base64, 'base64');
  if (bytes.subarray(0, spkiHead.length).equals(spkiHead)) bytes = bytes.subarray(spkiHead.length);
  if (bytes.length === 2 * coordinateBytes) bytes = Buffer.concat([Buffer.of(4), bytes]);
  if (bytes.length !== coordinateBytes + 1 && bytes.length !== 2 * coordinateBytes + 1)
    return undefined;
  try {
    const { x, y } = p256.Point.fromBytes(bytes).toAffine();
    return { x: x.toString(), y: y.toString() };
  } catch {
    return undefined;
  }
}

function hexOf(coordinate: string): string {
  return BigInt(coordinate)
    .toString(16)
    .padStart(2 * coordinateBytes, '0');
}
