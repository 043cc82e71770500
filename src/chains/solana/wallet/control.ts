import bs58 from 'bs58';
import { z } from 'zod';
import type { Group } from '../../../../programs/solana-wallet/index.ts';
import type {
  ControlSigner,
  ControlTools,
  WalletControl,
} from '../../family/capabilities/delegates.ts';
import { readAccounts } from '../operation/node.ts';
import { read } from '../rpc/calls.ts';
import type { SolanaConnection } from '../rpc/connections.ts';
import { accountSchema } from '../rpc/schemas.ts';
import { sayKey } from './delegates.ts';
import { keyId, signerKeyOf } from './signer-keys.ts';
import { readSmartSetup, type SmartWallet } from './smart-plan.ts';
import {
  type ChainDelegate,
  delegateTag,
  plannedRegistration,
  readDelegateAccount,
  readWalletAccount,
} from './state.ts';

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

/** As {@link ControlTools.read}. @throws upstream-error, provider-unavailable */
export async function readSolanaControl(
  connection: SolanaConnection,
  { wallet, known }: Input,
): Promise<WalletControl> {
  const smart = readSmartSetup(wallet);
  const [account] = await readAccounts(connection, [smart.addresses.state]);
  const state = readWalletAccount(smart.addresses, account);
  if (!state) return none;
  const written = await readDelegates(connection, smart);
  const locators = new Map(known.map(({ signer }) => [keyId(signerKeyOf(signer)), signer.locator]));
  const inForce = written.filter(({ active, epoch }) => active && epoch === state.epoch);
  const signers = inForce.map((one) => toSigner(one, locators.get(keyId(one.registration.key))));
  const ids = new Set(written.map(({ registration }) => keyId(registration.key)));
  const missing = known
    .filter(({ signer, inForce: should }) => {
      if (!should) return false;
      const key = signerKeyOf(signer);
      if (inForce.some(({ registration }) => keyId(registration.key) === keyId(key))) return false;
      // Those of the set-up are there before their account is.
      return ids.has(keyId(key)) || state.epoch > 0 || !plannedRegistration(smart, key);
    })
    .map(({ signer }) => signer.locator);
  return {
    deployed: true,
    ...ownersOf(state.groups),
    modules: [],
    epoch: state.epoch,
    signers,
    missing,
    differences: differencesOf(smart, state.groups, { signers, missing }),
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
  const said = members.map(sayKey).join(', ');
  return members.length === 1 ? said : `${threshold} of ${said}`;
}

function toSigner({ registration }: ChainDelegate, locator: string | undefined): ControlSigner {
  const { key, expiresAt, scopes } = registration;
  return {
    id: sayKey(key),
    ...(locator !== undefined && { locator }),
    ...(expiresAt > 0n && { validUntil: new Date(Number(expiresAt) * 1000) }),
    scopeCount: scopes.length,
  };
}

function differencesOf(
  { setup }: SmartWallet,
  groups: readonly Group[],
  { signers, missing }: Pick<WalletControl, 'signers' | 'missing'>,
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
  ];
}

const delegatesMax = 500;
const listSchema = z.array(z.object({ account: accountSchema })).max(delegatesMax);

/**
 * Every delegate that was ever registered: their accounts are never closed, and name their wallet.
 */
async function readDelegates(
  connection: SolanaConnection,
  { addresses }: SmartWallet,
): Promise<ChainDelegate[]> {
  const listed = await read(connection, {
    method: 'getProgramAccounts',
    params: [
      addresses.program,
      {
        commitment: 'confirmed',
        encoding: 'base64',
        filters: [
          { memcmp: { offset: 0, bytes: bs58.encode([delegateTag]) } },
          { memcmp: { offset: 24, bytes: bs58.encode(addresses.id) } },
        ],
      },
    ],
    schema: listSchema,
  });
  return listed.flatMap(({ account }) => readDelegateAccount(addresses, account) ?? []);
}
