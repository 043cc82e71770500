import { ed25519 } from '@noble/curves/ed25519.js';
import { xdr } from '@stellar/stellar-sdk/base';
import {
  type Approval,
  authorizationEntry,
  payloadOf,
  preimageOf,
  signatureValue,
} from '../../../../contracts/stellar/index.ts';
import type { JsonObject } from '../../../lib/json/json.ts';
import { readP256Approval } from '../../family/signing/p256.ts';
import { isP256Signer } from '../../family/signing/quorums.ts';
import { keyId } from '../../family/smart-wallets/signer-keys.ts';
import type { Signer, SubmittedApproval } from '../../family.ts';
import { readOperation, type StoredOperation } from '../operation/stored.ts';
import { readStellarAddress } from '../strkey.ts';
import { signerKeyOf } from '../wallet/signer-keys.ts';

/**
 * What signers sign is the payload of the wallet's authorization entry, 32 bytes: Ed25519 over them
 * (64 bytes in base64), devices P-256 over them as a message, passkeys have them as the challenge
 * (supplement, section 7).
 */

/** Room that a passkey's assertion takes in a transaction, which pays for each byte. */
const assertionBytesMax = 1_024;

/** As {@link ChainFamily.checkApproval}. */
export function checkStellarApproval(value: JsonObject, approval: SubmittedApproval): boolean {
  return readApproval(readOperation(value), approval) !== undefined;
}

/** The approval as the contract takes it; undefined when it is none of this operation. */
function readApproval(
  operation: StoredOperation,
  approval: SubmittedApproval,
): Approval | undefined {
  const index = indexOf(operation, approval.signer);
  if (index === undefined) return undefined;
  const payload = payloadOf(operation.authorization);
  if (!isP256Signer(approval.signer)) {
    const signature = readSignature(approval.signature);
    return signature && isSignedBy(approval.signer.address!, signature, payload)
      ? { index, signature }
      : undefined;
  }
  const made = readP256Approval(payload, approval, { assertionBytesMax });
  return (
    made && { index, signature: made.signature, ...(made.assertion && { passkey: made.assertion }) }
  );
}

function indexOf({ keys }: StoredOperation, signer: Signer): number | undefined {
  try {
    const own = keyId(signerKeyOf(signer));
    const index = keys.findIndex((key) => keyId(key) === own);
    return index < 0 ? undefined : index;
  } catch {
    // A signer without a key, such as a quorum.
    return undefined;
  }
}

/** The 64 bytes of a signature in base64; undefined for anything else. */
function readSignature(value: unknown): Uint8Array | undefined {
  if (typeof value !== 'string' || !/^[A-Za-z0-9+/]{86}==$/.test(value)) return undefined;
  const bytes = new Uint8Array(Buffer.from(value, 'base64'));
  return Buffer.from(bytes).toString('base64') === value ? bytes : undefined;
}

function isSignedBy(address: string, signature: Uint8Array, bytes: Uint8Array): boolean {
  const key = readStellarAddress(address);
  if (key?.kind !== 'G') return false;
  try {
    // As the network has it: the strict rules of RFC 8032.
    return ed25519.verify(signature, bytes, key.bytes, { zip215: false });
  } catch {
    return false;
  }
}

/** What a custody key signs: the payload, computed anew. */
export function custodyDigest(value: JsonObject): Uint8Array {
  return payloadOf(readOperation(value).authorization);
}

export function custodyApproval(signer: Signer, signature: Uint8Array): SubmittedApproval {
  return { signer, signature: Buffer.from(signature).toString('base64') };
}

/**
 * The wallet's entry with what its signers gave: of more than are needed, so many. @throws Error
 * when they are too few, or one of them approves nothing
 */
export function completeEntry(
  operation: StoredOperation,
  approvals: readonly SubmittedApproval[],
): xdr.SorobanAuthorizationEntry {
  const { authorization, actor, threshold } = operation;
  const read = new Map<number, Approval>();
  for (const approval of approvals) {
    const made = readApproval(operation, approval);
    if (!made)
      throw new Error(`An approval of ${approval.signer.locator} is none of this operation.`);
    read.set(made.index, made);
  }
  const made = [...read.values()].sort((one, other) => one.index - other.index).slice(0, threshold);
  if (made.length < threshold)
    throw new Error(`The operation has ${made.length} approvals of ${threshold}.`);
  if (!actor) return authorizationEntry(authorization, accountSignature(operation, made[0]!));
  const preimage = preimageOf(authorization);
  return authorizationEntry(
    authorization,
    signatureValue(preimage, actor, actorApprovals(actor, made)),
  );
}

/** A delegate's has no index that counts. */
function actorApprovals(
  actor: NonNullable<StoredOperation['actor']>,
  made: readonly Approval[],
): readonly Approval[] {
  return 'group' in actor ? made : made.map((one) => ({ ...one, index: 0 }));
}

/** Of a classic account (CAP-46-11): a list of keys and signatures. */
function accountSignature({ wallet }: StoredOperation, { signature }: Approval): xdr.ScVal {
  const { scvBytes, scvMap, scvSymbol, scvVec } = xdr.ScVal;
  const entry = (name: string, bytes: Uint8Array) =>
    new xdr.ScMapEntry({ key: scvSymbol(name), val: scvBytes(bytes) });
  return scvVec([
    scvMap([entry('public_key', readStellarAddress(wallet)!.bytes), entry('signature', signature)]),
  ]);
}
