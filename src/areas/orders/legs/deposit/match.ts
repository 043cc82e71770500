import type { ResolvedToken } from '../../../../chains/family.ts';
import type { Ctx } from '../../../../context.ts';
import type { Tx } from '../../../../store/types.ts';
import type { DepositRecord } from '../../../deposits/index.ts';
import type { OrderState } from '../../state/machine.ts';
import { lockOrder } from '../../state/store.ts';
import type { OrderRecord } from '../../state/types.ts';
import { type DepositReason, selectOnlyOpenOrder } from './store.ts';

/** Whose a deposit is. Without `reason` it fits its order: chain, token, treasury, payer and memo. */
export interface DepositMatch {
  /** Locked. */
  readonly order?: OrderRecord;
  readonly reason?: DepositReason;
}

/** As assets are named in terms and in the ledger. */
export function assetOf(ctx: Pick<Ctx, 'chains'>, token: Pick<ResolvedToken, 'chain' | 'address'>): string {
  const { chain, address } = token;
  return `${chain}:${address === undefined ? 'native' : ctx.chains.familyOfChain(chain).canonicalAddress(address)}`;
}

/** States in which a deposit that fits counts for its order. */
const takingStates: ReadonlySet<OrderState> = new Set<OrderState>([
  'awaiting_deposit',
  'deposit_short',
  'deposit_seen',
  'quote_expired',
  'deposit_late',
]);

/** A day less than the flow of an order waits for deposits after its quote: what comes later has nobody to go on with it. */
const afterQuoteMsMax = 29 * 24 * 3_600_000;

export function takesDeposits({ state, quoteExpiresAt }: OrderRecord, now: Date): boolean {
  const isForgotten =
    state === 'quote_expired' && quoteExpiresAt !== undefined && now.getTime() - quoteExpiresAt.getTime() > afterQuoteMsMax;
  return takingStates.has(state) && !isForgotten;
}

/** Finds and locks the order that a deposit is for. */
export async function matchDeposit(ctx: Pick<Ctx, 'chains'>, tx: Tx, deposit: DepositRecord): Promise<DepositMatch> {
  const asset = assetOf(ctx, deposit.token);
  const order = await findOrder(tx, deposit, asset);
  if (!order || order.projectId !== deposit.projectId) return { reason: deposit.memo === undefined ? 'memo-missing' : 'memo-unknown' };
  if (deposit.chain !== order.request.payment.method) return { order, reason: 'wrong-chain' };
  if (asset !== order.terms?.pay.asset) return { order, reason: 'wrong-token' };
  // A memo stands in a public transaction: whoever copies it pays nobody's order.
  if (order.payerKey !== undefined && order.payerKey !== deposit.sender) return { order, reason: 'wrong-payer' };
  return { order };
}

async function findOrder(tx: Tx, deposit: DepositRecord, asset: string): Promise<OrderRecord | undefined> {
  if (deposit.orderId !== undefined) return lockOrder(tx, { by: 'id', id: deposit.orderId });
  if (deposit.memo !== undefined) return lockOrder(tx, { by: 'memo', memo: deposit.memo });
  const { projectId, sender: payerKey, chain, amountMinor } = deposit;
  const id = await selectOnlyOpenOrder(tx, { projectId, payerKey, chain, asset, amountMinor });
  return id === undefined ? undefined : lockOrder(tx, { by: 'id', id });
}
