import type { Actor, SignerKey } from '../../../../contracts/stellar/index.ts';
import { orderedMembers } from '../../../../contracts/stellar/index.ts';
import { isSameGroup, notOfWallet } from '../../family/smart-wallets/signer-keys.ts';
import type { Delegate, Signer } from '../../family.ts';
import type { SmartWallet } from '../wallet/plan.ts';
import { groupOf, signerKeyOf } from '../wallet/signer-keys.ts';
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
  if (!acting?.registration) throw notOfWallet(signer);
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
  if (!group) throw notOfWallet(signer);
  return { actor: { group: index }, keys: orderedMembers(group), threshold: group.threshold };
}
