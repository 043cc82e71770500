import type { PreparedOperation } from '../../chains/family.ts';
import type { Ctx } from '../../context.ts';
import type { JsonObject } from '../../lib/json/json.ts';
import { isDecimalPrice } from '../../lib/money/amount.ts';

export interface FirstFees {
  readonly fees: JsonObject;
  /**
   * US dollars for the smallest unit of the native token, as a decimal; absent when nobody knows.
   */
  readonly usdPerFeeUnit?: string;
}

/**
 * `fees` of a new transaction, and the price at which its cost will be billed: the one of this
 * moment, so that the worker asks no price source while it settles.
 */
export async function makeFees(
  ctx: Pick<Ctx, 'chains' | 'providers'>,
  prepared: PreparedOperation,
): Promise<FirstFees> {
  const { native } = ctx.chains.familyOfChain(prepared.chain).requireNetwork(prepared.chain);
  const symbol = native.symbol.toLowerCase();
  const price = (await ctx.providers.pricing.pricesUsd([symbol])).get(symbol);
  const fees = { mode: 'project', estimate: prepared.feesEstimate };
  if (price === undefined || !isDecimalPrice(price)) return { fees };
  return {
    fees: { ...fees, billing: { status: 'pending' } },
    usdPerFeeUnit: `${price}e-${native.decimals}`,
  };
}
