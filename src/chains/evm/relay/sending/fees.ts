import type { SpendingBounds } from '../../config/spending-bounds.ts';
import type { RpcClient } from '../../rpc/rpc.ts';
import { feeHistorySchema, type Head, quantitySchema } from '../rpc-schemas.ts';
import { relayLimits } from '../spending/limits.ts';
import type { Fees } from '../types.ts';

const historyBlocks = 5;
const rewardPercentile = 60;

/** The gas bump: how a transaction that is stuck is sent again for a higher fee. */
export const gasBump = {
  /** Nodes replace a transaction for an eighth more. */
  numerator: 1_125n,
  denominator: 1_000n,
  timesMax: 8,
  /** A no-op that is stuck itself is raised again after this many times the usual age. */
  lateFactor: 10,
  /** A raised fee is at most this many times the market's. */
  marketMultipleMax: 10n,
} as const;

/**
 * What the node says that a transaction costs: per gas, in wei, and not to be believed without
 * bounds.
 */
export interface NodePrice {
  /** Of the next block, or the whole price on a chain without EIP-1559. */
  readonly baseWei: bigint;
  readonly tipWei: bigint;
  readonly legacy: boolean;
}

/** Two node calls at most. */
export async function readNodePrice(rpc: RpcClient, head: Head): Promise<NodePrice> {
  const baseWei = head.baseFeePerGas;
  if (baseWei !== undefined && baseWei !== null)
    return { baseWei, tipWei: await readTip(rpc), legacy: false };
  return {
    baseWei: quantitySchema.parse(await rpc.request('eth_gasPrice')),
    tipWei: 0n,
    legacy: true,
  };
}

async function readTip(rpc: RpcClient): Promise<bigint> {
  const [history, suggestion] = await rpc.batch([
    {
      method: 'eth_feeHistory',
      params: [`0x${historyBlocks.toString(16)}`, 'latest', [rewardPercentile]],
    },
    { method: 'eth_maxPriorityFeePerGas', params: [] },
  ]);
  const parsed = history?.ok ? feeHistorySchema.safeParse(history.value).data : undefined;
  const rewards = (parsed?.reward ?? [])
    .flatMap((row) => row.slice(0, 1))
    .filter((reward) => reward > 0n);
  if (rewards.length > 0) return median(rewards);
  const suggested = suggestion?.ok ? quantitySchema.safeParse(suggestion.value).data : undefined;
  return suggested ?? 1n;
}

function median(values: readonly bigint[]): bigint {
  const sorted = values.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  return sorted[Math.floor(sorted.length / 2)]!;
}

type FeeBounds = Pick<SpendingBounds, 'feeMaxWei' | 'tipMaxWei'>;

/**
 * What is paid: twice the base fee, which holds for six full blocks in a row, plus what recent
 * transactions paid on top, as far as that is no more than some times what was usual in the last
 * hours. The tip is paid whatever the base fee is, and the node may belong to who gets it.
 */
export function marketFeesOf(
  { baseWei, tipWei, legacy }: NodePrice,
  bounds: FeeBounds,
  usualTipWei: bigint | undefined,
): Fees {
  if (legacy) {
    const priceWei = minOf((baseWei * 11n) / 10n, bounds.feeMaxWei);
    return { maxFeeWei: priceWei, tipWei: priceWei, legacy };
  }
  const boundedTipWei = minOf(tipWei, tipBound(bounds, usualTipWei));
  const maxFeeWei = minOf(baseWei * 2n + boundedTipWei, bounds.feeMaxWei);
  return { maxFeeWei, tipWei: minOf(boundedTipWei, maxFeeWei), legacy };
}

function tipBound({ tipMaxWei }: FeeBounds, usualTipWei: bigint | undefined): bigint {
  if (usualTipWei === undefined) return tipMaxWei;
  // Where nearly nothing is usual, some times of it is nothing too.
  const usual = maxOf(
    usualTipWei * relayLimits.tipMultipleMax,
    tipMaxWei / relayLimits.tipFloorShare,
  );
  return minOf(usual, tipMaxWei);
}

/** True when no fee that may be paid gets a transaction in. */
export function isTooDear(price: NodePrice, bounds: FeeBounds): boolean {
  return price.baseWei > bounds.feeMaxWei;
}

/**
 * The fee that replaces `previous`: at least 12.5 % more of both parts, or the market's where that
 * is more. Undefined when it would exceed a bound: waiting is cheaper.
 */
export function raiseFees(previous: Fees, market: Fees, bounds: FeeBounds): Fees | undefined {
  const maxFeeWei = maxOf(raiseOne(previous.maxFeeWei), market.maxFeeWei);
  const tipWei = maxOf(raiseOne(previous.tipWei), market.tipWei);
  if (maxFeeWei > minOf(market.maxFeeWei * gasBump.marketMultipleMax, bounds.feeMaxWei))
    return undefined;
  if (previous.legacy) return { maxFeeWei, tipWei: maxFeeWei, legacy: true };
  return tipWei > bounds.tipMaxWei
    ? undefined
    : { maxFeeWei, tipWei: minOf(tipWei, maxFeeWei), legacy: false };
}

/** True when a transaction of this fee cannot be in the next block. */
export function isBelowMarket(fees: Fees, head: Head): boolean {
  return fees.maxFeeWei < (head.baseFeePerGas ?? 0n);
}

function raiseOne(wei: bigint): bigint {
  return (wei * gasBump.numerator) / gasBump.denominator + 1n;
}

function minOf(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

function maxOf(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
