import type { Logger } from '../../../../lib/log/log.ts';
import type { Store, Tx } from '../../../../store/types.ts';
import { suiCoinType } from '../../config/networks.ts';
import type { SuiConnection } from '../../rpc/connections.ts';
import { readCoins, readObjects, sumOf } from '../../rpc/objects.ts';
import { type Executed } from '../../rpc/transactions.ts';
import type { SigningAccount } from '../keys.ts';
import { upkeepLimits } from '../limits.ts';
import { followOwn, type OwnDeps, type Part, splitProgram, startOwn } from '../own/own.ts';
import type { OpenTransaction } from '../own/store.ts';
import { largest } from '../treasury.ts';
import {
  addCoins,
  doubt,
  dropCoins,
  type GasCoin,
  selectMoving,
  selectPool,
  setCoins,
} from './store.ts';

/** The coins that pay for operations, and the accounts that make them. */
export interface CoinPool {
  readonly store: Store;
  readonly log: Logger;
  readonly chain: string;
  readonly sponsors: readonly SigningAccount[];
  readonly settings: { readonly budgetMaxMist: bigint; readonly gasCoinsMax: number };
  readonly own: OwnDeps;
  /** Sentences of accounts whose transactions do not get on. */
  readonly stuck: Map<string, string>;
}

const stuckSentence = ({ digest, ageMs }: OpenTransaction) =>
  `Its transaction ${digest}, which makes coins, is under way for ${Math.floor(ageMs / 1000)} s: if a coin of it is locked, until the epoch ends. Is its key used elsewhere? Others go on.`;

/** What one coin begins with; with less than a budget it pays for nothing more. */
const coinMist = ({ settings }: CoinPool) => settings.budgetMaxMist * 2n;

const addressesOf = ({ sponsors }: CoinPool) => sponsors.map(({ address }) => address);

/** Coins of operations that ended, as the chain has them now. */
export async function refreshCoins(pool: CoinPool, connection: SuiConnection): Promise<void> {
  const { store, chain } = pool;
  const moving = await selectMoving(store, chain, upkeepLimits.looksMax);
  if (moving.length === 0) return;
  const objects = await readObjects(
    connection,
    moving.map(({ objectId }) => objectId),
  );
  const set: GasCoin[] = [];
  const gone: string[] = [];
  for (const { sinceMs, ...coin } of moving) {
    const now = objects.get(coin.objectId);
    const isSettled = sinceMs > upkeepLimits.unchangedMs;
    if (!now || now.owner !== coin.sponsor) gone.push(...(isSettled ? [coin.objectId] : []));
    else if (
      BigInt(now.version) > BigInt(coin.version) ||
      (isSettled && now.version === coin.version)
    ) {
      if ((now.amount ?? 0n) < pool.settings.budgetMaxMist) gone.push(coin.objectId);
      else set.push({ ...coin, version: now.version, digest: now.digest, mist: now.amount! });
    }
  }
  await setCoins(store, chain, set);
  await dropCoins(store, chain, gone);
}

/** Makes coins until enough are ready; twice as many when somebody waits for one. */
export async function growPool(
  pool: CoinPool,
  connection: SuiConnection,
  wanted: boolean,
): Promise<void> {
  const makers = await followAll(pool, connection);
  const coins = await selectPool(pool.store, pool.chain, addressesOf(pool));
  const free = coins.filter(({ status }) => status === 'free').length;
  const coming = coins.filter(({ status }) => status === 'moving').length;
  const ready = wanted && free === 0 ? upkeepLimits.coinsReady * 2 : upkeepLimits.coinsReady;
  const count = Math.min(
    ready - free - coming,
    pool.settings.gasCoinsMax - coins.length,
    upkeepLimits.coinsPerTransactionMax,
  );
  if (count > 0 && makers.length > 0)
    await split(pool, connection, {
      makers,
      count,
      taken: new Set(coins.map(({ objectId }) => objectId)),
    });
}

/**
 * Free coins that the chain has otherwise: somebody else has the sponsor's key, too, or a node
 * lags.
 */
