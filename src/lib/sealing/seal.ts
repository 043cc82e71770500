import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Secret } from './secret.ts';

/**
 * Envelope encryption of what must not lie readable in a database. Each record gets a random data
 * key; the data key is sealed by a key-encryption key. Both layers are AES-256-GCM and are bound to
 * the record's context, so that a sealed value opens only in the row it was made for.
 *
 * Layout, all lengths in bytes:
 *
 *   0  1  format version (1)
 *   1  1  length n of the key-encryption key's id
 *   2  n  id of the key-encryption key, ASCII
 *      12 nonce of the wrapped data key, then 32 wrapped data key, 16 tag
 *      12 nonce of the content, then the content, 16 tag
 *
 * Associated data of both layers: a layer label, then the context, each part with its length before
 * it; the wrap layer also binds the header. A key-encryption key wraps at most 2^32 records (random
 * 96-bit nonces, NIST SP 800-38D, 8.3).
 */

const formatVersion = 1;
const algorithm = 'aes-256-gcm';
const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;
const wrapBytes = nonceBytes + keyBytes + tagBytes;
const keyIdPattern = /^[A-Za-z0-9._-]{1,64}$/;

/** What a sealed value is, and where it belongs. */
export interface SealContext {
  /** Kind of the content, e.g. `custody-key`. */
  readonly purpose: string;
  readonly projectId: string;
  /** Id of the record. */
  readonly id: string;
  /**
   * Version of the record's content, so that an old value put back does not open as the new one.
   */
  readonly version: number;
}

export interface KeyEncryptionKey {
  /** 1 to 64 characters `A-Z a-z 0-9 . _ -`; written into every sealed value. */
  readonly id: string;
  /** 32 bytes. */
  readonly key: Secret<Uint8Array>;
}

export interface Sealer {
  /** Id of the key-encryption key that seals. */
  readonly keyId: string;
  seal(plaintext: Uint8Array, context: SealContext): Buffer;
  /** @throws SealError */
  open(sealed: Uint8Array, context: SealContext): Buffer;
  /**
   * The same content under the first key-encryption key; the content itself is not opened. Answers
   * the value as it is when that key wraps it already. @throws SealError
   */
  rewrap(sealed: Uint8Array, context: SealContext): Buffer;
  /** Id of the key-encryption key that a value needs. @throws SealError malformed */
  keyIdOf(sealed: Uint8Array): string;
}

/**
 * `malformed`: not a sealed value, or cut off. `unknown-key`: its key-encryption key is not
 * configured. `not-authentic`: changed, sealed for another context, or the configured key of that
 * id is a different one.
 */
export class SealError extends Error {
  readonly reason: 'malformed' | 'unknown-key' | 'not-authentic';

  constructor(reason: SealError['reason'], message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'SealError';
    this.reason = reason;
  }
}

/**
 * @param keyEncryptionKeys the first seals, all open: to rotate, put a new one first, rewrap, then
 * remove the old one
 * @throws Error when there is no key, an id is used twice or not well formed, or a key has not 32
 * bytes
 */
export function createSealer(keyEncryptionKeys: readonly KeyEncryptionKey[]): Sealer {
  const keys = new Map(keyEncryptionKeys.map(({ id, key }) => [id, key]));
  checkKeys(keyEncryptionKeys);
  const first = keyEncryptionKeys[0]!;

  return {
    keyId: first.id,
    seal(plaintext, context) {
      const dataKey = randomBytes(keyBytes);
      try {
        return Buffer.concat([
          wrapDataKey(dataKey, first, context),
          encrypt(dataKey, plaintext, associatedData('content', context)),
        ]);
      } finally {
        dataKey.fill(0);
      }
    },
    open(sealed, context) {
      const parts = splitSealed(sealed);
      const dataKey = unwrapDataKey(parts, keys, context);
      try {
        return decrypt(dataKey, parts.content, associatedData('content', context));
      } finally {
        dataKey.fill(0);
      }
    },
    rewrap(sealed, context) {
      const parts = splitSealed(sealed);
      const dataKey = unwrapDataKey(parts, keys, context);
      try {
        return parts.keyId === first.id
          ? Buffer.from(sealed)
          : Buffer.concat([wrapDataKey(dataKey, first, context), parts.content]);
      } finally {
        dataKey.fill(0);
      }
    },
    keyIdOf: (sealed) => splitSealed(sealed).keyId,
  };
}

