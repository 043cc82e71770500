import type { ControlTools, WalletControl } from '../capabilities/delegates.ts';
import type { Signer } from '../capabilities/signers.ts';
import type { Registration } from './registrations.ts';
import type { Setup } from './setups.ts';
import { type Group, keyId, type SignerKey } from './signer-keys.ts';

/** Of a wallet that is not there yet. */
export const notDeployed: WalletControl = {
  deployed: false,
  owners: [],
  threshold: 0,
  modules: [],
  epoch: 0,
  signers: [],
  missing: [],
  differences: [],
};

/** What the chain has of a wallet. */
export interface FoundWallet {
  readonly setup: Setup;
  readonly epoch: number;
  readonly groups: readonly Group[];
  readonly inForce: readonly Registration[];
  /** True: it is registered though the chain does not show it yet. */
  isPending?(id: string): boolean;
}

/** @param known as {@link ControlTools.read} has them */
export function describeControl(
  { setup, epoch, groups, inForce, isPending }: FoundWallet,
  known: Parameters<ControlTools['read']>[0]['known'],
  signerKeyOf: (signer: Signer) => SignerKey,
): WalletControl {
  const locators = new Map(known.map(({ signer }) => [keyId(signerKeyOf(signer)), signer.locator]));
  const signers = inForce.map(({ key, expiresAt, scopes }) => {
    const locator = locators.get(keyId(key));
    return {
      id: keyId(key),
      ...(locator !== undefined && { locator }),
      ...(expiresAt > 0n && { validUntil: new Date(Number(expiresAt) * 1000) }),
      scopeCount: scopes.length,
    };
  });
  const there = new Set(signers.map(({ id }) => id));
  const missing = known
    .filter(({ signer, inForce: should }) => {
      const id = keyId(signerKeyOf(signer));
      return should && !there.has(id) && !isPending?.(id);
    })
    .map(({ signer }) => signer.locator);
  const [planned, acting] = [setup.groups.map(sayGroup), groups.map(sayGroup)];
  return {
    deployed: true,
    ...ownersOf(groups),
    modules: [],
    epoch,
    signers,
    missing,
    differences: [
      ...acting
        .filter((group) => !planned.includes(group))
        .map((group) => `${group} can act as the admin and was not set up to.`),
      ...planned
        .filter((group) => !acting.includes(group))
        .map((group) => `${group} was set up as the admin and is not.`),
      ...signerDifferences({ signers, missing }),
    ],
  };
}

/** Delegated signers that only one of the chain and this service knows. */
export function signerDifferences({
  signers,
  missing,
}: Pick<WalletControl, 'signers' | 'missing'>): string[] {
  return [
    ...signers
      .filter(({ locator }) => locator === undefined)
      .map(
        ({ id, scopeCount }) =>
          `${id} is a delegated signer ${scopeCount === 0 ? 'without limits ' : ''}that was not registered here.`,
      ),
    ...missing.map((locator) => `${locator} is registered here, and the chain does not have it.`),
  ];
}

/** One group is its members; of several, each is an owner that may act alone. */
function ownersOf(groups: readonly Group[]): Pick<WalletControl, 'owners' | 'threshold'> {
  const [only] = groups;
  if (groups.length === 1 && only)
    return { owners: only.members.map(keyId), threshold: only.threshold };
  return { owners: groups.map(sayGroup), threshold: 1 };
}

function sayGroup({ threshold, members }: Group): string {
  const said = members.map(keyId).toSorted().join(', ');
  return members.length === 1 ? said : `${threshold} of ${said}`;
}
