import type { OrderAmount, OrderFee, OrderTerms } from '../state/types.ts';
import { amountWorth, worthOf } from './decimals.ts';

/**
 * How an order is divided. One rule: what is delivered is rounded down, what has to be paid is
 * rounded up, and whatever that leaves over is shown as the fee `rounding`. So `value` is always
 * `unit` and the fees to the last smallest unit, and nobody is given a fraction of one.
 */

/** Something that is paid or received, without its amount. */
export type Side = Omit<OrderAmount, 'amountMinor'>;

/** A fee as it is charged on this order. */
export interface FeeShare {
  readonly type: string;
  /** In the smallest unit of the order's fiat currency. */
  readonly fixedMinor: bigint;
  readonly bps: number;
}

export interface TermsInput {
  readonly mode: OrderTerms['mode'];
  /** The smallest unit of what is paid (exact-in) or received (exact-out); above 0. */
  readonly amountMinor: bigint;
  readonly pay: Side;
  readonly receive: Side;
  /** The order's fiat currency: fees and prices are in it. */
  readonly fiat: Side;
  /** Fiat per whole token; absent for a side that is the fiat currency itself. */
  readonly payRate?: string;
  readonly receiveRate?: string;
  readonly fees: readonly FeeShare[];
  readonly maxSlippageBps: number;
}

/** All basis points of an order together: half of it, so that a price can always be found. */
export const feesBpsMax = 5_000;

/** The terms, or undefined when the fees leave nothing to deliver. */
export function makeTerms(input: TermsInput): OrderTerms | undefined {
  return input.mode === 'exact-in' ? fromPaid(input, input.amountMinor) : fromReceived(input);
}

function fromPaid(input: TermsInput, payMinor: bigint): OrderTerms | undefined {
  const value = fiatOf(input, 'pay', payMinor);
  const net = value - feesOn(input.fees, value).total;
  if (net <= 0n) return undefined;
  const receiveMinor = ofFiat(input, 'receive', net);
  if (receiveMinor <= 0n) return undefined;
  return assemble(input, { payMinor, value, receiveMinor });
}

/** The smallest payment that covers exactly what was asked for. */
function fromReceived(input: TermsInput): OrderTerms | undefined {
  const unit = priceOf(input, input.amountMinor);
  const needed = smallestValueFor(input.fees, unit);
  const payMinor =
    input.payRate === undefined
      ? needed
      : amountWorth(
          {
            worthMinor: needed,
            decimals: input.pay.decimals,
            rate: input.payRate,
            fiatDecimals: input.fiat.decimals,
          },
          'up',
        );
  if (payMinor <= 0n || unit <= 0n) return undefined;
  return assemble(input, {
    payMinor,
    value: fiatOf(input, 'pay', payMinor),
    receiveMinor: input.amountMinor,
  });
}

function assemble(
  input: TermsInput,
  amounts: { readonly payMinor: bigint; readonly value: bigint; readonly receiveMinor: bigint },
): OrderTerms {
  const { value, payMinor, receiveMinor } = amounts;
  const unit = priceOf(input, receiveMinor);
  const { parts, total } = feesOn(input.fees, value);
  const shown = parts.reduce((sum, part) => sum + part.amountMinor, 0n);
  // Shares of the basis points that are below one smallest unit, and what the conversion left over.
  const rounding = total - shown + (value - total - unit);
  const money = (amountMinor: bigint): OrderAmount => ({ ...input.fiat, amountMinor });
  const fees: OrderFee[] = [...parts, { type: 'rounding', amountMinor: rounding }]
    .filter((part) => part.amountMinor > 0n)
    .map((part) => ({ ...money(part.amountMinor), type: part.type }));
  return {
    mode: input.mode,
    pay: { ...input.pay, amountMinor: payMinor },
    receive: { ...input.receive, amountMinor: receiveMinor },
    fees,
    value: money(value),
    unit: money(unit),
    rate: input.receiveRate ?? input.payRate ?? '1',
    ...(input.receiveRate !== undefined &&
      input.payRate !== undefined && { payRate: input.payRate }),
    maxSlippageBps: input.maxSlippageBps,
  };
}

/** Worth of what is paid, rounded down. */
function fiatOf(input: TermsInput, side: 'pay', amountMinor: bigint): bigint {
  if (input.payRate === undefined) return amountMinor;
  return worthOf(
    {
      amountMinor,
      decimals: input[side].decimals,
      rate: input.payRate,
      fiatDecimals: input.fiat.decimals,
    },
    'down',
  );
}

/** What is delivered for so much fiat, rounded down. */
function ofFiat(input: TermsInput, side: 'receive', worthMinor: bigint): bigint {
  if (input.receiveRate === undefined) return worthMinor;
  return amountWorth(
    {
      worthMinor,
      decimals: input[side].decimals,
      rate: input.receiveRate,
      fiatDecimals: input.fiat.decimals,
    },
    'down',
  );
}

/** Price of what is delivered, rounded up: never more than what was left for it. */
function priceOf(input: TermsInput, receiveMinor: bigint): bigint {
  if (input.receiveRate === undefined) return receiveMinor;
  return worthOf(
    {
      amountMinor: receiveMinor,
      decimals: input.receive.decimals,
      rate: input.receiveRate,
      fiatDecimals: input.fiat.decimals,
    },
    'up',
  );
}

/**
 * The basis points are taken together, so that a larger payment never leaves less; each share is
 * rounded down.
 */
function feesOn(fees: readonly FeeShare[], value: bigint) {
  const fixed = fees.reduce((sum, fee) => sum + fee.fixedMinor, 0n);
  const bps = fees.reduce((sum, fee) => sum + fee.bps, 0);
  const parts = fees.map((fee) => ({
    type: fee.type,
    amountMinor: fee.fixedMinor + (value * BigInt(fee.bps)) / 10_000n,
  }));
  return { parts, total: fixed + (value * BigInt(bps)) / 10_000n };
}

/** The smallest value that leaves at least `unit` after the fees. */
function smallestValueFor(fees: readonly FeeShare[], unit: bigint): bigint {
  const fixed = fees.reduce((sum, fee) => sum + fee.fixedMinor, 0n);
  const bps = BigInt(fees.reduce((sum, fee) => sum + fee.bps, 0));
  // What is left grows with the value by 0 or 1: the estimate is at most a few units too high.
  let value = ((unit + fixed) * 10_000n) / (10_000n - bps) + 1n;
  while (value > 0n && value - 1n - feesOn(fees, value - 1n).total >= unit) value -= 1n;
  return value;
}
