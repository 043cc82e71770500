import { createHash, createPrivateKey, type KeyObject, sign } from 'node:crypto';
import { p256 } from '@noble/curves/nist.js';
import type { P256Approval, SignerKey } from '../index.ts';

/** A device's or passkey's key; the same for the same name. */
export interface P256TestKey {
  readonly kind: 'device' | 'passkey';
  /** The compressed point. */
  readonly key: Uint8Array;
  readonly secret: KeyObject;
}

export function p256KeyOf(kind: P256TestKey['kind'], name: string): P256TestKey & SignerKey {
  const d = createHash('sha256').update(`p256 ${name}`).digest();
  const point = p256.Point.fromBytes(p256.getPublicKey(d, true));
  const base64url = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url');
  const whole = point.toBytes(false);
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    d: base64url(d),
    x: base64url(whole.subarray(1, 33)),
    y: base64url(whole.subarray(33)),
  };
  return { kind, key: point.toBytes(true), secret: createPrivateKey({ key: jwk, format: 'jwk' }) };
}

/** What an authenticator can do otherwise than it should. */
export interface Assertion {
  readonly flags?: number;
  readonly type?: string;
  /** Instead of the one that is made of the hash. */
  readonly clientData?: string;
}

export function approve(
  { kind, key, secret }: P256TestKey,
  hash: Uint8Array,
  change: Assertion = {},
): P256Approval {
  if (kind === 'device') return { key, signature: lowSignature(secret, hash), signed: { hash } };
  const challenge = Buffer.from(hash).toString('base64url');
  const text =
    change.clientData ??
    `{"type":"${change.type ?? 'webauthn.get'}","challenge":"${challenge}","origin":"https://wallet.example"}`;
  const clientData = Buffer.from(text);
  const rpIdHash = createHash('sha256').update('wallet.example').digest();
  const authenticatorData = Buffer.concat([rpIdHash, Buffer.from([change.flags ?? 5, 0, 0, 0, 1])]);
  const signed = Buffer.concat([
    authenticatorData,
    createHash('sha256').update(clientData).digest(),
  ]);
  return {
    key,
    signature: lowSignature(secret, signed),
    signed: { authenticatorData, clientData },
  };
}

const order = p256.Point.Fn.ORDER;

/** r and s, the lower of the two that verify. */
function lowSignature(secret: KeyObject, message: Uint8Array): Uint8Array {
  const made = sign('sha256', message, { key: secret, dsaEncoding: 'ieee-p1363' });
  const s = BigInt(`0x${made.subarray(32).toString('hex')}`);
  const low = s > order / 2n ? order - s : s;
  return Buffer.concat([
    made.subarray(0, 32),
    Buffer.from(low.toString(16).padStart(64, '0'), 'hex'),
  ]);
}
