import type { RpcClient } from '../rpc.ts';
import { relayLimits } from './limits.ts';
import { feeHistorySchema, type Head, quantitySchema } from './rpc-schemas.ts';
import type { Fees } from './types.ts';

const historyBlocks = 5;
const rewardPercentile = 60;

/**
 * The market's fee: twice the base fee, which holds for six full blocks in a row, plus what recent transactions paid on
 * top. Two node calls at most.
 */
export async function readMarketFees(rpc: RpcClient, head: Head): Promise<Fees> {
  const baseFee = head.baseFeePerGas;
  if (baseFee === undefined || baseFee === null) {
    const gasPrice = quantitySchema.parse(await rpc.request('eth_gasPrice'));
    const price = clampFee((gasPrice * 11n) / 10n);
    return { maxFeeWei: price, tipWei: price, legacy: true };
  }
  const tipWei = await readTip(rpc);
  return { maxFeeWei: clampFee(baseFee * 2n + tipWei), tipWei: clampFee(tipWei), legacy: false };
}

async function readTip(rpc: RpcClient): Promise<bigint> {
  const [history, suggestion] = await rpc.batch([
    { method: 'eth_feeHistory', params: [`0x${historyBlocks.toString(16)}`, 'latest', [rewardPercentile]] },
    { method: 'eth_maxPriorityFeePerGas', params: [] },
  ]);
  const parsed = history?.ok ? feeHistorySchema.safeParse(history.value).data : undefined;
  const rewards = (parsed?.reward ?? []).flatMap((row) => row.slice(0, 1)).filter((reward) => reward > 0n);
  if (rewards.length > 0) return median(rewards);
  const suggested = suggestion?.ok ? quantitySchema.safeParse(suggestion.value).data : undefined;
  return suggested ?? 1n;
}

function median(values: readonly bigint[]): bigint {
  const sorted = values.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  return sorted[Math.floor(sorted.length / 2)]!;
}

/**
 * The fee that replaces `previous`: at least 12.5 % more of both parts, or the market's where that is more. Undefined when
 * it would exceed the cap: waiting is cheaper.
 */
export function raiseFees(previous: Fees, market: Fees): Fees | undefined {
  const maxFeeWei = maxOf(raiseOne(previous.maxFeeWei), market.maxFeeWei);
  const tipWei = maxOf(raiseOne(previous.tipWei), market.tipWei);
  const capWei = clampFee(market.maxFeeWei * relayLimits.marketMultipleMax);
  if (maxFeeWei > capWei) return undefined;
  if (previous.legacy) return { maxFeeWei, tipWei: maxFeeWei, legacy: true };
  return { maxFeeWei, tipWei: tipWei < maxFeeWei ? tipWei : maxFeeWei, legacy: false };
}

/** True when a transaction of this fee cannot be in the next block. */
export function isBelowMarket(fees: Fees, head: Head): boolean {
  return fees.maxFeeWei < (head.baseFeePerGas ?? 0n);
}

function raiseOne(wei: bigint): bigint {
  return (wei * relayLimits.bumpNumerator) / relayLimits.bumpDenominator + 1n;
}

function clampFee(wei: bigint): bigint {
  return wei < relayLimits.feeCeilingWei ? wei : relayLimits.feeCeilingWei;
}

function maxOf(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
