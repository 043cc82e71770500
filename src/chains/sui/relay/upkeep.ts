import type { Logger } from '../../../lib/log/log.ts';
import type { Store } from '../../../store/types.ts';
import { watchFeeAccounts } from '../../family/spending/top-ups.ts';
import { suiCoinType } from '../config/networks.ts';
import type { SuiConnection } from '../rpc/connections.ts';
import { readBalance } from '../rpc/objects.ts';
import { type CoinPool, doubtOthers, growPool, refreshCoins } from './gas/pool.ts';
import { dropForeign, freeOverdue } from './gas/store.ts';
import type { SigningAccount } from './keys.ts';
import { upkeepLimits } from './limits.ts';
import type { Treasury } from './treasury.ts';

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

/**
 * Looks after the coins of sponsors. Any number of processes may: of each account one transaction
 * is under way at a time.
 */
export function createUpkeep(deps: UpkeepDeps): Upkeep {
  const { store, log, chain, sponsors, settings } = deps;
  const own = { store, log, chain, priceMax: settings.priceMaxMist };
  const pool: CoinPool = { store, log, chain, sponsors, settings, own, stuck: new Map() };
  const addresses = sponsors.map(({ address }) => address);
  const atMs = { balances: Number.NEGATIVE_INFINITY, house: Number.NEGATIVE_INFINITY };
  let hasMoney = false;

  return {
    async round(connection, wanted) {
      if (sponsors.length === 0) return;
      await refreshCoins(pool, connection);
      await growPool(pool, connection, wanted);
      const balancePauseMs = hasMoney ? upkeepLimits.balanceMs : upkeepLimits.noBalanceMs;
      if (performance.now() - atMs.balances >= balancePauseMs) {
        atMs.balances = performance.now();
        const balances = await watchBalances(deps, connection, pool.stuck);
        hasMoney = addresses.some((address) => balances.get(address)! > 0n);
      }
      if (performance.now() - atMs.house < upkeepLimits.housekeepingMs) return;
      atMs.house = performance.now();
      await freeOverdue(store, chain);
      await dropForeign(store, chain, addresses);
      await doubtOthers(pool, connection);
    },
  };
}

async function watchBalances(
  { store, log, chain, sponsors, treasury, settings }: UpkeepDeps,
  connection: SuiConnection,
  alarms: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, bigint>> {
  return watchFeeAccounts({
    store,
    log,
    chain,
    network: {
      readBalances: (asked) =>
        Promise.all(
          asked.map((owner) => readBalance(connection, { owner, coinType: suiCoinType })),
        ),
      treasury: await treasury?.topUps(),
    },
    feePayers: sponsors.map(({ address }) => address),
    alarms,
    balanceMinMinor: settings.feePayerBalanceMinMist,
    topUpDayMaxMinor: settings.topUpDayMaxMist,
    topUpSetting: 'SUI_TOP_UP_DAY_MAX_MIST',
    unit: 'MIST',
    coin: 'SUI',
  });
}
