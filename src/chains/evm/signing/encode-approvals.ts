import {
  adminSignerId,
  encodeAdminSignature,
  encodeDelegateSignature,
  encodeProof,
  type OwnerSignature,
  type SignerKey,
  type SignerProof,
  signerIdOf,
} from '../../../../contracts/index.ts';
import type { SubmittedApproval } from '../../family.ts';
import type { Hex } from '../abi/words.ts';
import type { Authority } from '../wallet/authority.ts';
import { signerKeyOf } from '../wallet/signer-keys.ts';
import { ownerOf } from '../wallet/wallet-plan.ts';
import { approvalScheme, readProof, readSignature } from './approvals.ts';

/**
 * The signature of an operation or a message, as `WalletModule.execute` and `isValidSignature` of
 * the wallet take it. More approvals than needed do no harm.
 * @throws Error when approvals do not verify or do not suffice: they were checked before they were
 * stored, so this is a bug
 */
export function encodeApprovals(
  hash: Hex,
  approvals: readonly SubmittedApproval[],
  authority?: Authority,
): Hex {
  if (authority === undefined) return encodeOwner(hash, approvals);
  const proofs = new Map(
    approvals.map((approval) => [
      signerIdOf(signerKeyOf(approval.signer)),
      proofOf(hash, approval),
    ]),
  );
  if (authority.kind === 'delegate') {
    const { key, scopeIndexes } = authority;
    return encodeDelegateSignature({
      key,
      scopeIndexes,
      proof: assembleProof(key, proofs) ?? notEnough(hash),
    });
  }
  const signatures = authority.owners.flatMap((owner) =>
    ownerSignature(owner, assembleProof(owner, proofs)),
  );
  if (signatures.length < authority.threshold) return notEnough(hash);
  return encodeAdminSignature(signatures.slice(0, authority.threshold));
}

/** Gas that the contracts of those signers may take who are contracts, beyond what keys take. */
export function contractProofsGas(hash: Hex, approvals: readonly SubmittedApproval[]): bigint {
  return (
    contractProofGas *
    BigInt(approvals.filter((approval) => isContractProof(hash, approval)).length)
  );
}

/**
 * A contract wallet with a passkey in Solidity takes about this; {@link checkEvmApproval} asks with
 * no more.
 */
export const contractProofGas = 400_000n;

function isContractProof(hash: Hex, approval: SubmittedApproval): boolean {
  return approval.signer.type === 'external-wallet' && approvalScheme(hash, approval) === undefined;
}

function proofOf(hash: Hex, approval: SubmittedApproval): SignerProof {
  const { signer, signature } = approval;
  // What custody has just signed is not recovered again: that would cost more than everything else
  // here together.
  if (signer.type === 'api-key' && readSignature(signature))
    return { kind: 'ecdsa', signature: signature as Hex, scheme: 'eip712' };
  const proof = readProof(hash, approval);
  if (proof) return proof;
  if (isContractProof(hash, approval))
    return { kind: 'ecdsa', signature: signature as Hex, scheme: 'contract' };
  throw new Error(`an approval of ${signer.locator} does not sign ${hash}`);
}

/** Of a quorum as many members as it needs; undefined when they are too few. */
function assembleProof(
  key: SignerKey,
  proofs: ReadonlyMap<Hex, SignerProof>,
): SignerProof | undefined {
  if (key.kind !== 'quorum') return proofs.get(signerIdOf(key));
  const members = key.members.flatMap((member) => {
    const proof = assembleProof(member, proofs);
    return proof ? [{ key: member, proof }] : [];
  });
  return members.length < key.threshold
    ? undefined
    : { kind: 'quorum', members: members.slice(0, key.threshold) };
}

function ownerSignature(key: SignerKey, proof: SignerProof | undefined): OwnerSignature[] {
  if (!proof) return [];
  if (proof.kind === 'ecdsa')
    return [{ owner: ownerOf(key), signature: proof.signature, scheme: proof.scheme }];
  return [{ owner: ownerOf(key), signature: encodeProof(key, proof), scheme: 'contract' }];
}

function notEnough(hash: Hex): never {
  throw new Error(`the approvals of ${hash} do not suffice`);
}

/** Of owners that are addresses: r, s, v ascending by address, where v + 4 marks EIP-191. */
function encodeOwner(hash: Hex, approvals: readonly SubmittedApproval[]): Hex {
  const proofs = approvals.map((approval) => ({
    owner: approval.signer.address!.toLowerCase() as Hex,
    proof: proofOf(hash, approval),
  }));
  if (proofs.some(({ proof }) => proof.kind !== 'ecdsa' || proof.scheme === 'contract'))
    return encodeAdminSignature(
      proofs.flatMap(({ owner, proof }) =>
        ownerSignature({ kind: 'ecdsa', address: owner }, proof),
      ),
    );
  proofs.sort((a, b) => (a.owner < b.owner ? -1 : 1));
  const parts = proofs.map(({ proof }) => {
    const { signature, scheme } = proof as Extract<SignerProof, { kind: 'ecdsa' }>;
    const { compact, recovery } = readSignature(signature)!;
    return compact.toString('hex') + (recovery + (scheme === 'eip191' ? 31 : 27)).toString(16);
  });
  return `${adminSignerId}${parts.join('')}` as Hex;
}
