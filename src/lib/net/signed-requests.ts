import {
  createHash,
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  randomBytes,
  sign,
  verify,
} from 'node:crypto';
import { lengthPrefixed } from '../sealing/length-prefixed.ts';
import type { Secret } from '../sealing/secret.ts';

/**
 * Requests between our own processes: main side and vault, runner and worker. Each side signs with
 * an Ed25519 key of its own over method, path, body digest, sender, time and nonce; an answer is
 * signed over status, body digest and the request's nonce, so that it answers this request and no
 * other. Who carries the bytes need not be trusted with anything but their secrecy.
 */
export interface InternalIdentity {
  /** `api`, `worker`: which rights the other side gives. */
  readonly name: string;
  /** Ed25519 seed, 32 bytes. */
  readonly seed: Secret<Uint8Array>;
}

export interface InternalRequest {
  readonly method: string;
  readonly path: string;
  readonly body: Uint8Array;
}

/** The body's content type; the server reads nothing else on these paths. */
export const internalContentType = 'application/vnd.purser.internal+json';
export const internalHeaders = {
  peer: 'purser-peer',
  time: 'purser-time',
  nonce: 'purser-nonce',
  signature: 'purser-signature',
} as const;
/**
 * A request may be this much older or newer than the receiver's clock. Its nonce is kept for twice
 * as long.
 */
export const internalWindowMs = 60_000;

const requestLabel = 'purser-internal-request-1';
const answerLabel = 'purser-internal-answer-1';
const nonceBytes = 16;
// A raw Ed25519 key becomes a KeyObject by putting the fixed DER header before it (RFC 8410).
const publicKeyHeader = Buffer.from('302a300506032b6570032100', 'hex');
const privateKeyHeader = Buffer.from('302e020100300506032b657004220420', 'hex');

export function readInternalPublicKey(bytes: Uint8Array): KeyObject {
  return createPublicKey({
    key: Buffer.concat([publicKeyHeader, bytes]),
    format: 'der',
    type: 'spki',
  });
}

function readSeed(seed: Uint8Array): KeyObject {
  return createPrivateKey({
    key: Buffer.concat([privateKeyHeader, seed]),
    format: 'der',
    type: 'pkcs8',
  });
}

const signingKeys = new WeakMap<Secret<Uint8Array>, KeyObject>();

/** Reading a seed costs more than signing with it: once for as long as the secret is held. */
function signingKey(seed: Secret<Uint8Array>): KeyObject {
  const known = signingKeys.get(seed);
  if (known !== undefined) return known;
  const key = readSeed(seed.reveal());
  signingKeys.set(seed, key);
  return key;
}

/** The 32-byte public key that the other side is told. */
export function internalPublicKey(seed: Uint8Array): Uint8Array {
  return new Uint8Array(
    createPublicKey(readSeed(seed))
      .export({ format: 'der', type: 'spki' })
      .subarray(publicKeyHeader.length),
  );
}

export interface SignedRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly nonce: string;
}

/** Headers of a request that is sent now. */
export function signRequest(
  identity: InternalIdentity,
  request: InternalRequest,
  now: Date,
): SignedRequest {
  const nonce = randomBytes(nonceBytes).toString('base64url');
  const time = String(now.getTime());
  const signed = requestBytes({ ...request, peer: identity.name, time, nonce });
  return {
    nonce,
    headers: {
      'content-type': internalContentType,
      [internalHeaders.peer]: identity.name,
      [internalHeaders.time]: time,
      [internalHeaders.nonce]: nonce,
      [internalHeaders.signature]: sign(null, signed, signingKey(identity.seed)).toString(
        'base64url',
      ),
    },
  };
}

export type RequestVerdict =
  | { readonly ok: true; readonly peer: string; readonly nonce: string; readonly expiresAt: Date }
  /** For the log: the sender is told only that it was refused. */
  | { readonly ok: false; readonly why: string };

/** Everything but the nonce's novelty, which the caller checks by storing it. */
export function verifyRequest(input: {
  readonly peers: ReadonlyMap<string, KeyObject>;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly request: InternalRequest;
  readonly now: Date;
}): RequestVerdict {
  const read = (name: string) =>
    typeof input.headers[name] === 'string' ? (input.headers[name] as string) : '';
  const [peer, time, nonce, signature] = Object.values(internalHeaders).map(read) as [
    string,
    string,
    string,
    string,
  ];
  const key = input.peers.get(peer);
  if (!key) return { ok: false, why: 'the sender is not known' };
  if (!/^\d{1,15}$/.test(time) || !/^[\w-]{22}$/.test(nonce))
    return { ok: false, why: 'time or nonce is malformed' };
  const signed = requestBytes({ ...input.request, peer, time, nonce });
  if (!verify(null, signed, key, Buffer.from(signature, 'base64url')))
    return { ok: false, why: 'the signature does not verify' };
  const awayMs = Math.abs(input.now.getTime() - Number(time));
  if (awayMs > internalWindowMs)
    return { ok: false, why: `its time is ${awayMs} ms away from ours: are the clocks in step?` };
  return { ok: true, peer, nonce, expiresAt: new Date(Number(time) + 2 * internalWindowMs) };
}

/** Signature of an answer, for its header. */
export function signAnswer(
  seed: Secret<Uint8Array>,
  answer: { readonly status: number; readonly body: Uint8Array; readonly nonce: string },
): string {
  return sign(null, answerBytes(answer), signingKey(seed)).toString('base64url');
}

export function verifyAnswer(
  key: KeyObject,
  answer: {
    readonly status: number;
    readonly body: Uint8Array;
    readonly nonce: string;
    readonly signature: string | null;
  },
): boolean {
  return (
    answer.signature !== null &&
    verify(null, answerBytes(answer), key, Buffer.from(answer.signature, 'base64url'))
  );
}

function requestBytes(
  input: InternalRequest & { readonly peer: string; readonly time: string; readonly nonce: string },
): Buffer {
  return lengthPrefixed([
    requestLabel,
    input.method,
    input.path,
    digest(input.body),
    input.peer,
    input.time,
    input.nonce,
  ]);
}

function answerBytes(input: {
  readonly status: number;
  readonly body: Uint8Array;
  readonly nonce: string;
}): Buffer {
  return lengthPrefixed([answerLabel, `${input.status}`, digest(input.body), input.nonce]);
}

function digest(body: Uint8Array): Buffer {
  return createHash('sha256').update(body).digest();
}
