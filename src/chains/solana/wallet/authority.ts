import type { Address } from '@solana/kit';
import { invalid } from '../../family/signing/quorums.ts';
import { isSameGroup, keyId, notOfWallet } from '../../family/smart-wallets/signer-keys.ts';
import { isQuorum, type Signer } from '../../family.ts';
import { groupOf, signerKeyOf } from './signer-keys.ts';
import type { SmartWallet } from './smart-plan.ts';

/** Whose approvals an operation of a recovery method needs. */

export interface AdminSigners {
  /**
   * Of a quorum those that will sign: the transaction names them, so they are fixed when it is
   * made. Empty: a passkey approves.
   */
  readonly signers: readonly Address[];
  readonly approvals: number;
}

/**
 * @param members of a quorum, those that are to sign: {@link membersOf}
 * @throws transaction-invalid the signer is none of the wallet's recovery methods
 */
export function adminSignersOf(
  { setup }: SmartWallet,
  signer: Signer,
  members?: readonly Signer[],
): AdminSigners {
  const asked = groupOf(signer, 'params.signer');
  if (!setup.groups.some((group) => isSameGroup(group, asked))) throw notOfWallet(signer);
  const { threshold, members: keys } = asked;
  const ids = keys.map(keyId);
  const chosen = members?.map((member) => signerKeyOf(member)) ?? keys.slice(0, threshold);
  const isOfGroup =
    chosen.every((key) => ids.includes(keyId(key))) &&
    new Set(chosen.map(keyId)).size === threshold;
  if (!isOfGroup)
    throw invalid(
      'params.requiredSigners',
      `must name ${threshold} different members of "${signer.locator}", who will sign`,
    );
  return {
    signers: chosen.flatMap((key) => (key.kind === 'ed25519' ? [key.address] : [])),
    approvals: threshold,
  };
}

/**
 * Members of a quorum that will sign: those of these locators, without any the first ones, before
 * them those for whom the service signs. Undefined for a single signer.
 */
export function membersOf(
  signer: Signer,
  locators: readonly string[],
): readonly Signer[] | undefined {
  if (!isQuorum(signer)) return undefined;
  const { members, threshold } = signer;
  if (locators.length === 0) {
    const isOwn = ({ type }: Signer) => type === 'api-key';
    return [...members.filter(isOwn), ...members.filter((member) => !isOwn(member))].slice(
      0,
      threshold,
    );
  }
  return members.filter((member) => locators.includes(member.locator));
}
