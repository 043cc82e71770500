import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto';
import { ServiceError } from '../../lib/errors.ts';

/** SubjectPublicKeyInfo of a P-256 key (RFC 5480) up to the 65 bytes of its point. */
const spkiPrefix = Buffer.from('3059301306072a8648ce3d020106082a8648ce3d030107034200', 'hex');
const coordinateBytes = 32;

/**
 * The 65 bytes `04 || x || y`.
 * @throws validation-error when the coordinates are no point of P-256
 */
export function readDeviceKey({ x, y }: { readonly x: string; readonly y: string }): Buffer {
  const point = Buffer.concat([Buffer.of(4), ...[x, y].map(toBytes)]);
  if (point.length !== 1 + 2 * coordinateBytes || !openKey(point))
    throw new ServiceError('validation-error', {
      message:
        'devicePublicKey: is no point of P-256. Send x and y of an ECDSA P-256 key as decimal integers.',
    });
  return point;
}

export interface DeviceRequest {
  readonly walletAddress: string;
  /** `email:…` or `phone:…` in normalised form. */
  readonly signer: string;
  readonly codeId: string;
  readonly code?: string | undefined;
  readonly nonce: string;
  readonly message: string;
}

/**
 * What a device signs: fixed lines, the message as the hexadecimal SHA-256 of its UTF-8 text, an
 * empty line where no code is sent. No line can hold a line break, so no two requests give the same
 * text.
 */
export function deviceRequestText(request: DeviceRequest): string {
  const { walletAddress, signer, codeId, code = '', nonce, message } = request;
  const messageHash = createHash('sha256').update(message).digest('hex');
  return ['purser signer request 1', walletAddress, signer, codeId, code, nonce, messageHash].join(
    '\n',
  );
}

/** True when the device key signed the request: ECDSA with SHA-256, r and s as `0x` hex. */
export function isSignedByDevice(
  point: Uint8Array,
  request: DeviceRequest,
  signature: { readonly r: string; readonly s: string },
): boolean {
  const key = openKey(point);
  if (!key) return false;
  const raw = Buffer.from(
    [signature.r, signature.s]
      .map((scalar) => scalar.slice(2).padStart(2 * coordinateBytes, '0'))
      .join(''),
    'hex',
  );
  return verify(
    'sha256',
    Buffer.from(deviceRequestText(request)),
    { key, dsaEncoding: 'ieee-p1363' },
    raw,
  );
}

/** Undefined for bytes that are no point of the curve. */
function openKey(point: Uint8Array): KeyObject | undefined {
  try {
    return createPublicKey({
      key: Buffer.concat([spkiPrefix, point]),
      format: 'der',
      type: 'spki',
    });
  } catch {
    return undefined;
  }
}

/** Longer than 32 bytes for numbers that no coordinate can be. */
function toBytes(decimal: string): Buffer {
  return Buffer.from(
    BigInt(decimal)
      .toString(16)
      .padStart(2 * coordinateBytes, '0')
      .replace(/^(?=(?:..)*.$)/, '0'),
    'hex',
  );
}
