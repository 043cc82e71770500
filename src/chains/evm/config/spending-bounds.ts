import type { SpendingBounds as DayBounds } from '../../family/spending/budgets.ts';

/**
 * What may be spent for gas on one network, in wei. Defaults by what its native token is worth, to
 * the nearest power of ten.
 */
export interface SpendingBounds {
  /** Per gas, whatever a node says. */
  readonly feeMaxWei: bigint;
  readonly tipMaxWei: bigint;
  /**
   * What a rollup is believed to take for the bytes of a transaction, for each gas that they would
   * take on Ethereum: not a setting.
   */
  readonly dataGasMaxWei: bigint;
  /** Of all executors in an hour: above it there is an alarm. */
  readonly spendingAlarmWei: bigint;
  /** From the treasury to executors in a day: above it no top-up is made, and there is an alarm. */
  readonly topUpDayMaxWei: bigint;
  /**
   * What one operation of an account that sends by itself gets for its gas, of an executor; as much
   * as `topUpDayMaxWei` get all of them in a day.
   */
  readonly accountTopUpMaxWei: bigint;
  /**
   * For the operations of one project, and of one owner of its wallets, in a day: above it
   * operations are refused.
   */
  readonly projectDayMaxWei: bigint;
  readonly ownerDayMaxWei: bigint;
}

/** What projects and owners may spend in a day, in words of any family. */
export function dayBoundsOf({
  projectDayMaxWei,
  ownerDayMaxWei,
}: Pick<SpendingBounds, 'projectDayMaxWei' | 'ownerDayMaxWei'>): DayBounds {
  return { projectDayMaxMinor: projectDayMaxWei, ownerDayMaxMinor: ownerDayMaxWei };
}

const gwei = 10n ** 9n;
const coin = 10n ** 18n;
/** What Ethereum takes for a gas in its dearest hours, in wei of ether. */
const ethereumGasMaxWei = 500n * gwei;

function bounds(
  fees: { maxGwei: bigint; tipMaxGwei: bigint },
  projectDayWei: bigint,
): SpendingBounds {
  return {
    feeMaxWei: fees.maxGwei * gwei,
    tipMaxWei: fees.tipMaxGwei * gwei,
    // As many coins as are worth an ether: budgets of projects are one ether everywhere.
    dataGasMaxWei: (ethereumGasMaxWei * projectDayWei) / coin,
    spendingAlarmWei: projectDayWei / 2n,
    topUpDayMaxWei: projectDayWei * 2n,
    accountTopUpMaxWei: projectDayWei / 50n,
    projectDayMaxWei: projectDayWei,
    ownerDayMaxWei: projectDayWei / 20n,
  };
}

const byNative = new Map<string, SpendingBounds>([
  ['eth', bounds({ maxGwei: 500n, tipMaxGwei: 20n }, coin)],
  ['bnb', bounds({ maxGwei: 100n, tipMaxGwei: 20n }, 5n * coin)],
  ['avax', bounds({ maxGwei: 1_000n, tipMaxGwei: 100n }, 100n * coin)],
]);
const ofCheapCoins = bounds({ maxGwei: 10_000n, tipMaxGwei: 2_000n }, 5_000n * coin);

/** The defaults for a network whose native token has this symbol. */
export function spendingBoundsOf(nativeSymbol: string): SpendingBounds {
  return byNative.get(nativeSymbol) ?? ofCheapCoins;
}

/** Coins of a local node cost nothing: its budgets only end what runs wild. */
export function localBounds(bound: SpendingBounds): SpendingBounds {
  const times = 1_000n;
  return {
    ...bound,
    spendingAlarmWei: bound.spendingAlarmWei * times,
    topUpDayMaxWei: bound.topUpDayMaxWei * times,
    projectDayMaxWei: bound.projectDayMaxWei * times,
    ownerDayMaxWei: bound.ownerDayMaxWei * times,
  };
}
