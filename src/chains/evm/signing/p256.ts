import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto';
import { p256 } from '@noble/curves/nist.js';
import { z } from 'zod';
import type { Json, JsonObject } from '../../../lib/json/json.ts';
import { bytesOf, type Hex, hexOf, wordOf } from '../abi/words.ts';

/**
 * Signatures of P-256 keys as the `SignerVerifier` contract takes them: by devices over the hash as
 * a message, by passkeys as WebAuthn assertions whose challenge is the hash. Authenticators make
 * either of the two values of s; the contract takes the lower one only, which the encoder of proofs
 * puts in its place.
 */

export interface P256Key {
  readonly x: bigint;
  readonly y: bigint;
}

export interface P256Signature {
  readonly r: bigint;
  readonly s: bigint;
}

/** What an authenticator signed, beside the signature. */
export interface WebAuthnAssertion extends P256Signature {
  readonly authenticatorData: Hex;
  readonly clientDataJSON: string;
  /** Where `"challenge":"…"` and `"type":"webauthn.get"` begin in it, in bytes. */
  readonly challengeIndex: number;
  readonly typeIndex: number;
}

const curve = p256.Point.CURVE();
const decimalPattern = /^(?:0|[1-9]\d{0,77})$/;
const publicKeySchema = z.object({
  x: z.string().regex(decimalPattern),
  y: z.string().regex(decimalPattern),
});

/**
 * The point of `publicKey {x, y}` in decimal text; undefined when it is not a point of the curve.
 */
export function readP256Key(publicKey: Json | undefined): P256Key | undefined {
  const parsed = publicKeySchema.safeParse(publicKey);
  if (!parsed.success) return undefined;
  const key = { x: BigInt(parsed.data.x), y: BigInt(parsed.data.y) };
  return isPoint(key) ? key : undefined;
}

/** The curve has cofactor 1: every point but infinity, which has no coordinates, is a key. */
function isPoint({ x, y }: P256Key): boolean {
  const { p, a, b } = curve;
  return x < p && y < p && (y * y - (x * x * x + a * x + b)) % p === 0n;
}

const signatureSchema = z.object({
  r: z.string().regex(/^0x[0-9a-fA-F]{1,64}$/),
  s: z.string().regex(/^0x[0-9a-fA-F]{1,64}$/),
});

/** `{r, s}` of an approval; undefined when these numbers can sign nothing. */
export function readP256Signature(value: Json): P256Signature | undefined {
  const parsed = signatureSchema.safeParse(value);
  if (!parsed.success) return undefined;
  const [r, s] = [BigInt(parsed.data.r), BigInt(parsed.data.s)];
  if (r === 0n || s === 0n || r >= curve.n || s >= curve.n) return undefined;
  return { r, s };
}

/** Whether a device's key signed the 32 bytes of the hash as a message, that is their sha-256. */
export function verifyDevice(key: P256Key, hash: Hex, signature: P256Signature): boolean {
  return verifyMessage(key, bytesOf(hash), signature);
}

function verifyMessage(key: P256Key, message: Uint8Array, { r, s }: P256Signature): boolean {
  const options = { key: publicKeyOf(key), dsaEncoding: 'ieee-p1363' } as const;
  return verify('sha256', message, options, Buffer.from(wordOf(r) + wordOf(s), 'hex'));
}

/** SubjectPublicKeyInfo of an uncompressed P-256 point (RFC 5480), up to the point. */
const spkiHead = '3059301306072a8648ce3d020106082a8648ce3d03010703420004';

function publicKeyOf({ x, y }: P256Key): KeyObject {
  return createPublicKey({
    key: Buffer.from(spkiHead + wordOf(x) + wordOf(y), 'hex'),
    format: 'der',
    type: 'spki',
  });
}

const authenticatorDataBytesMax = 2_048;
const clientDataLengthMax = 4_096;
const index = z.int().min(0).max(clientDataLengthMax);
const metadataSchema = z.object({
  authenticatorData: z
    .string()
    .max(2 + 2 * authenticatorDataBytesMax)
    .regex(/^0x(?:[0-9a-fA-F]{2})*$/),
  clientDataJSON: z.string().max(clientDataLengthMax),
  challengeIndex: index.optional(),
  typeIndex: index.optional(),
});

const typeText = '"type":"webauthn.get"';
const flagsAt = 32;
const authenticatorDataBytesMin = 37;
const userPresent = 0x01;
const userVerified = 0x04;
const backupEligible = 0x08;
const backupState = 0x10;

/**
 * The assertion of an approval, if that passkey signed the hash with it, by the rules of the
 * contract: type and challenge stand where the indexes say, the user was present and, where the
 * signer asks for it, verified.
 */
export function readAssertion(
  key: P256Key & { readonly requireUserVerification: boolean },
  hash: Hex,
  approval: { readonly signature: Json; readonly metadata?: JsonObject },
): WebAuthnAssertion | undefined {
  const signature = readP256Signature(approval.signature);
  const metadata = metadataSchema.safeParse(approval.metadata).data;
  if (!signature || !metadata) return undefined;
  const clientData = Buffer.from(metadata.clientDataJSON, 'utf8');
  // Half a surrogate pair has no bytes of its own: what is sent on would be another text.
  if (clientData.toString('utf8') !== metadata.clientDataJSON) return undefined;
  const challengeText = `"challenge":"${bytesOf(hash).toString('base64url')}"`;
  const {
    challengeIndex = clientData.indexOf(challengeText),
    typeIndex = clientData.indexOf(typeText),
  } = metadata;
  if (
    !standsAt(clientData, challengeText, challengeIndex) ||
    !standsAt(clientData, typeText, typeIndex)
  )
    return undefined;
  const authenticatorData = bytesOf(metadata.authenticatorData as Hex);
  if (!areFlagsRight(authenticatorData, key.requireUserVerification)) return undefined;
  const signed = Buffer.concat([
    authenticatorData,
    createHash('sha256').update(clientData).digest(),
  ]);
  if (!verifyMessage(key, signed, signature)) return undefined;
  return {
    ...signature,
    authenticatorData: hexOf(authenticatorData),
    clientDataJSON: metadata.clientDataJSON,
    challengeIndex,
    typeIndex,
  };
}

function standsAt(bytes: Buffer, text: string, at: number): boolean {
  return at >= 0 && bytes.subarray(at, at + text.length).toString('latin1') === text;
}

function areFlagsRight(authenticatorData: Buffer, requireUserVerification: boolean): boolean {
  if (authenticatorData.length < authenticatorDataBytesMin) return false;
  const flags = authenticatorData[flagsAt]!;
  const has = (bit: number) => (flags & bit) !== 0;
  if (!has(userPresent) || (requireUserVerification && !has(userVerified))) return false;
  return has(backupEligible) || !has(backupState);
}
