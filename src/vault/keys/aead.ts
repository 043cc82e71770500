import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

/** The bytes were changed, belong elsewhere, or were sealed with another key. */
export class NotAuthentic extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'NotAuthentic';
  }
}

/** AES-256-GCM of Node.js: nonce (12 bytes, random), ciphertext, tag (16 bytes). */
export function encrypt(key: Uint8Array, plaintext: Uint8Array, associated: Uint8Array): Buffer {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, key, nonce, { authTagLength: tagBytes }).setAAD(
    associated,
  );
  return Buffer.concat([nonce, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
}

/** @throws NotAuthentic */
export function decrypt(key: Uint8Array, sealed: Uint8Array, associated: Uint8Array): Buffer {
  if (sealed.length < nonceBytes + tagBytes) throw new NotAuthentic('The sealed value is cut off.');
  const tagAt = sealed.length - tagBytes;
  const decipher = createDecipheriv(algorithm, key, sealed.subarray(0, nonceBytes), {
    authTagLength: tagBytes,
  })
    .setAAD(associated)
    .setAuthTag(sealed.subarray(tagAt));
  const head = decipher.update(sealed.subarray(nonceBytes, tagAt));
  try {
    return Buffer.concat([head, decipher.final()]);
  } catch (cause) {
    throw new NotAuthentic(
      'The sealed value was changed, belongs to another record, or was sealed with another key.',
      cause,
    );
  } finally {
    head.fill(0);
  }
}
