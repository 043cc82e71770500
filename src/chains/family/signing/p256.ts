import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto';
import { p256 } from '@noble/curves/nist.js';
import { z } from 'zod';
import type { Json } from '../../../lib/json/json.ts';
import type { SubmittedApproval } from '../capabilities/signers.ts';

/**
 * Approvals by P-256 keys where a chain itself checks them: devices sign the hash as a message,
 * passkeys as the challenge of a WebAuthn assertion by a person who was present and verified.
 * Authenticators make either of the two values of s; chains take the lower one only.
 */

export interface P256Point {
  readonly x: bigint;
  readonly y: bigint;
}

export interface Assertion {
  readonly authenticatorData: Uint8Array;
  readonly clientData: Uint8Array;
}

export interface P256Approval {
  readonly point: P256Point;
  /** r and the lower s, 32 bytes each. */
  readonly signature: Uint8Array;
  /** Of a passkey. */
  readonly assertion?: Assertion;
}

const curve = p256.Point.CURVE();
const decimal = z.string().regex(/^(?:0|[1-9]\d{0,77})$/);
const publicKeySchema = z.object({ x: decimal, y: decimal });

/**
 * The point of `publicKey {x, y}` in decimal text; undefined when it is not a point of the curve.
 */
export function readP256Key(publicKey: Json | undefined): P256Point | undefined {
  const parsed = publicKeySchema.safeParse(publicKey);
  if (!parsed.success) return undefined;
  const [x, y] = [BigInt(parsed.data.x), BigInt(parsed.data.y)];
  const { p, a, b } = curve;
  return x < p && y < p && (y * y - (x * x * x + a * x + b)) % p === 0n ? { x, y } : undefined;
}

/**
 * The approval, if that signer's key approved the hash with it.
 * @param input.assertionBytesMax authenticator's data, and the client's from the end of the
 * challenge on
 */
export function readP256Approval(
  hash: Uint8Array,
  approval: SubmittedApproval,
  { assertionBytesMax }: { readonly assertionBytesMax: number },
): P256Approval | undefined {
  const point = readP256Key(approval.signer['publicKey']);
  const pair = readPair(approval.signature);
  if (!point || !pair) return undefined;
  const signature = new Uint8Array(
    Buffer.from(wordOf(pair.r) + wordOf(pair.s > curve.n / 2n ? curve.n - pair.s : pair.s), 'hex'),
  );
  if (approval.signer.type === 'device')
    return isSignedBy(point, hash, signature) ? { point, signature } : undefined;
  const assertion =
    approval.signer.type === 'passkey'
      ? readAssertion(hash, approval, assertionBytesMax)
      : undefined;
  if (!assertion) return undefined;
  const message = Buffer.concat([
    assertion.authenticatorData,
    createHash('sha256').update(assertion.clientData).digest(),
  ]);
  return isSignedBy(point, message, signature) ? { point, signature, assertion } : undefined;
}

const number = z.string().regex(/^0x[0-9a-fA-F]{1,64}$/);
const pairSchema = z.object({ r: number, s: number });

function readPair(signature: Json): { readonly r: bigint; readonly s: bigint } | undefined {
  const parsed = pairSchema.safeParse(signature);
  if (!parsed.success) return undefined;
  const [r, s] = [BigInt(parsed.data.r), BigInt(parsed.data.s)];
  return r === 0n || s === 0n || r >= curve.n || s >= curve.n ? undefined : { r, s };
}

function isSignedBy(point: P256Point, message: Uint8Array, signature: Uint8Array): boolean {
  return verify(
    'sha256',
    message,
    { key: publicKeyOf(point), dsaEncoding: 'ieee-p1363' },
    signature,
  );
}

/** SubjectPublicKeyInfo of an uncompressed P-256 point (RFC 5480), up to the point. */
const spkiHead = '3059301306072a8648ce3d020106082a8648ce3d03010703420004';

function publicKeyOf({ x, y }: P256Point): KeyObject {
  return createPublicKey({
    key: Buffer.from(spkiHead + wordOf(x) + wordOf(y), 'hex'),
    format: 'der',
    type: 'spki',
  });
}

const clientDataStart = '{"type":"webauthn.get","challenge":"';
const challengeLength = 43;
const metadataSchema = z.object({
  authenticatorData: z
    .string()
    .max(4_096)
    .regex(/^0x(?:[0-9a-fA-F]{2})*$/),
  clientDataJSON: z.string().max(4_096),
});
const authenticatorDataBytesMin = 37;
const flagsAt = 32;
const flags = { present: 0x01, verified: 0x04, backupEligible: 0x08, backupState: 0x10 };

function readAssertion(
  hash: Uint8Array,
  approval: SubmittedApproval,
  assertionBytesMax: number,
): Assertion | undefined {
  const metadata = metadataSchema.safeParse(approval.metadata).data;
  if (!metadata) return undefined;
  const clientData = Buffer.from(metadata.clientDataJSON, 'utf8');
  // Half a surrogate pair has no bytes of its own: what is sent on would be another text.
  if (clientData.toString('utf8') !== metadata.clientDataJSON) return undefined;
  const start = `${clientDataStart}${Buffer.from(hash).toString('base64url')}"`;
  if (!metadata.clientDataJSON.startsWith(start)) return undefined;
  const authenticatorData = new Uint8Array(Buffer.from(metadata.authenticatorData.slice(2), 'hex'));
  if (authenticatorData.length < authenticatorDataBytesMin) return undefined;
  if (
    authenticatorData.length + clientData.length - (clientDataStart.length + challengeLength) >
    assertionBytesMax
  )
    return undefined;
  const has = (bit: number) => (authenticatorData[flagsAt]! & bit) !== 0;
  if (
    !has(flags.present) ||
    !has(flags.verified) ||
    (!has(flags.backupEligible) && has(flags.backupState))
  )
    return undefined;
  return { authenticatorData, clientData: new Uint8Array(clientData) };
}

/** 32 bytes in hexadecimal. */
export function wordOf(value: bigint): string {
  return value.toString(16).padStart(64, '0');
}
