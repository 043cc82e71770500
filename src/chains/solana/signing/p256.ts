import { ed25519 } from '@noble/curves/ed25519.js';
import type { P256Approval } from '../../../../programs/solana-wallet/index.ts';
import {
  type P256Point,
  readP256Approval as readApproval,
  wordOf,
} from '../../family/signing/p256.ts';
import type { SubmittedApproval } from '../../family.ts';

/** Approvals by P-256 keys, by the rules of the wallet program. */

/** The 33 bytes by which the chain knows the key. */
export function compressKey({ x, y }: P256Point): Uint8Array {
  return new Uint8Array(Buffer.from(`0${2n + (y & 1n)}${wordOf(x)}`, 'hex'));
}

export function isOnEd25519Curve(bytes: Uint8Array): boolean {
  try {
    ed25519.Point.fromBytes(bytes, true);
    return true;
  } catch {
    return false;
  }
}

/** The approval, if that signer's key approved the hash with it. */
export function readP256Approval(
  hash: Uint8Array,
  approval: SubmittedApproval,
): P256Approval | undefined {
  const made = readApproval(hash, approval, { assertionBytesMax });
  return (
    made && {
      key: compressKey(made.point),
      signature: made.signature,
      signed: made.assertion ?? { hash },
    }
  );
}

/**
 * What fits beside the operation into a packet: the authenticator's data, and the client's from the
 * end of the challenge on.
 */
const assertionBytesMax = 170;

/**
 * Bytes of the instruction that one approval adds at most: offsets, signature, key, and what was
 * signed.
 */
export function approvalBytesMax(type: string): number {
  const fixed = 16 + 64 + 33;
  return type === 'device' ? fixed + 32 : fixed + 32 + 2 + assertionBytesMax;
}
