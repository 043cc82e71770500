import { ed25519 } from '@noble/curves/ed25519.js';

/**
 * Whether a proof, 64 bytes in base64, is a signature by this Ed25519 key over one of these
 * messages.
 */
export function isSignedBy(
  publicKey: Uint8Array | undefined,
  proof: string,
  messages: readonly Uint8Array[],
): boolean {
  const signature = decodeSignature(proof);
  if (!publicKey || !signature) return false;
  return messages.some((message) => {
    try {
      // The strict rules of RFC 8032: no second spelling of a signature, no key of small order.
      return ed25519.verify(signature, message, publicKey, { zip215: false });
    } catch {
      // Not a point of the curve, e.g. an address that has no key.
      return false;
    }
  });
}

function decodeSignature(proof: string): Uint8Array | undefined {
  if (!/^[A-Za-z0-9+/]{86}(?:==)?$/.test(proof)) return undefined;
  const bytes = Buffer.from(proof, 'base64');
  return bytes.length === 64 ? bytes : undefined;
}
