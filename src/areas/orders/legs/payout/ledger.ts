import type { Ctx } from '../../../../context.ts';
import {
  holdEntries,
  type NewEntry,
  postEntries,
  settleHolds,
  voidHolds,
} from '../../../../ledger/index.ts';
import type { Tx } from '../../../../store/types.ts';
import { divide } from '../../pricing/decimals.ts';
import type { OrderRecord } from '../../state/types.ts';
import { conversionEntries, returnedAccount } from '../deposit/postings.ts';
import { clearingOf, conversionAccount, leg } from '../ledger.ts';
import { type ConversionFact, type PayoutFact } from './fact.ts';

type LedgerCtx = Pick<Ctx, 'clock' | 'ids'>;
/** A payout that a bank has. */
export type HeldPayout = PayoutFact & { readonly provider: string };

const inTransitOf = ({ provider, rail }: HeldPayout) => `bank:${provider}:in_transit:${rail}`;
const bankOf = ({ provider }: HeldPayout) => `bank:${provider}:account`;
const holdOf = (payout: PayoutFact) => `payout:${payout.id}`;
const moneyOf = (payout: PayoutFact) => ({
  asset: payout.currency,
  amountMinor: BigInt(payout.amountMinor),
});

function entryOf(order: OrderRecord, entry: Omit<NewEntry, 'projectId' | 'orderId'>): NewEntry {
  return { projectId: order.projectId, orderId: order.id, ...entry };
}

/** The payers' tokens become fiat, less the fees. */
export async function postConversion(
  ctx: LedgerCtx,
  tx: Tx,
  order: OrderRecord,
  conversion: ConversionFact,
): Promise<void> {
  await postEntries(
    ctx,
    tx,
    conversionEntries(order, order.terms!, {
      ...conversionInput(order, conversion, ctx),
      back: false,
    }),
  );
}

/** Nothing was paid out: all of the conversion is taken back, its fees too. */
export async function postUnwinding(
  ctx: LedgerCtx,
  tx: Tx,
  order: OrderRecord,
  conversion: ConversionFact,
): Promise<void> {
  await postEntries(
    ctx,
    tx,
    conversionEntries(order, order.terms!, {
      ...conversionInput(order, conversion, ctx),
      back: true,
    }),
  );
}

function conversionInput(order: OrderRecord, { nr }: ConversionFact, ctx: LedgerCtx) {
  const { dustMinor } = order.facts;
  return {
    nr,
    at: ctx.clock.now(),
    dustMinor: BigInt(typeof dustMinor === 'string' ? dustMinor : '0'),
  };
}

/** What a bank sent back becomes tokens again, at the order's own rate; the fees stay. */
export async function postReconversion(
  ctx: LedgerCtx,
  tx: Tx,
  order: OrderRecord,
  payout: PayoutFact,
): Promise<void> {
  const { pay, value } = order.terms!;
  const returned = moneyOf(payout);
  const amountMinor = divide(pay.amountMinor * returned.amountMinor, value.amountMinor, 'down');
  const tokens =
    amountMinor === 0n
      ? []
      : leg(clearingOf(order), conversionAccount, { asset: pay.asset, amountMinor });
  await postEntries(ctx, tx, [
    entryOf(order, {
      reference: `${holdOf(payout)}:reconversion`,
      kind: 'conversion',
      effectiveAt: ctx.clock.now(),
      postings: [...leg(conversionAccount, returnedAccount, returned), ...tokens],
    }),
  ]);
}

/** The bank has it, out of `from`: pending until it settles. The same again is nothing. */
export async function holdPayout(
  ctx: LedgerCtx,
  tx: Tx,
  order: OrderRecord,
  payout: HeldPayout,
  from: string,
): Promise<void> {
  await holdEntries(ctx, tx, [
    entryOf(order, {
      reference: holdOf(payout),
      kind: 'payout-submitted',
      effectiveAt: new Date(payout.askedAt),
      postings: leg(inTransitOf(payout), from, moneyOf(payout)),
    }),
  ]);
}

/** The receiving bank has the money. */
export async function settlePayout(
  ctx: LedgerCtx,
  tx: Tx,
  order: OrderRecord,
  payout: HeldPayout,
  at: Date,
): Promise<void> {
  await settleHolds(ctx, tx, [
    { projectId: order.projectId, reference: holdOf(payout), effectiveAt: at },
  ]);
  await postEntries(ctx, tx, [
    entryOf(order, {
      reference: `${holdOf(payout)}:settled`,
      kind: 'payout-settled',
      effectiveAt: at,
      postings: leg(bankOf(payout), inTransitOf(payout), moneyOf(payout)),
    }),
  ]);
}

/** It was refused before it settled: what was held is the order's again. */
export function voidPayout(
  ctx: LedgerCtx,
  tx: Tx,
  order: OrderRecord,
  payout: HeldPayout,
  at: Date,
): Promise<void> {
  return voidHolds(ctx, tx, [
    { projectId: order.projectId, reference: holdOf(payout), effectiveAt: at },
  ]);
}

/** The money came back after it had settled. */
export async function postReturn(
  ctx: LedgerCtx,
  tx: Tx,
  order: OrderRecord,
  payout: HeldPayout,
  at: Date,
): Promise<void> {
  await postEntries(ctx, tx, [
    entryOf(order, {
      reference: `${holdOf(payout)}:returned`,
      kind: 'payout-returned',
      effectiveAt: at,
      postings: leg(returnedAccount, bankOf(payout), moneyOf(payout)),
      ...(payout.code !== undefined && { data: { code: payout.code } }),
    }),
  ]);
}
