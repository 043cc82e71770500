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

/**
 * The approval, if that signer's key approved the hash with it.
 * @param room what the transaction has left for one approval, in bytes
 */
export function readP256Approval(
  hash: Uint8Array,
  approval: SubmittedApproval,
  room: number,
): P256Approval | undefined {
  const made = readApproval(hash, approval, {
    assertionBytesMax: Math.max(assertionBytesReserved, room - fixedBytes),
  });
  return (
    made && {
      key: compressKey(made.point),
      signature: made.signature,
      signed: made.assertion ?? { hash },
    }
  );
}

/**
 * What every operation leaves room for: the authenticator's data, and the client's from the end of
 * the challenge on. More is taken where the packet has room for it: Chromium adds a hundred bytes
 * to one in five or so ("do not compare clientDataJSON against a template").
 */
const assertionBytesReserved = 170;
/** Of a passkey's approval without them: offsets, signature, key, a hash, the length of a tail. */
const fixedBytes = 16 + 64 + 33 + 32 + 2;

/** Bytes of the instruction that are kept free for one approval. */
export function approvalBytesMax(type: string): number {
  return type === 'device' ? fixedBytes - 2 : fixedBytes + assertionBytesReserved;
}
