import { base64UrlOfBytes, hexOfBytes } from '../bytes.ts';
import { type P256PublicKey, p256PublicKeyOfRaw, p256SignatureOfDer } from '../p256.ts';
import { type PurserSigner, signedBytesOf } from './signer.ts';

/** What has to be kept of a passkey to use it again: none of it is secret. */
export interface Passkey {
  /** Credential id, base64url. */
  readonly id: string;
  readonly name: string;
  readonly publicKey: P256PublicKey;
}

export interface CreatePasskeyOptions {
  /** Shown by the authenticator. */
  readonly name: string;
  /** Shown as the site; default: the page's host. */
  readonly rpName?: string;
  readonly rpId?: string;
}

const es256 = -7;
const userIdBytes = 32;
const challengeBytes = 32;

/**
 * Registers a passkey with the browser.
 * @throws Error when the authenticator has no P-256 keys; what the browser throws
 */
export async function createPasskey(options: CreatePasskeyOptions): Promise<Passkey> {
  const credential = await navigator.credentials.create({
    publicKey: {
      challenge: crypto.getRandomValues(new Uint8Array(challengeBytes)),
      rp: {
        name: options.rpName ?? location.hostname,
        ...(options.rpId === undefined ? {} : { id: options.rpId }),
      },
      user: {
        id: crypto.getRandomValues(new Uint8Array(userIdBytes)),
        name: options.name,
        displayName: options.name,
      },
      pubKeyCredParams: [{ type: 'public-key', alg: es256 }],
      authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
      attestation: 'none',
    },
  });
  if (!(credential instanceof PublicKeyCredential)) throw new Error('The browser made no passkey.');
  const spki = (credential.response as AuthenticatorAttestationResponse).getPublicKey();
  if (!spki) throw new Error('The authenticator has no keys on P-256 (ES256), which wallets need.');
  const key = await crypto.subtle.importKey(
    'spki',
    spki,
    { name: 'ECDSA', namedCurve: 'P-256' },
    true,
    ['verify'],
  );
  const raw = new Uint8Array(await crypto.subtle.exportKey('raw', key));
  return {
    id: base64UrlOfBytes(new Uint8Array(credential.rawId)),
    name: options.name,
    publicKey: p256PublicKeyOfRaw(raw),
  };
}

/** A signer with a passkey of this browser: it asks the user to confirm each approval. */
export function passkeySigner(
  passkey: Passkey,
  options: { readonly rpId?: string } = {},
): PurserSigner {
  return {
    locator: `passkey:${passkey.id}`,
    input: { type: 'passkey', ...passkey },
    async approve({ message, review }) {
      const credential = await navigator.credentials.get({
        publicKey: {
          challenge: signedBytesOf(message, review),
          allowCredentials: [{ type: 'public-key', id: bytesOfBase64Url(passkey.id) }],
          userVerification: 'required',
          ...(options.rpId === undefined ? {} : { rpId: options.rpId }),
        },
      });
      if (!(credential instanceof PublicKeyCredential))
        throw new Error('The browser gave no signature.');
      const response = credential.response as AuthenticatorAssertionResponse;
      const clientDataJSON = new TextDecoder().decode(response.clientDataJSON);
      return {
        signature: p256SignatureOfDer(new Uint8Array(response.signature)),
        metadata: {
          authenticatorData: hexOfBytes(new Uint8Array(response.authenticatorData)),
          clientDataJSON,
          challengeIndex: clientDataJSON.indexOf('"challenge"'),
          typeIndex: clientDataJSON.indexOf('"type"'),
          userVerificationRequired: true,
        },
      };
    },
  };
}

function bytesOfBase64Url(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) =>
    character.charCodeAt(0),
  );
}
