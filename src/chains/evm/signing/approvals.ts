import { secp256k1 } from '@noble/curves/secp256k1.js';
import { recover } from 'tiny-secp256k1';
import type { SignerProof } from '../../../../contracts/index.ts';
import type { Json } from '../../../lib/json/json.ts';
import type { Signer, SubmittedApproval } from '../../family.ts';
import { keccak256 } from '../abi/keccak.ts';
import { bytesOf, checksumAddress, type Hex, hexOf } from '../abi/words.ts';
import { isAddressSigner } from '../wallet/signer-keys.ts';
import { readAssertion, readP256Key, readP256Signature, verifyDevice } from './p256.ts';

/**
 * Approvals of an operation or a message by its hash. Signers that are addresses send an ECDSA
 * signature either over the hash itself (EIP-712 over the typed data) or by personal_sign over its
 * 32 bytes (EIP-191), both 65 bytes r, s, v with low s; passkeys send a WebAuthn assertion whose
 * challenge is the hash, devices a P-256 signature over its 32 bytes.
 */

export type ApprovalScheme = 'eip712' | 'eip191';

const personalPrefix = Buffer.from('\x19Ethereum Signed Message:\n32', 'latin1');
const signaturePattern = /^0x[0-9a-fA-F]{130}$/;
/**
 * EIP-2: of the two signatures that verify only the one with the lower s is taken, so that nobody
 * can make a second.
 */
const lowSMax = secp256k1.Point.CURVE().n >> 1n;

export interface ReadSignature {
  /** r and s. */
  readonly compact: Buffer;
  readonly recovery: 0 | 1;
}

/** How this approval signs the operation's hash; undefined when it does not. */
export function approvalScheme(
  operationHash: Hex,
  approval: SubmittedApproval,
): ApprovalScheme | undefined {
  const address = approval.signer.address?.toLowerCase();
  const signature = readSignature(approval.signature);
  if (!signature || address === undefined) return undefined;
  const known = `${operationHash}${address}${String(approval.signature)}`;
  const remembered = verifiedSchemes.get(known);
  if (remembered) return remembered;
  const hash = bytesOf(operationHash);
  // A key in custody signs the hash; everybody else is asked for personal_sign.
  const order: readonly ApprovalScheme[] =
    approval.signer.type === 'api-key' ? ['eip712', 'eip191'] : ['eip191', 'eip712'];
  const scheme = order.find(
    (candidate) =>
      recoverAddress(candidate === 'eip712' ? hash : personalHash(hash), signature) === address,
  );
  if (scheme) remember(known, scheme);
  return scheme;
}

/**
 * Recovering a signer costs a millisecond, and what was checked when it was posted is encoded a
 * moment later.
 */
const verifiedSchemes = new Map<string, ApprovalScheme>();
const verifiedSchemesMax = 2_000;

function remember(key: string, scheme: ApprovalScheme): void {
  if (verifiedSchemes.size >= verifiedSchemesMax)
    verifiedSchemes.delete(verifiedSchemes.keys().next().value!);
  verifiedSchemes.set(key, scheme);
}

function personalHash(hash: Buffer): Buffer {
  return keccak256(Buffer.concat([personalPrefix, hash]));
}

export function readSignature(value: Json): ReadSignature | undefined {
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
    // 0.26 ms as WebAssembly, 1.4 ms in JavaScript.
    const point = recover(digest, signature.compact, signature.recovery, false);
    return point === null ? undefined : addressOfPoint(point);
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
  const uncompressed =
    publicKey.length === 65 ? publicKey : secp256k1.Point.fromBytes(publicKey).toBytes(false);
  return checksumAddress(addressOfPoint(uncompressed));
}

/** The approval that a custody key's signature (r, s, v over {@link custodyDigest}) is. */
export function custodyApproval(signer: Signer, signature: Uint8Array): SubmittedApproval {
  return { signer, signature: hexOf(signature) };
}

/** Where in the metadata of an approval the delegation of its account stands. */
export const delegationField = 'delegation';

/** The same with what the key signed beside the operation. */
export function withDelegation(
  approval: SubmittedApproval,
  signature: Uint8Array,
): SubmittedApproval {
  return { ...approval, metadata: { ...approval.metadata, [delegationField]: hexOf(signature) } };
}

/** What a custody key signs: the operation's hash. */
export function custodyDigest(operationHash: Hex): Uint8Array {
  return bytesOf(operationHash);
}

/**
 * The proof that the approval is, for the contracts; undefined when it does not sign the hash, or
 * when only a contract at the signer's address can tell.
 */
export function readProof(hash: Hex, approval: SubmittedApproval): SignerProof | undefined {
  const { signer, signature } = approval;
  if (isAddressSigner(signer)) {
    const scheme = approvalScheme(hash, approval);
    return scheme && { kind: 'ecdsa', signature: signature as Hex, scheme };
  }
  const key = readP256Key(signer['publicKey']);
  if (!key) return undefined;
  if (signer.type === 'passkey') {
    const assertion = readAssertion({ ...key, requireUserVerification: true }, hash, approval);
    return assertion && { kind: 'webauthn', ...assertion };
  }
  const pair = signer.type === 'device' ? readP256Signature(signature) : undefined;
  return pair && verifyDevice(key, hash, pair) ? { kind: 'p256', ...pair } : undefined;
}
