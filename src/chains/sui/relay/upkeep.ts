import type { Logger } from '../../../lib/log/log.ts';
import type { Store, Tx } from '../../../store/types.ts';
import { watchFeeAccounts } from '../../family/spending/top-ups.ts';
import { suiCoinType } from '../config/networks.ts';
import { type Executed, readBalance, readCoins, readObjects, sumOf } from '../rpc/calls.ts';
import type { SuiConnection } from '../rpc/connections.ts';
import {
  addCoins,
  doubt,
  dropCoins,
  dropForeign,
  freeOverdue,
  type GasCoin,
  selectMoving,
  selectPool,
  setCoins,
} from './gas/store.ts';
import type { SigningAccount } from './keys.ts';
import { upkeepLimits } from './limits.ts';
import { followOwn, type OwnDeps, type Part, splitProgram, startOwn } from './own/own.ts';
import type { OpenTransaction } from './own/store.ts';
import { largest, type Treasury } from './treasury.ts';

export interface UpkeepDeps {
  readonly store: Store;
  readonly log: Logger;
  readonly chain: string;
  readonly sponsors: readonly SigningAccount[];
  readonly treasury: Pick<Treasury, 'topUps'> | undefined;
  readonly settings: {
    readonly priceMaxMist: bigint;
    readonly budgetMaxMist: bigint;
    readonly gasCoinsMax: number;
    readonly feePayerBalanceMinMist: bigint;
    readonly topUpDayMaxMist: bigint;
  };
}

export interface Upkeep {
  /** One round; somebody waits for coins when `wanted`. */
  round(connection: SuiConnection, wanted: boolean): Promise<void>;
}

interface SplitInput {
  readonly makers: readonly SigningAccount[];
  /** Of coins. */
  readonly count: number;
  readonly pool: ReadonlySet<string>;
}

const stuckSentence = ({ digest, ageMs }: OpenTransaction) =>
  `Its transaction ${digest}, which makes coins, is under way for ${Math.floor(ageMs / 1000)} s: if a coin of it is locked, until the epoch ends. Is its key used elsewhere? Others go on.`;

/**
 * Looks after the coins of sponsors. Any number of processes may: of each account one transaction
 * is under way at a time.
 */