interface SealedParts {
  readonly header: Buffer;
  readonly keyId: string;
  readonly wrapped: Buffer;
  readonly content: Buffer;
}

function splitSealed(sealed: Uint8Array): SealedParts {
  const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
  if (bytes.length < 2) throw new SealError('malformed', 'The sealed value is cut off.');
  if (bytes[0] !== formatVersion)
    throw new SealError(
      'malformed',
      `The sealed value has format version ${bytes[0]}; this program reads version ${formatVersion}.`,
    );
  const headerBytes = 2 + bytes[1]!;
  if (bytes.length < headerBytes + wrapBytes + nonceBytes + tagBytes)
    throw new SealError('malformed', 'The sealed value is cut off.');
  const keyId = bytes.toString('latin1', 2, headerBytes);
  if (!keyIdPattern.test(keyId))
    throw new SealError('malformed', 'The sealed value names no readable key id.');
  return {
    header: bytes.subarray(0, headerBytes),
    keyId,
    wrapped: bytes.subarray(headerBytes, headerBytes + wrapBytes),
    content: bytes.subarray(headerBytes + wrapBytes),
  };
}

function wrapDataKey(dataKey: Buffer, key: KeyEncryptionKey, context: SealContext): Buffer {
  const header = Buffer.concat([
    Buffer.of(formatVersion, key.id.length),
    Buffer.from(key.id, 'latin1'),
  ]);
  return Buffer.concat([
    header,
    encrypt(key.key.reveal(), dataKey, associatedData('data-key', context, header)),
  ]);
}

function unwrapDataKey(
  parts: SealedParts,
  keys: ReadonlyMap<string, Secret<Uint8Array>>,
  context: SealContext,
): Buffer {
  const key = keys.get(parts.keyId);
  if (!key) {
    throw new SealError(
      'unknown-key',
      `The value is sealed with key-encryption key "${parts.keyId}", which is not configured. Configured: ${[...keys.keys()].join(', ')}.`,
    );
  }
  return decrypt(key.reveal(), parts.wrapped, associatedData('data-key', context, parts.header));
}

/** Nonce, ciphertext, tag. */
function encrypt(key: Uint8Array, plaintext: Uint8Array, associated: Buffer): Buffer {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, key, nonce, { authTagLength: tagBytes }).setAAD(
    associated,
  );
  return Buffer.concat([nonce, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
}

function decrypt(key: Uint8Array, bytes: Buffer, associated: Buffer): Buffer {
  const tagAt = bytes.length - tagBytes;
  const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceBytes), {
    authTagLength: tagBytes,
  })
    .setAAD(associated)
    .setAuthTag(bytes.subarray(tagAt));
  const plaintext = decipher.update(bytes.subarray(nonceBytes, tagAt));
  try {
    return Buffer.concat([plaintext, decipher.final()]);
  } catch (cause) {
    throw new SealError(
      'not-authentic',
      'The sealed value was changed, belongs to another record, or was sealed with another key of the same id.',
      cause,
    );
  } finally {
    plaintext.fill(0);
  }
}

/** Lengths stand before the parts, so that no two contexts give the same bytes. */
function associatedData(
  layer: 'data-key' | 'content',
  context: SealContext,
  header: Uint8Array = Buffer.alloc(0),
): Buffer {
  const parts = [
    Buffer.from(`purser-seal-1/${layer}`),
    header,
    ...[context.purpose, context.projectId, context.id, `${context.version}`].map((text) =>
      Buffer.from(text),
    ),
  ];
  return Buffer.concat(parts.flatMap((part) => [lengthPrefix(part.length), part]));
}

function lengthPrefix(length: number): Buffer {
  const prefix = Buffer.alloc(4);
  prefix.writeUInt32BE(length);
  return prefix;
}

function checkKeys(keyEncryptionKeys: readonly KeyEncryptionKey[]): void {
  if (keyEncryptionKeys.length === 0) throw new Error('At least one key-encryption key is needed.');
  for (const { id, key } of keyEncryptionKeys) {
    if (!keyIdPattern.test(id))
      throw new Error(
        'The id of a key-encryption key has 1 to 64 characters: letters, digits, `.`, `_` and `-`.',
      );
    if (key.reveal().length !== keyBytes)
      throw new Error(`The key-encryption key "${id}" must have ${keyBytes} bytes.`);
  }
  if (new Set(keyEncryptionKeys.map(({ id }) => id)).size !== keyEncryptionKeys.length)
    throw new Error('Two key-encryption keys have the same id.');
}
