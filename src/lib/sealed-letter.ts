import {
  createCipheriv,
  createDecipheriv,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
} from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import { lengthPrefixed } from './length-prefixed.ts';
import type { Secret } from './secret.ts';

/**
 * A short text that only one of our processes can read, however it travels: sealed to the Ed25519 key by which the process is known,
 * in its X25519 form (RFC 7748), as HPKE's base mode does it: a new key pair for each letter, HKDF-SHA256, AES-256-GCM. Who sealed
 * it is not proved.
 *
 *   0  32 public key of the letter, then the content, then 16 tag
 */
const label = 'purser-sealed-letter-1';
const keyBytes = 32;
const tagBytes = 16;
// Each key seals once, so its nonce may be the same one.
const nonce = Buffer.alloc(12);
// A raw X25519 key becomes a KeyObject by putting the fixed DER header before it (RFC 8410).
const publicKeyHeader = Buffer.from('302a300506032b656e032100', 'hex');
const privateKeyHeader = Buffer.from('302e020100300506032b656e04220420', 'hex');

/** A letter is changed, was meant for somebody else, or belongs elsewhere. */
export class SealedLetterError extends Error {
  override readonly name = 'SealedLetterError';
}

/** @param context where the letter belongs: it opens with the same one only */
export function sealLetter(publicKey: Uint8Array, text: string, context: readonly string[]): Buffer {
  const recipient = Buffer.from(ed25519.utils.toMontgomery(publicKey));
  const own = generateKeyPairSync('x25519');
  const ownBytes = own.publicKey.export({ format: 'der', type: 'spki' }).subarray(publicKeyHeader.length);
  const key = keyOf({ privateKey: own.privateKey, other: recipient, sender: ownBytes, recipient });
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes }).setAAD(lengthPrefixed([label, ...context]));
  return Buffer.concat([ownBytes, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
}

/** @throws SealedLetterError */
export function openLetter(seed: Secret<Uint8Array>, letter: Uint8Array, context: readonly string[]): string {
  if (letter.length < keyBytes + tagBytes) throw new SealedLetterError('The letter is cut off.');
  const bytes = Buffer.from(letter);
  const [sender, content, tag] = [bytes.subarray(0, keyBytes), bytes.subarray(keyBytes, -tagBytes), bytes.subarray(-tagBytes)];
  const recipient = Buffer.from(ed25519.utils.toMontgomery(ed25519.getPublicKey(seed.reveal())));
  const secret = Buffer.from(ed25519.utils.toMontgomerySecret(seed.reveal()));
  try {
    const privateKey = createPrivateKey({ key: Buffer.concat([privateKeyHeader, secret]), format: 'der', type: 'pkcs8' });
    const key = keyOf({ privateKey, other: sender, sender, recipient });
    const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes })
      .setAAD(lengthPrefixed([label, ...context]))
      .setAuthTag(tag);
    return Buffer.concat([decipher.update(content), decipher.final()]).toString('utf8');
  } catch (cause) {
    throw new SealedLetterError('The letter was changed, or is for another process or purpose.', { cause });
  } finally {
    secret.fill(0);
  }
}

function keyOf(input: {
  readonly privateKey: KeyObject;
  readonly other: Buffer;
  readonly sender: Buffer;
  readonly recipient: Buffer;
}): Buffer {
  const publicKey = createPublicKey({ key: Buffer.concat([publicKeyHeader, input.other]), format: 'der', type: 'spki' });
  const shared = diffieHellman({ privateKey: input.privateKey, publicKey });
  return Buffer.from(hkdfSync('sha256', shared, Buffer.concat([input.sender, input.recipient]), label, keyBytes));
}
