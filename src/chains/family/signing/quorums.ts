import { ServiceError } from '../../../lib/errors.ts';
import {
  isQuorum,
  type QuorumSigner,
  type Signer,
  type SignerType,
} from '../capabilities/signers.ts';

/** What the signers of smart wallets have in common on every chain. */

export const adminSignerTypes = [
  'external-wallet',
  'server',
  'api-key',
  'email',
  'phone',
  'passkey',
  'quorum',
] as const satisfies readonly SignerType[];

/** Where a quorum cannot be one. */
export const singleDelegateTypes = [
  'external-wallet',
  'server',
  'api-key',
  'email',
  'phone',
  'passkey',
  'device',
] as const satisfies readonly SignerType[];

/** Two members are a quorum, and ten sign in less gas than a batch item of evm may take. */
const quorumMembersMin = 2;
const quorumMembersMax = 10;

/** Which rules of a family's contract a passkey of this service is verified by. */
const validatorContractVersion = '1';

/** As {@link ChainFamily.completeSigner}. */
export function completeSigner(signer: Signer): Signer {
  if (isQuorum(signer))
    return {
      ...signer,
      members: signer.members.map(completeSigner) as unknown as QuorumSigner['members'],
    };
  return signer.type === 'passkey' ? { ...signer, validatorContractVersion } : signer;
}

/** True for signers that approve with a P-256 key. */
export function isP256Signer({ type }: Pick<Signer, 'type'>): boolean {
  return type === 'passkey' || type === 'device';
}

/** @throws validation-error where so many of those cannot approve */
export function checkQuorum({ threshold, members }: QuorumSigner, place: string): void {
  if (members.length < quorumMembersMin || members.length > quorumMembersMax)
    throw invalid(
      `${place}.members`,
      `a quorum has ${quorumMembersMin} to ${quorumMembersMax} members, this one has ${members.length}`,
    );
  if (!Number.isInteger(threshold) || threshold < 1 || threshold > members.length)
    throw invalid(
      `${place}.threshold`,
      `must be between 1 and ${members.length}, the number of members`,
    );
  const odd = members.find(({ type }) => type === 'device' || type === 'quorum');
  if (odd)
    throw invalid(
      `${place}.members`,
      `a signer of type "${odd.type}" cannot be a member of a quorum`,
    );
}

/** How people are told what is wrong in their request, and where. */
export function invalid(place: string, reason: string): ServiceError {
  return new ServiceError('validation-error', { message: `${place}: ${reason}.` });
}