export function createUpkeep(deps: UpkeepDeps): Upkeep {
  const { store, chain, sponsors, treasury, settings } = deps;
  const own: OwnDeps = { store, log: deps.log, chain, priceMax: settings.priceMaxMist };
  const addresses = sponsors.map(({ address }) => address);
  /** What one coin of the pool begins with; with less than a budget it pays for nothing more. */
  const coinMist = settings.budgetMaxMist * 2n;
  /** Sentences of accounts whose transactions do not get on. */
  const stuck = new Map<string, string>();
  const atMs = { balances: Number.NEGATIVE_INFINITY, house: Number.NEGATIVE_INFINITY };
  let hasMoney = false;

  /** Coins of operations that ended, as the chain has them now. */
  async function refresh(connection: SuiConnection): Promise<void> {
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
        if ((now.amount ?? 0n) < settings.budgetMaxMist) gone.push(coin.objectId);
        else set.push({ ...coin, version: now.version, digest: now.digest, mist: now.amount! });
      }
    }
    await setCoins(store, chain, set);
    await dropCoins(store, chain, gone);
  }

  /** The coins that an account's transaction made for itself are those of the pool. */
  async function addMade(
    tx: Tx,
    connection: SuiConnection,
    sponsor: string,
    executed: Executed,
    paidBy: readonly string[],
  ): Promise<void> {
    const made = [...executed.objects].flatMap(([id, ref]) =>
      ref && !paidBy.includes(id) ? [ref] : [],
    );
    const objects = await readObjects(
      connection,
      made.map(({ objectId }) => objectId),
    );
    const coins = made.flatMap((ref): GasCoin[] => {
      const now = objects.get(ref.objectId);
      return now?.owner === sponsor && now.amount === coinMist
        ? [{ ...ref, sponsor, mist: coinMist }]
        : [];
    });
    await addCoins(tx, chain, coins);
  }

  /** Undefined: it has nothing under way. */
  function follow(
    connection: SuiConnection,
    { address }: SigningAccount,
  ): Promise<OpenTransaction | undefined> {
    return followOwn(own, connection, address, (tx, executed, { payment }) =>
      addMade(
        tx,
        connection,
        address,
        executed,
        payment.map(({ objectId }) => objectId),
      ),
    );
  }

  /**
   * Those that may make coins now; none while others' coins are on their way. One that does not get
   * on holds up nobody else.
   */
  async function followAll(connection: SuiConnection): Promise<readonly SigningAccount[]> {
    const idle: SigningAccount[] = [];
    const failures: unknown[] = [];
    let isMaking = false;
    for (const sponsor of sponsors) {
      const { address } = sponsor;
      try {
        const open = await follow(connection, sponsor);
        if (!open) idle.push(sponsor);
        if (open && open.ageMs > upkeepLimits.ownStuckMs) stuck.set(address, stuckSentence(open));
        else stuck.delete(address);
        isMaking ||= open !== undefined && !stuck.has(address);
      } catch (error) {
        failures.push(error);
        deps.log.warn(
          { err: error, sponsor: address },
          'the transaction of a fee payer for itself could not be followed',
        );
      }
    }
    if (failures.length === sponsors.length) throw failures[0];
    return isMaking ? [] : idle;
  }

  async function grow(connection: SuiConnection, wanted: boolean): Promise<void> {
    const makers = await followAll(connection);
    const pool = await selectPool(store, chain, addresses);
    const free = pool.filter(({ status }) => status === 'free').length;
    const coming = pool.filter(({ status }) => status === 'moving').length;
    const ready = wanted && free === 0 ? upkeepLimits.coinsReady * 2 : upkeepLimits.coinsReady;
    const count = Math.min(
      ready - free - coming,
      settings.gasCoinsMax - pool.length,
      upkeepLimits.coinsPerTransactionMax,
    );
    if (count > 0 && makers.length > 0)
      await split(connection, {
        makers,
        count,
        pool: new Set(pool.map(({ objectId }) => objectId)),
      });
  }

  /** Of the account that has the most beside the pool. */
  async function split(
    connection: SuiConnection,
    { makers, count, pool }: SplitInput,
  ): Promise<void> {
    const banks = await Promise.all(
      makers.map(async (account) => {
        const coins = await readCoins(connection, {
          owner: account.address,
          coinType: suiCoinType,
        });
        return { account, coins: largest(coins.filter(({ objectId }) => !pool.has(objectId))) };
      }),
    );
    const [richest] = banks.toSorted((one, other) =>
      sumOf(one.coins) < sumOf(other.coins) ? 1 : -1,
    );
    const affordable = (sumOf(richest!.coins) - upkeepLimits.ownBudgetMist) / coinMist;
    const made = affordable < BigInt(count) ? Number(affordable) : count;
    if (made <= 0) return;
    const part: Part = { amount: coinMist, recipient: richest!.account.address };
    const program = splitProgram(Array.from({ length: made }, () => part));
    await startOwn(own, connection, {
      account: richest!.account,
      program,
      payment: richest!.coins,
    });
  }

  async function watchBalances(connection: SuiConnection): Promise<void> {
    const balances = await watchFeeAccounts({
      store,
      log: deps.log,
      chain,
      network: {
        readBalances: (asked) =>
          Promise.all(
            asked.map((owner) => readBalance(connection, { owner, coinType: suiCoinType })),
          ),
        treasury: await treasury?.topUps(),
      },
      feePayers: addresses,
      alarms: stuck,
      balanceMinMinor: settings.feePayerBalanceMinMist,
      topUpDayMaxMinor: settings.topUpDayMaxMist,
      topUpSetting: 'SUI_TOP_UP_DAY_MAX_MIST',
      unit: 'MIST',
      coin: 'SUI',
    });
    hasMoney = addresses.some((address) => balances.get(address)! > 0n);
  }

  /**
   * Free coins that the chain has otherwise: somebody else has the sponsor's key, too, or a node
   * lags.
   */
  async function doubtOthers(connection: SuiConnection): Promise<void> {
    const free = (await selectPool(store, chain, addresses))
      .filter(({ status }) => status === 'free')
      .slice(0, upkeepLimits.looksMax);
    const objects = await readObjects(
      connection,
      free.map(({ objectId }) => objectId),
    );
    const others = free.filter(
      ({ objectId, version }) => objects.get(objectId)?.version !== version,
    );
    await doubt(
      store,
      chain,
      others.map(({ objectId }) => objectId),
    );
  }

  return {
    async round(connection, wanted) {
      if (sponsors.length === 0) return;
      await refresh(connection);
      await grow(connection, wanted);
      if (
        performance.now() - atMs.balances >=
        (hasMoney ? upkeepLimits.balanceMs : upkeepLimits.noBalanceMs)
      ) {
        atMs.balances = performance.now();
        await watchBalances(connection);
      }
      if (performance.now() - atMs.house < upkeepLimits.housekeepingMs) return;
      atMs.house = performance.now();
      await freeOverdue(store, chain);
      await dropForeign(store, chain, addresses);
      await doubtOthers(connection);
    },
  };
}
