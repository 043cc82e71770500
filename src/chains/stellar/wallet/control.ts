import {
  type Group,
  type Registration,
  readWallet,
  walletEntryKey,
} from '../../../../contracts/stellar/index.ts';
import type { ControlTools, WalletControl } from '../../family.ts';
import { readEntries } from '../rpc/calls.ts';
import type { StellarConnection } from '../rpc/connections.ts';
import { readSmartSetup, type SmartWallet } from './plan.ts';
import { keyId, sayKey, signerKeyOf } from './signer-keys.ts';
import { readSmartState } from './state.ts';

/**
 * Who can move a wallet, from the chain alone: what a thief may have added stands there and nowhere
 * else.
 */

type Input = Parameters<ControlTools['read']>[0];

const none: WalletControl = {
  deployed: false,
  owners: [],
  threshold: 0,
  modules: [],
  epoch: 0,
  signers: [],
  missing: [],
  differences: [],
};

/**
 * As {@link ControlTools.read}. A node lists no entries of a contract: delegates are looked for by
 * the keys that are known here, and the wallet's own count of changes tells whether there was one
 * that nobody here knows. @throws upstream-error, provider-unavailable
 */
export async function readStellarControl(
  connection: StellarConnection,
  { wallet, known }: Input,
): Promise<WalletControl> {
  const smart = readSmartSetup(wallet);
  const planned = smart.setup.delegates.map(({ key }) => key);
  const keys = [
    ...new Map(
      [...known.map(({ signer }) => signerKeyOf(signer)), ...planned].map((key) => [
        keyId(key),
        key,
      ]),
    ).values(),
  ];
  const [{ entries }, state] = await Promise.all([
    readEntries(connection, [walletEntryKey(smart.address)]),
    readSmartState(connection, smart, keys),
  ]);
  const data = entries[0]?.data;
  if (data?.type !== 'contractData') return none;
  const { groups, changes, epoch } = readWallet(data.contractData.val);
  const locators = new Map(known.map(({ signer }) => [keyId(signerKeyOf(signer)), signer.locator]));
  const inForce = state.delegates.flatMap(({ registration }) => registration ?? []);
  const there = new Set(inForce.map(({ key }) => keyId(key)));
  const missing = known
    .filter(({ signer, inForce: should }) => should && !there.has(keyId(signerKeyOf(signer))))
    .map(({ signer }) => signer.locator);
  const signers = inForce.map((one) => toSigner(one, locators.get(keyId(one.key))));
  const lastKnown = Math.max(0, ...state.delegates.map(({ generation }) => generation));
  return {
    deployed: true,
    ...ownersOf(groups),
    modules: [],
    epoch,
    signers,
    missing,
    differences: differencesOf(smart, groups, {
      signers,
      missing,
      unknownChanges: changes - lastKnown,
    }),
  };
}

/** One group is its members; of several, each is an owner that may act alone. */
function ownersOf(groups: readonly Group[]): Pick<WalletControl, 'owners' | 'threshold'> {
  const [only] = groups;
  if (groups.length === 1 && only)
    return { owners: only.members.map(sayKey), threshold: only.threshold };
  return { owners: groups.map(sayGroup), threshold: 1 };
}

function sayGroup({ threshold, members }: Group): string {
  const said = members.map(sayKey).toSorted().join(', ');
  return members.length === 1 ? said : `${threshold} of ${said}`;
}

function toSigner(
  { key, expiresAt, scopes }: Registration,
  locator: string | undefined,
): WalletControl['signers'][number] {
  return {
    id: sayKey(key),
    ...(locator !== undefined && { locator }),
    ...(expiresAt > 0n && { validUntil: new Date(Number(expiresAt) * 1000) }),
    scopeCount: scopes.length,
  };
}

interface Found extends Pick<WalletControl, 'signers' | 'missing'> {
  readonly unknownChanges: number;
}

function differencesOf(
  { setup }: SmartWallet,
  groups: readonly Group[],
  { signers, missing, unknownChanges }: Found,
): string[] {
  const [planned, there] = [setup.groups.map(sayGroup), groups.map(sayGroup)];
  return [
    ...there
      .filter((group) => !planned.includes(group))
      .map((group) => `${group} can act as the admin and was not set up to.`),
    ...planned
      .filter((group) => !there.includes(group))
      .map((group) => `${group} was set up as the admin and is not.`),
    ...signers
      .filter(({ locator }) => locator === undefined)
      .map(
        ({ id, scopeCount }) =>
          `${id} is a delegated signer ${scopeCount === 0 ? 'without limits ' : ''}that was not registered here.`,
      ),
    ...missing.map((locator) => `${locator} is registered here, and the chain does not have it.`),
    ...(unknownChanges > 0
      ? [
          `After the last change known here, the wallet counted ${unknownChanges} of delegated signers that are not: raise its epoch.`,
        ]
      : []),
  ];
}