export async function doubtOthers(pool: CoinPool, connection: SuiConnection): Promise<void> {
  const { store, chain } = pool;
  const free = (await selectPool(store, chain, addressesOf(pool)))
    .filter(({ status }) => status === 'free')
    .slice(0, upkeepLimits.looksMax);
  const objects = await readObjects(
    connection,
    free.map(({ objectId }) => objectId),
  );
  const others = free.filter(({ objectId, version }) => objects.get(objectId)?.version !== version);
  await doubt(
    store,
    chain,
    others.map(({ objectId }) => objectId),
  );
}

/**
 * Those that may make coins now; none while others' coins are on their way. One that does not get
 * on holds up nobody else.
 */
async function followAll(
  pool: CoinPool,
  connection: SuiConnection,
): Promise<readonly SigningAccount[]> {
  const { sponsors, stuck } = pool;
  const idle: SigningAccount[] = [];
  const failures: unknown[] = [];
  let isMaking = false;
  for (const sponsor of sponsors) {
    const { address } = sponsor;
    try {
      const open = await follow(pool, connection, sponsor);
      if (!open) idle.push(sponsor);
      if (open && open.ageMs > upkeepLimits.ownStuckMs) stuck.set(address, stuckSentence(open));
      else stuck.delete(address);
      isMaking ||= open !== undefined && !stuck.has(address);
    } catch (error) {
      failures.push(error);
      pool.log.warn(
        { err: error, sponsor: address },
        'the transaction of a fee payer for itself could not be followed',
      );
    }
  }
  if (failures.length === sponsors.length) throw failures[0];
  return isMaking ? [] : idle;
}

/** Undefined: it has nothing under way. */
function follow(
  pool: CoinPool,
  connection: SuiConnection,
  { address }: SigningAccount,
): Promise<OpenTransaction | undefined> {
  return followOwn(pool.own, connection, address, (tx, executed, { payment }) =>
    addMade(tx, pool, connection, {
      sponsor: address,
      executed,
      paidBy: payment.map(({ objectId }) => objectId),
    }),
  );
}

/** The coins that an account's transaction made for itself are those of the pool. */
async function addMade(
  tx: Tx,
  pool: CoinPool,
  connection: SuiConnection,
  input: {
    readonly sponsor: string;
    readonly executed: Executed;
    readonly paidBy: readonly string[];
  },
): Promise<void> {
  const { sponsor, executed, paidBy } = input;
  const made = [...executed.objects].flatMap(([id, ref]) =>
    ref && !paidBy.includes(id) ? [ref] : [],
  );
  const objects = await readObjects(
    connection,
    made.map(({ objectId }) => objectId),
  );
  const mist = coinMist(pool);
  const coins = made.flatMap((ref): GasCoin[] => {
    const now = objects.get(ref.objectId);
    return now?.owner === sponsor && now.amount === mist ? [{ ...ref, sponsor, mist }] : [];
  });
  await addCoins(tx, pool.chain, coins);
}

/** Of the account that has the most beside the pool. */
async function split(
  pool: CoinPool,
  connection: SuiConnection,
  input: {
    readonly makers: readonly SigningAccount[];
    readonly count: number;
    readonly taken: ReadonlySet<string>;
  },
): Promise<void> {
  const banks = await Promise.all(
    input.makers.map(async (account) => {
      const coins = await readCoins(connection, { owner: account.address, coinType: suiCoinType });
      return {
        account,
        coins: largest(coins.filter(({ objectId }) => !input.taken.has(objectId))),
      };
    }),
  );
  const [richest] = banks.toSorted((one, other) =>
    sumOf(one.coins) < sumOf(other.coins) ? 1 : -1,
  );
  const affordable = (sumOf(richest!.coins) - upkeepLimits.ownBudgetMist) / coinMist(pool);
  const made = affordable < BigInt(input.count) ? Number(affordable) : input.count;
  if (made <= 0) return;
  const part: Part = { amount: coinMist(pool), recipient: richest!.account.address };
  await startOwn(pool.own, connection, {
    account: richest!.account,
    program: splitProgram(Array.from({ length: made }, () => part)),
    payment: richest!.coins,
  });
}
