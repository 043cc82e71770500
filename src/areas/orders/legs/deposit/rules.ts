import type { ResolvedToken } from '../../../../chains/family.ts';
import type { Ctx } from '../../../../context.ts';
import type { Tx } from '../../../../store/types.ts';
import type { DepositRecord } from '../../../deposits/index.ts';
import { divide, scaleDown } from '../../pricing/decimals.ts';
import { combineTerms } from '../../state/items.ts';
import { isExpired, stateRow } from '../../state/states.ts';
import { lockOrder } from '../../state/store.ts';
import type { OrderAmount, OrderRecord, OrderTerms } from '../../state/types.ts';
import { type DepositReason, selectOnlyOpenOrder } from './store.ts';

/**
 * What deposits of an order are held to, agreed when it was priced: `facts.depositRules`. Amounts
 * as text, since facts are JSON.
 */
export type DepositRules = {
  /** A deposit that is short by no more than this is taken as it is. */
  readonly shortToleranceMinor: string;
  /** What is over by no more than this is kept as a fee. */
  readonly dustMinor: string;
  /** How long after the quote's end a deposit is still honoured, when the price covers it. */
  readonly lateToleranceMs: number;
};

/** Dust is never a larger share of a payment than this. */
const dustBpsMax = 100n;
const usdDigits = 6;

/** @param settings of the project, in US dollars and basis points */
export function depositRulesOf(
  terms: OrderTerms,
  settings: {
    readonly shortToleranceBps: number;
    readonly dustUsd: string;
    readonly lateToleranceMinutes: number;
  },
  amountUsd: string,
): DepositRules {
  const { amountMinor } = terms.pay;
  const worth = scaleDown(amountUsd, usdDigits);
  const dust = worth > 0n ? (amountMinor * scaleDown(settings.dustUsd, usdDigits)) / worth : 0n;
  const dustMinor = min(dust, (amountMinor * dustBpsMax) / 10_000n);
  const shortMinor = (amountMinor * BigInt(settings.shortToleranceBps)) / 10_000n;
  return {
    shortToleranceMinor: (shortMinor > dustMinor ? shortMinor : dustMinor).toString(),
    dustMinor: dustMinor.toString(),
    lateToleranceMs: settings.lateToleranceMinutes * 60_000,
  };
}

const strictDepositRules: DepositRules = {
  shortToleranceMinor: '0',
  dustMinor: '0',
  lateToleranceMs: 0,
};

export function rulesOf(order: OrderRecord): DepositRules {
  return (order.facts.depositRules as DepositRules | undefined) ?? strictDepositRules;
}

export type DepositCount =
  | { readonly fit: 'short'; readonly missingMinor: bigint }
  /** `terms` are new ones when it was a little short. */
  | { readonly fit: 'exact'; readonly terms: OrderTerms; readonly dustMinor: bigint }
  | { readonly fit: 'over'; readonly excessMinor: bigint };

/** What the sum of an order's final deposits is to what was asked for. */
export function countDeposits(
  terms: OrderTerms,
  rules: DepositRules,
  sumMinor: bigint,
): DepositCount {
  const overMinor = sumMinor - terms.pay.amountMinor;
  if (overMinor > BigInt(rules.dustMinor)) return { fit: 'over', excessMinor: overMinor };
  if (overMinor >= 0n) return { fit: 'exact', terms, dustMinor: overMinor };
  const lowered =
    -overMinor <= BigInt(rules.shortToleranceMinor) ? lowerTerms(terms, sumMinor) : undefined;
  return lowered
    ? { fit: 'exact', terms: lowered, dustMinor: 0n }
    : { fit: 'short', missingMinor: -overMinor };
}

/**
 * The terms for a payment that is a little smaller: the same rate, the same fees, less to receive.
 * Undefined when the fees leave nothing.
 */
