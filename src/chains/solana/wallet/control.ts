import bs58 from 'bs58';
import { z } from 'zod';
import { describeControl, notDeployed } from '../../family/smart-wallets/control.ts';
import { keyId } from '../../family/smart-wallets/signer-keys.ts';
import type { ControlTools, WalletControl } from '../../family.ts';
import { readAccounts } from '../operation/node.ts';
import { read } from '../rpc/calls.ts';
import type { SolanaConnection } from '../rpc/connections.ts';
import { accountSchema } from '../rpc/schemas.ts';
import { signerKeyOf } from './signer-keys.ts';
import { readSmartSetup, type SmartWallet } from './smart-plan.ts';
import {
  type ChainDelegate,
  delegateTag,
  readDelegateAccount,
  readWalletAccount,
} from './state.ts';

/**
 * Who can move a wallet, from the chain alone: what a thief may have added stands there and nowhere
 * else.
 */

type Input = Parameters<ControlTools['read']>[0];

/** As {@link ControlTools.read}. @throws upstream-error, provider-unavailable */
export async function readSolanaControl(
  connection: SolanaConnection,
  { wallet, known }: Input,
): Promise<WalletControl> {
  const smart = readSmartSetup(wallet);
  const [account] = await readAccounts(connection, [smart.addresses.state]);
  const state = readWalletAccount(smart.addresses, account);
  if (!state) return notDeployed;
  const written = await readDelegates(connection, smart);
  const ids = new Set(written.map(({ registration }) => keyId(registration.key)));
  return describeControl(
    {
      setup: smart.setup,
      epoch: state.epoch,
      groups: state.groups,
      inForce: written.flatMap(({ active, epoch, registration }) =>
        active && epoch === state.epoch ? [registration] : [],
      ),
      // Those of the set-up are there before their account is.
      isPending: (id) =>
        state.epoch === 0 &&
        !ids.has(id) &&
        smart.setup.delegates.some(({ key }) => keyId(key) === id),
    },
    known,
    signerKeyOf,
  );
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
