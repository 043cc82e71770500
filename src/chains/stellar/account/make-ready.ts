import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { ServiceError } from '../../../lib/errors.ts';
import type { Store } from '../../../store/types.ts';
import { addIntents } from '../../family/late/store.ts';
import type { Recipient, ResolvedToken } from '../../family.ts';
import { readEntries } from '../rpc/calls.ts';
import type { StellarConnection } from '../rpc/connections.ts';
import { balanceKey, parseAsset } from '../tokens/assets.ts';
import type { StellarTokens } from '../tokens/tokens.ts';
import { accountKey, readAccountEntry } from './entry.ts';
import { insertOpening, type OpeningKey, selectOpening } from './openings.ts';
import { reservesOf, storeSetUp } from './set-up.ts';

/** What the relay's outcomes of set-ups are called; no area hears of them. */
export const setUpSubject = 'stellar-set-up';

/**
 * Entries of an account, beyond which the service makes trust lines of listed tokens only:
 * strangers' tokens fill nobody's account.
 */
const strangeEntriesMax = 20;
/** Bid for the operations of a set-up, of which there are four at most; in stroops. */
export const setUpFeeMax = 400_000n;
const validMs = 15 * 60 * 1000;
const lookEveryMs = 100;
/** Shorter than the time the server gives a handler. */
const waitMaxMs = 20_000;

export interface ReadyDeps {
  readonly store: Store;
  readonly tokens: Pick<StellarTokens, 'describe'>;
}

export interface ReadyInput {
  readonly recipient: Recipient;
  readonly token: Pick<ResolvedToken, 'address'>;
  readonly now: Date;
}

/**
 * Has the relay make the account of an mpc wallet and its trust line, and waits until the chain has
 * them. Reserves and fee are the service's, and count as what the recipient's `owner` spends.
 * @returns false: nothing was missing
 * @throws invalid-recipient when it cannot be made, provider-unavailable when it is not there in
 * time
 */
export type MakeReady = (connection: StellarConnection, input: ReadyInput) => Promise<boolean>;

export const readyMaker =
  ({ store, tokens }: ReadyDeps): MakeReady =>
  async (connection, { recipient, token, now }) => {
    const { wallet } = recipient;
    if (wallet.type !== 'mpc') return false;
    const { network } = connection;
    const asset =
      token.address === undefined ? undefined : await assetOf(tokens, connection, token.address);
    const missing = await readMissing(connection, wallet.address, asset);
    if (!missing.makesAccount && !missing.makesLine) return false;
    const isListed = network.tokens.some(({ address }) => address === token.address);
    const key = { chain: network.name, address: wallet.address, asset: asset ?? '' };
    if (missing.makesLine && !isListed && missing.entries >= strangeEntriesMax)
      throw notReady(
        key,
        `it has ${missing.entries} entries already, and tokens that the service does not list get no more`,
      );
    await ask(store, connection, {
      recipient,
      key,
      asset,
      now,
      costMax: setUpFeeMax + reservesOf(missing),
    });
    await wait(store, key);
    return true;
  };

/** `CODE:G…`; undefined: lumens, or a contract of its own, for which the account is enough. */
async function assetOf(
  tokens: ReadyDeps['tokens'],
  connection: StellarConnection,
  contract: string,
): Promise<string | undefined> {
  const asset = (await tokens.describe(connection, [contract])).get(contract)?.asset;
  return asset === undefined || asset.isNative() ? undefined : asset.toString();
}

interface Missing {
  readonly makesAccount: boolean;
  readonly makesLine: boolean;
  /** Trust lines and what else hangs on the account. */
  readonly entries: number;
}

/** What of an account and its trust line the chain does not have. */
export async function readMissing(
  connection: StellarConnection,
  address: string,
  asset: string | undefined,
): Promise<Missing> {
  const line = asset === undefined ? undefined : parseAsset(asset)!;
  const keys = [
    accountKey(address),
    ...(line ? [balanceKey({ asset: line, contract: '', holder: address })] : []),
  ];
  const { entries } = await readEntries(connection, keys);
  const account = readAccountEntry(entries[0]?.data);
  return {
    makesAccount: account === undefined,
    makesLine: line !== undefined && line.getIssuer() !== address && entries[1] === undefined,
    entries: account?.numSubEntries ?? 0,
  };
}

interface AskInput extends Pick<ReadyInput, 'recipient' | 'now'> {
  readonly key: OpeningKey;
  readonly asset: string | undefined;
  readonly costMax: bigint;
}

async function ask(
  store: Store,
  { network }: StellarConnection,
  { key, recipient, asset, now, costMax }: AskInput,
): Promise<void> {
  const { wallet, projectId, owner } = recipient;
  const operationId = randomUUID();
  await store.transaction(async (tx) => {
    if (!(await insertOpening(tx, key, operationId))) return;
    await addIntents(tx, [
      {
        operationId,
        subject: setUpSubject,
        projectId,
        owner,
        chain: key.chain,
        walletId: wallet.id,
        operation: storeSetUp({
          chain: key.chain,
          passphrase: network.passphrase,
          wallet: wallet.address,
          asset,
        }),
        costMax,
        validUntil: new Date(now.getTime() + validMs),
      },
    ]);
  });
}

async function wait(store: Store, key: OpeningKey): Promise<void> {
  for (const endAt = Date.now() + waitMaxMs; ; await delay(lookEveryMs)) {
    const opening = await selectOpening(store, key);
    if (!opening) return;
    if (opening.failed !== undefined) throw notReady(key, opening.failed);
    if (Date.now() > endAt)
      throw new ServiceError('provider-unavailable', {
        message: `The account of the wallet ${key.address} is being made able to hold this token: retry in a minute.`,
      });
  }
}

function notReady({ address, asset }: OpeningKey, why: string): ServiceError {
  const what = asset !== '' ? `a trust line for ${asset}` : 'its account';
  return new ServiceError('invalid-recipient', {
    message: `The wallet ${address} cannot get ${what}: ${why.replace(/\.$/, '')}.`,
  });
}
