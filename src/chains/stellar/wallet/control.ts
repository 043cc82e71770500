import { readWallet, walletEntryKey } from '../../../../contracts/stellar/index.ts';
import { describeControl, notDeployed } from '../../family/smart-wallets/control.ts';
import { keyId } from '../../family/smart-wallets/signer-keys.ts';
import type { ControlTools, WalletControl } from '../../family.ts';
import { readEntries } from '../rpc/calls.ts';
import type { StellarConnection } from '../rpc/connections.ts';
import { readSmartSetup } from './plan.ts';
import { signerKeyOf } from './signer-keys.ts';
import { readSmartState } from './state.ts';

/**
 * Who can move a wallet, from the chain alone: what a thief may have added stands there and nowhere
 * else.
 */

type Input = Parameters<ControlTools['read']>[0];

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
  if (data?.type !== 'contractData') return notDeployed;
  const { groups, changes, epoch } = readWallet(data.contractData.val);
  const inForce = state.delegates.flatMap(({ registration }) => registration ?? []);
  const control = describeControl(
    { setup: smart.setup, epoch, groups, inForce },
    known,
    signerKeyOf,
  );
  const lastKnown = Math.max(0, ...state.delegates.map(({ generation }) => generation));
  if (changes <= lastKnown) return control;
  const unknown = `After the last change known here, the wallet counted ${changes - lastKnown} of delegated signers that are not: raise its epoch.`;
  return { ...control, differences: [...control.differences, unknown] };
}
