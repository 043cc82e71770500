import { ed25519 } from '@noble/curves/ed25519.js';
import { AEAD_AES_256_GCM, CipherSuite, KDF_HKDF_SHA256, KEM_DHKEM_X25519_HKDF_SHA256 } from 'hpke';
import { lengthPrefixed } from './length-prefixed.ts';
import type { Secret } from './secret.ts';

/**
 * A short text that only one of our processes can read, however it travels: HPKE in base mode (RFC
 * 9180; X25519, HKDF-SHA256, AES-256-GCM) to the Ed25519 key by which the process is known, in its
 * X25519 form (RFC 7748). Who sealed it is not proved.
 *
 *   0  32 encapsulated key, then the content, then 16 tag
 */
const suite = new CipherSuite(KEM_DHKEM_X25519_HKDF_SHA256, KDF_HKDF_SHA256, AEAD_AES_256_GCM);
const label = 'purser-sealed-letter-2';
const keyBytes = suite.KEM.Nenc;

/** A letter is changed, was meant for somebody else, or belongs elsewhere. */
export class SealedLetterError extends Error {
  override readonly name = 'SealedLetterError';
}

/** @param context where the letter belongs: it opens with the same one only */
export async function sealLetter(
  publicKey: Uint8Array,
  text: string,
  context: readonly string[],
): Promise<Buffer> {
  const recipient = await suite.DeserializePublicKey(ed25519.utils.toMontgomery(publicKey));
  const { encapsulatedSecret, ciphertext } = await suite.Seal(
    recipient,
    Buffer.from(text, 'utf8'),
    { info: infoOf(context) },
  );
  return Buffer.concat([encapsulatedSecret, ciphertext]);
}

/** @throws SealedLetterError */
export async function openLetter(
  seed: Secret<Uint8Array>,
  letter: Uint8Array,
  context: readonly string[],
): Promise<string> {
  const secret = ed25519.utils.toMontgomerySecret(seed.reveal());
  try {
    const recipient = {
      privateKey: await suite.DeserializePrivateKey(secret, false),
      publicKey: await suite.DeserializePublicKey(
        ed25519.utils.toMontgomery(ed25519.getPublicKey(seed.reveal())),
      ),
    };
    const content = await suite.Open(
      recipient,
      letter.subarray(0, keyBytes),
      letter.subarray(keyBytes),
      { info: infoOf(context) },
    );
    return Buffer.from(content).toString('utf8');
  } catch (cause) {
    throw new SealedLetterError('The letter was changed, or is for another process or purpose.', {
      cause,
    });
  } finally {
    secret.fill(0);
  }
}

const infoOf = (context: readonly string[]) => lengthPrefixed([label, ...context]);
