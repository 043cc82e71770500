import {
  createHash,
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';
import bs58 from 'bs58';
import type { Caller, Environment } from '../../context.ts';
import { ServiceError } from '../../lib/errors.ts';

/** What a key says about itself. Trusted once its signature verified. */
export interface KeyClaims {
  readonly kind: Caller['keyKind'];
  readonly environment: Environment;
  readonly projectId: string;
  /** The 32 random characters: the secret part. */
  readonly secret: string;
}

const kinds = { sk: 'server', ck: 'client' } as const;
const prefixPattern = /^(sk|ck)_(development|staging|production)_([1-9A-HJ-NP-Za-km-z]{1,400})$/;
const payloadPattern =
  /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.([A-Za-z0-9]{32}):([1-9A-HJ-NP-Za-km-z]{64,90})$/;
const signatureBytes = 64;

// A raw Ed25519 key becomes a KeyObject by putting the fixed DER header before it (RFC 8410).
const publicKeyHeader = Buffer.from('302a300506032b6570032100', 'hex');
const privateKeyHeader = Buffer.from('302e020100300506032b657004220420', 'hex');

/** Reads 32 bytes as an Ed25519 public key. */
export function readPublicKey(bytes: Uint8Array): KeyObject {
  return createPublicKey({
    key: Buffer.concat([publicKeyHeader, bytes]),
    format: 'der',
    type: 'spki',
  });
}

function readPrivateKey(seed: Uint8Array): KeyObject {
  return createPrivateKey({
    key: Buffer.concat([privateKeyHeader, seed]),
    format: 'der',
    type: 'pkcs8',
  });
}

/** The 32-byte public key of a 32-byte Ed25519 seed. */
export function publicKeyOfSeed(seed: Uint8Array): Uint8Array {
  const der = createPublicKey(readPrivateKey(seed)).export({ format: 'der', type: 'spki' });
  return new Uint8Array(der.subarray(publicKeyHeader.length));
}

/**
 * Writes a key: `<ck|sk>_<environment>_` and base58 of `<projectId>.<secret>:<signature>`
 * (supplement, section 3).
 */
export function formatKey(claims: KeyClaims, seed: Uint8Array): string {
  const prefix = prefixOf(claims);
  const signature = sign(null, signedBytes(claims), readPrivateKey(seed));
  return `${prefix}_${bs58.encode(Buffer.from(`${claims.projectId}.${claims.secret}:${bs58.encode(signature)}`))}`;
}

/**
 * Reads a key and checks everything that needs no database, in the order of section 3.
 * @throws unauthorized old form, malformed, another environment, wrong signature
 */
export function readKey(
  text: string,
  expected: { readonly environment: Environment; readonly publicKey: KeyObject },
): KeyClaims {
  if (/^[cs]k_(live|test)/.test(text))
    throw refuse(
      'This is a key of the old form (sk_live, sk_test), which is not accepted any more: create a new API key.',
    );
  const [, kind, environment, payload] = prefixPattern.exec(text) ?? [];
  if (!kind || !environment || !payload)
    throw refuse(
      'The API key is malformed: it starts with sk_ or ck_ and an environment, as in sk_staging_…. Copy it whole.',
    );
  if (environment !== expected.environment)
    throw refuse(
      `This is a key of the ${environment} environment, and this instance serves ${expected.environment}: use a key of ${expected.environment}.`,
    );
  const [, projectId, secret, signature] = payloadPattern.exec(decodeText(payload)) ?? [];
  if (!projectId || !secret || !signature)
    throw refuse('The API key is malformed: characters are missing or changed. Copy it whole.');
  const claims: KeyClaims = {
    kind: kinds[kind as keyof typeof kinds],
    environment: expected.environment,
    projectId,
    secret,
  };
  const bytes = bs58.decodeUnsafe(signature);
  if (
    bytes?.length !== signatureBytes ||
    !verify(null, signedBytes(claims), expected.publicKey, bytes)
  ) {
    throw refuse(
      'The signature of the API key does not verify: it was changed, or another instance issued it.',
    );
  }
  return claims;
}

/** What is kept of a key's secret part. */
export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

function prefixOf(claims: KeyClaims): string {
  return `${claims.kind === 'server' ? 'sk' : 'ck'}_${claims.environment}`;
}

function signedBytes(claims: KeyClaims): Buffer {
  return Buffer.from(`${prefixOf(claims)}.${claims.projectId}.${claims.secret}`);
}

function decodeText(base58: string): string {
  const bytes = bs58.decodeUnsafe(base58);
  return bytes ? Buffer.from(bytes).toString('utf8') : '';
}

function refuse(message: string): ServiceError {
  return new ServiceError('unauthorized', { message });
}
