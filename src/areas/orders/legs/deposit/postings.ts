import type { Ctx } from '../../../../context.ts';
import {
  LedgerError,
  type NewEntry,
  type Posting,
  postEntries,
  registerAsset,
} from '../../../../ledger/index.ts';
import type { Tx } from '../../../../store/types.ts';
import type { DepositRecord } from '../../../deposits/index.ts';
import type { OrderRecord, OrderTerms } from '../../state/types.ts';
import { clearingOf, conversionAccount, leg } from '../ledger.ts';
import { assetOf } from './rules.ts';

type LedgerCtx = Pick<Ctx, 'clock' | 'ids'>;

export const treasuryOf = (chain: string) => `chain:${chain}:treasury`;
export const unmatchedAccount = 'suspense:unmatched';
/** Money that is to go back, or that an operator looks at. */
export const heldAccount = 'suspense:held';
export const returnedAccount = 'suspense:returned';
/** What a reorganisation took back after it was paid out. */
export const lostAccount = 'equity:chain-losses';
/** What the operator put into a treasury. */
export const operatorAccount = 'equity:operator';
const dustAccount = 'fees:dust';

/** Posts one entry. @throws LedgerError */
export async function post(ctx: LedgerCtx, tx: Tx, entry: NewEntry): Promise<void> {
  await postEntries(ctx, tx, [entry]);
}

/**
 * Makes a deposit's token known to the ledger. @returns false when the token says of itself what no
 * ledger can hold (decimals that change or have more than 77 digits): it is nothing of value, and
 * must not stop the watching of a chain
 */
export async function ensureToken(
  ctx: Pick<Ctx, 'chains' | 'log'>,
  tx: Tx,
  deposit: DepositRecord,
): Promise<boolean> {
  const asset = assetOf(ctx, deposit.token);
  try {
    await registerAsset(tx, {
      asset,
      decimals: deposit.token.decimals,
      symbol: deposit.token.symbol ?? 'unknown',
    });
    return true;
  } catch (error) {
    if (!(error instanceof LedgerError)) throw error;
    ctx.log.warn(
      { err: error, depositId: deposit.id, asset },
      'a deposit of a token that the ledger cannot hold is left alone',
    );
    return false;
  }
}

interface PostedDeposit {
  readonly deposit: DepositRecord;
  readonly account: string;
  readonly orderId?: string | undefined;
  /** How often the deposit became final, this time included. */
  readonly nr: number;
}

/** Deposit final: the treasury has it, `account` owes it. */
export function postDeposit(
  ctx: Ctx,
  tx: Tx,
  { deposit, account, orderId, nr }: PostedDeposit,
): Promise<void> {
  const { id, projectId, chain, amountMinor, includedAt, txId } = deposit;
  return post(ctx, tx, {
    projectId,
    reference: `deposit:${id}:final:${nr}`,
    kind: 'deposit-final',
    ...(orderId !== undefined && { orderId }),
    effectiveAt: includedAt,
    postings: leg(account, treasuryOf(chain), { asset: assetOf(ctx, deposit.token), amountMinor }),
    data: { depositId: id, txId },
  });
}

/** A reorganisation took a final deposit back. */
export function reverseDeposit(
  ctx: Ctx,
  tx: Tx,
  { deposit, account, orderId, nr }: PostedDeposit,
): Promise<void> {
  const { id, projectId, chain, amountMinor, txId } = deposit;
  return post(ctx, tx, {
    projectId,
    reference: `deposit:${id}:retracted:${nr}`,
    kind: 'deposit-retracted',
    ...(orderId !== undefined && { orderId }),
    effectiveAt: ctx.clock.now(),
    postings: leg(treasuryOf(chain), account, { asset: assetOf(ctx, deposit.token), amountMinor }),
    data: { depositId: id, txId },
  });
}

interface Conversion {
  /** Of this order's conversions: an operator may have one made again. */
  readonly nr: number;
  /** Takes it back. */
  readonly back: boolean;
  readonly at: Date;
  /** Tokens that were over, and are kept. */
  readonly dustMinor: bigint;
}

/** Conversion of what was paid into the order's fiat currency, and its fees. */
export function conversionEntries(
  order: Pick<OrderRecord, 'id' | 'projectId'>,
  terms: OrderTerms,
  input: Conversion,
): NewEntry[] {
  const clearing = clearingOf(order);
  const { pay, value, fees } = terms;
  const entry = (kind: string, postings: Posting[]): NewEntry => ({
    projectId: order.projectId,
    reference: `order-${kind}:${order.id}:${input.nr}${input.back ? ':reversed' : ''}`,
    kind: input.back ? `${kind}-reversed` : kind,
    orderId: order.id,
    effectiveAt: input.at,
    postings: input.back
      ? postings.map((posting) => ({ ...posting, amountMinor: -posting.amountMinor }))
      : postings,
    ...(kind === 'conversion' && { data: { rate: terms.rate } }),
  });
  const charged = [
    ...fees
      .filter((fee) => fee.amountMinor > 0n)
      .flatMap((fee) => leg(`fees:${fee.type}`, clearing, fee)),
    ...(input.dustMinor > 0n
      ? leg(dustAccount, clearing, { asset: pay.asset, amountMinor: input.dustMinor })
      : []),
  ];
  const converted = [
    ...leg(conversionAccount, clearing, pay),
    ...leg(clearing, conversionAccount, value),
  ];
  return [entry('conversion', converted), ...(charged.length === 0 ? [] : [entry('fee', charged)])];
}
