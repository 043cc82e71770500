import { base64OfBytes } from '../bytes.ts';
import { type P256PublicKey, p256PublicKeyOfRaw, p256SignatureOfRaw } from '../p256.ts';
import { type PurserSigner, signedBytesOf } from './signer.ts';

export interface DeviceSigner extends PurserSigner {
  readonly publicKey: P256PublicKey;
  /** To keep in IndexedDB; the private key cannot be read out of it unless it was made so. */
  readonly keyPair: CryptoKeyPair;
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256' } as const;

/**
 * A new P-256 key of this device (WebCrypto). `extractable` only where no IndexedDB can keep the
 * key itself.
 */
export function createDeviceKey({ extractable = false } = {}): Promise<CryptoKeyPair> {
  return crypto.subtle.generateKey(algorithm, extractable, ['sign', 'verify']);
}

/** A signer with a device key. */
export async function deviceSigner(
  keyPair: CryptoKeyPair,
  options: { readonly name?: string } = {},
): Promise<DeviceSigner> {
  const raw = new Uint8Array(await crypto.subtle.exportKey('raw', keyPair.publicKey));
  const publicKey = p256PublicKeyOfRaw(raw);
  return {
    publicKey,
    keyPair,
    locator: `device:${base64OfBytes(raw)}`,
    input: {
      type: 'device',
      publicKey,
      ...(options.name === undefined ? {} : { name: options.name }),
    },
    async approve({ message, review }) {
      const signature = await crypto.subtle.sign(
        { name: 'ECDSA', hash: 'SHA-256' },
        keyPair.privateKey,
        signedBytesOf(message, review),
      );
      return { signature: p256SignatureOfRaw(new Uint8Array(signature)) };
    },
  };
}