function lowerTerms(terms: OrderTerms, payMinor: bigint): OrderTerms | undefined {
  // A free item among others: nothing of it can be short.
  if (terms.pay.amountMinor === 0n) return terms;
  if (terms.items) return lowerItems(terms.items, { payMinor, fullMinor: terms.pay.amountMinor });
  const valueMinor = divide(terms.value.amountMinor * payMinor, terms.pay.amountMinor, 'down');
  const unitMinor = valueMinor - feesOf(terms);
  if (unitMinor <= 0n) return undefined;
  const receiveMinor = terms.collectible
    ? terms.receive.amountMinor
    : terms.receive.asset === terms.unit.asset
      ? unitMinor
      : divide(terms.receive.amountMinor * unitMinor, terms.unit.amountMinor, 'down');
  if (receiveMinor <= 0n) return undefined;
  const amount = (one: OrderAmount, amountMinor: bigint): OrderAmount => ({ ...one, amountMinor });
  return {
    ...terms,
    pay: amount(terms.pay, payMinor),
    value: amount(terms.value, valueMinor),
    unit: amount(terms.unit, unitMinor),
    receive: amount(terms.receive, receiveMinor),
  };
}

/**
 * Each line item is lowered by its share; the last one that costs anything takes what rounding
 * leaves.
 */
function lowerItems(
  items: readonly OrderTerms[],
  { payMinor, fullMinor }: { readonly payMinor: bigint; readonly fullMinor: bigint },
) {
  let left = payMinor;
  const lowered: OrderTerms[] = [];
  const lastPaid = items.findLastIndex(({ pay }) => pay.amountMinor > 0n);
  for (const [index, item] of items.entries()) {
    const share = index === lastPaid ? left : (item.pay.amountMinor * payMinor) / fullMinor;
    const one = lowerTerms(item, share);
    if (!one) return undefined;
    left -= share;
    lowered.push(one);
  }
  const [first, ...more] = lowered;
  return first && combineTerms([first, ...more]);
}

function feesOf(terms: OrderTerms): bigint {
  return terms.fees.reduce((sum, fee) => sum + fee.amountMinor, 0n);
}

function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

/**
 * Whose a deposit is. Without `reason` it fits its order: chain, token, treasury, payer and memo.
 */
export interface DepositMatch {
  /** Locked. */
  readonly order?: OrderRecord;
  readonly reason?: DepositReason;
}

/** As assets are named in terms and in the ledger. */
export function assetOf(
  ctx: Pick<Ctx, 'chains'>,
  token: Pick<ResolvedToken, 'chain' | 'address'>,
): string {
  const { chain, address } = token;
  return `${chain}:${address === undefined ? 'native' : ctx.chains.familyOfChain(chain).canonicalAddress(address)}`;
}

/**
 * A day less than the flow of an order waits for deposits after its quote: what comes later has
 * nobody to go on with it.
 */
const afterQuoteMsMax = 29 * 24 * 3_600_000;

export function takesDeposits({ state, quoteExpiresAt }: OrderRecord, now: Date): boolean {
  const isForgotten =
    isExpired({ state }) &&
    quoteExpiresAt !== undefined &&
    now.getTime() - quoteExpiresAt.getTime() > afterQuoteMsMax;
  return stateRow(state).deposits !== undefined && !isForgotten;
}

/** Finds and locks the order that a deposit is for. */
export async function matchDeposit(
  ctx: Pick<Ctx, 'chains'>,
  tx: Tx,
  deposit: DepositRecord,
): Promise<DepositMatch> {
  const asset = assetOf(ctx, deposit.token);
  const order = await findOrder(tx, deposit, asset);
  if (!order || order.projectId !== deposit.projectId)
    return { reason: deposit.memo === undefined ? 'memo-missing' : 'memo-unknown' };
  if (deposit.chain !== order.request.payment.method) return { order, reason: 'wrong-chain' };
  if (asset !== order.terms?.pay.asset) return { order, reason: 'wrong-token' };
  // A memo stands in a public transaction: whoever copies it pays nobody's order.
  if (order.payerKey !== undefined && order.payerKey !== deposit.sender)
    return { order, reason: 'wrong-payer' };
  return { order };
}

async function findOrder(
  tx: Tx,
  deposit: DepositRecord,
  asset: string,
): Promise<OrderRecord | undefined> {
  if (deposit.orderId !== undefined) return lockOrder(tx, { by: 'id', id: deposit.orderId });
  if (deposit.memo !== undefined) return lockOrder(tx, { by: 'memo', memo: deposit.memo });
  const { projectId, sender: payerKey, chain, amountMinor } = deposit;
  const id = await selectOnlyOpenOrder(tx, { projectId, payerKey, chain, asset, amountMinor });
  return id === undefined ? undefined : lockOrder(tx, { by: 'id', id });
}
