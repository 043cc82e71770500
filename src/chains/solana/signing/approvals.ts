import { ed25519 } from '@noble/curves/ed25519.js';
import bs58 from 'bs58';
import type { JsonObject } from '../../../lib/json/json.ts';
import { isP256Signer } from '../../family/signing/quorums.ts';
import type { Signer, SubmittedApproval } from '../../family.ts';
import { decodeSolanaAddress } from '../addresses.ts';
import { readOperation } from '../operation/stored.ts';
import { checkP256Approval, isApprovedByP256 } from './p256-message.ts';

/**
 * Approvals of signers that are addresses: Ed25519 over the message of `onChain.transaction`, 64
 * bytes in base58.
 */

const signaturePattern = /^[1-9A-HJ-NP-Za-km-z]{64,88}$/;

/** The 64 bytes of a signature; undefined for anything else. */
function readSignature(value: unknown): Uint8Array | undefined {
  if (typeof value !== 'string' || !signaturePattern.test(value)) return undefined;
  const bytes = bs58.decode(value);
  return bytes.length === 64 ? bytes : undefined;
}

export function isSignedBy(
  address: string | undefined,
  signature: unknown,
  bytes: Uint8Array,
): boolean {
  const key = address === undefined ? undefined : decodeSolanaAddress(address);
  const read = readSignature(signature);
  if (!key || !read) return false;
  try {
    // As the cluster has it: the strict rules of RFC 8032.
    return ed25519.verify(read, bytes, key, { zip215: false });
  } catch {
    // No point of the curve, such as the address of a program.
    return false;
  }
}

/**
 * As {@link ChainFamily.checkApproval}: signers that are addresses sign the transaction, devices
 * and passkeys its hash.
 */
export function checkSolanaApproval(value: JsonObject, approval: SubmittedApproval): boolean {
  const { signer, signature } = approval;
  const { messageBytes, signers } = readOperation(value);
  if (isP256Signer(signer))
    return isApprovedByP256(messageBytes) && checkP256Approval(messageBytes, approval);
  return (
    signer.address !== undefined &&
    signers.includes(signer.address) &&
    isSignedBy(signer.address, signature, messageBytes)
  );
}

/** What a custody key signs: the message itself. */
export function custodyDigest(value: JsonObject): Uint8Array {
  return readOperation(value).messageBytes;
}

export function custodyApproval(signer: Signer, signature: Uint8Array): SubmittedApproval {
  return { signer, signature: bs58.encode(signature) };
}

/** The address of a key is the key. */
export function addressOfPublicKey(publicKey: Uint8Array): string {
  if (publicKey.length !== 32)
    throw new Error(`An Ed25519 key has 32 bytes, this has ${publicKey.length}.`);
  return bs58.encode(publicKey);
}
