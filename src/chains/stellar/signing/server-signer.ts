import { ed25519 } from '@noble/curves/ed25519.js';
import { encodeStrKey } from '../../../lib/locator/strkey.ts';
import type { ServerSigner, ServerSignerInput } from '../../family/facts.ts';
import { deriveServerSeed } from '../../family/signing/server-seed.ts';

/**
 * A server signer of the caller's own (interface supplement, section 5).
 * @throws TypeError for a secret of another form
 */
export function deriveServerSigner(input: ServerSignerInput): ServerSigner {
  const seed = deriveServerSeed(input, 'ed25519');
  return {
    locator: `server:${encodeStrKey({ kind: 'G', bytes: ed25519.getPublicKey(seed) })}`,
    /** Over the 32 bytes of a payload in base64. @throws TypeError for anything else */
    async sign(message: string): Promise<string> {
      if (!/^[A-Za-z0-9+/]{43}=$/.test(message))
        throw new TypeError('An approval on Stellar asks to sign 32 bytes, in base64.');
      return Buffer.from(
        ed25519.sign(new Uint8Array(Buffer.from(message, 'base64')), seed),
      ).toString('base64');
    },
  };
}
