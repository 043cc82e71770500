import { secp256k1 } from '@noble/curves/secp256k1.js';
import { adminSignerId } from '../../../contracts/index.ts';
import type { Json } from '../../lib/json.ts';
import type { Signer, SubmittedApproval } from '../family.ts';
import { keccak256 } from './keccak.ts';
import { bytesOf, checksumAddress, type Hex, hexOf } from './words.ts';

/**
 * Approvals of an operation: an ECDSA signature either over the operation's hash itself (EIP-712 over its typed data) or
 * by personal_sign over the 32 bytes of that hash (EIP-191). Both are 65 bytes r, s, v with low s.
 */

export type ApprovalScheme = 'eip712' | 'eip191';

const personalPrefix = Buffer.from('\x19Ethereum Signed Message:\n32', 'latin1');
const signaturePattern = /^0x[0-9a-fA-F]{130}$/;
/** EIP-2: of the two signatures that verify only the one with the lower s is taken, so that nobody can make a second. */
const lowSMax = secp256k1.Point.CURVE().n >> 1n;

interface ReadSignature {
  /** r and s. */
  readonly compact: Buffer;
  readonly recovery: 0 | 1;
}

/** How this approval signs the operation's hash; undefined when it does not. */
export function approvalScheme(operationHash: Hex, approval: SubmittedApproval): ApprovalScheme | undefined {
  const address = approval.signer.address?.toLowerCase();
  const signature = readSignature(approval.signature);
  if (!signature || address === undefined) return undefined;
  const known = `${operationHash}${address}${String(approval.signature)}`;
  const remembered = verifiedSchemes.get(known);
  if (remembered) return remembered;
  const hash = bytesOf(operationHash);
  // A key in custody signs the hash; everybody else is asked for personal_sign.
  const order: readonly ApprovalScheme[] = approval.signer.type === 'api-key' ? ['eip712', 'eip191'] : ['eip191', 'eip712'];
  const scheme = order.find((candidate) => recoverAddress(candidate === 'eip712' ? hash : personalHash(hash), signature) === address);
  if (scheme) remember(known, scheme);
  return scheme;
}

/** Recovering a signer costs a millisecond, and what was checked when it was posted is encoded a moment later. */
const verifiedSchemes = new Map<string, ApprovalScheme>();
const verifiedSchemesMax = 2_000;

function remember(key: string, scheme: ApprovalScheme): void {
  if (verifiedSchemes.size >= verifiedSchemesMax) verifiedSchemes.delete(verifiedSchemes.keys().next().value!);
  verifiedSchemes.set(key, scheme);
}

function personalHash(hash: Buffer): Buffer {
  return keccak256(Buffer.concat([personalPrefix, hash]));
}

function readSignature(value: Json): ReadSignature | undefined {
  if (typeof value !== 'string' || !signaturePattern.test(value)) return undefined;
  const bytes = bytesOf(value as Hex);
  const v = bytes[64]!;
  const recovery = v >= 27 ? v - 27 : v;
  if (recovery !== 0 && recovery !== 1) return undefined;
  if (BigInt(hexOf(bytes.subarray(32, 64))) > lowSMax) return undefined;
  return { compact: bytes.subarray(0, 64), recovery };
}

function recoverAddress(digest: Uint8Array, signature: ReadSignature): string | undefined {
  try {
    const parsed = secp256k1.Signature.fromBytes(signature.compact, 'compact').addRecoveryBit(signature.recovery);
    return addressOfPoint(parsed.recoverPublicKey(digest).toBytes(false));
  } catch {
    // No point of the curve has these numbers: nobody signed this.
    return undefined;
  }
}

function addressOfPoint(uncompressed: Uint8Array): string {
  return hexOf(keccak256(uncompressed.subarray(1)).subarray(12));
}

/** The checksummed address of a secp256k1 public key, compressed or not. */
export function addressOfPublicKey(publicKey: Uint8Array): string {
  const uncompressed = publicKey.length === 65 ? publicKey : secp256k1.Point.fromBytes(publicKey).toBytes(false);
  return checksumAddress(addressOfPoint(uncompressed));
}

/** The approval that a custody key's signature (r, s, v over {@link custodyDigest}) is. */
export function custodyApproval(signer: Signer, signature: Uint8Array): SubmittedApproval {
  return { signer, signature: hexOf(signature) };
}

/** What a custody key signs: the operation's hash. */
export function custodyDigest(operationHash: Hex): Uint8Array {
  return bytesOf(operationHash);
}

/**
 * The signature of the wallet's admin as `WalletModule.execute` takes it: signer id, then r, s, v of the owners, ascending
 * by address, where v + 4 marks EIP-191.
 * @throws Error when an approval does not verify: it has been checked before it was stored, so this is a bug
 */
export function encodeApprovals(operationHash: Hex, approvals: readonly SubmittedApproval[]): Hex {
  const parts = approvals.map((approval) => {
    // What custody has just signed is not recovered again: that would cost more than everything else here together.
    const scheme = approval.signer.type === 'api-key' ? 'eip712' : approvalScheme(operationHash, approval);
    const signature = readSignature(approval.signature);
    if (!scheme || !signature) throw new Error(`an approval of ${approval.signer.locator} does not sign operation ${operationHash}`);
    const v = signature.recovery + (scheme === 'eip191' ? 31 : 27);
    return { owner: approval.signer.address!.toLowerCase(), hex: signature.compact.toString('hex') + v.toString(16) };
  });
  parts.sort((a, b) => (a.owner < b.owner ? -1 : 1));
  return `${adminSignerId}${parts.map(({ hex }) => hex).join('')}` as Hex;
}
