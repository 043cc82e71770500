import type { Actor, Group, SignerKey } from '../../../../contracts/stellar/index.ts';
import { orderedMembers } from '../../../../contracts/stellar/index.ts';
import { ServiceError } from '../../../lib/errors.ts';
import type { Delegate, Signer } from '../../family.ts';
import type { SmartWallet } from '../wallet/plan.ts';
import { groupOf, keyId, signerKeyOf } from '../wallet/signer-keys.ts';
import type { ActingDelegate, SmartState } from '../wallet/state.ts';

/** Whose approvals an operation of a smart wallet needs. */

export interface Authority {
  readonly actor: Actor;
  /** In the contract's order. */
  readonly keys: readonly SignerKey[];
  readonly threshold: number;
  /** The upper half of the nonce. */
  readonly stamp: { readonly epoch: number } | { readonly generation: number };
  /** As the chain has it, when a delegate acts. */
  readonly delegate?: ActingDelegate;
}

export interface AuthorityInput {
  readonly signer: Signer;
  /** Present when a delegate acts: its state is the first in `state.delegates`. */
  readonly delegate?: Delegate | undefined;
  readonly state: SmartState;
}

/** @throws transaction-invalid the signer is none of the wallet's, wallet-locked */
export function authorityOf(
  wallet: SmartWallet,
  { signer, delegate, state }: AuthorityInput,
): Authority {
  if (!delegate) return { ...adminAuthority(wallet, signer), stamp: { epoch: state.epoch } };
  const [acting] = state.delegates;
  if (!acting?.registration) throw noSigner(signer);
  const key = signerKeyOf(signer);
  return {
    actor: { delegate: key },
    keys: [key],
    threshold: 1,
    stamp: { generation: acting.generation },
    delegate: acting,
  };
}

function adminAuthority({ setup }: SmartWallet, signer: Signer): Omit<Authority, 'stamp'> {
  const asked = groupOf(signer, 'params.signer');
  const index = setup.groups.findIndex((group) => isSameGroup(group, asked));
  const group = setup.groups[index];
  if (!group) throw noSigner(signer);
  return { actor: { group: index }, keys: orderedMembers(group), threshold: group.threshold };
}

function isSameGroup(one: Group, other: Group): boolean {
  const ids = one.members.map(keyId);
  return (
    one.threshold === other.threshold &&
    ids.length === other.members.length &&
    other.members.every((key) => ids.includes(keyId(key)))
  );
}

function noSigner({ locator }: Signer): ServiceError {
  return new ServiceError('transaction-invalid', {
    message: `params.signer: "${locator}" is neither a recovery method of this wallet nor a delegated signer that is registered on the chain.`,
  });
}
