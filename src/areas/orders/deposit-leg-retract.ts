import type { Ctx } from '../../context.ts';
import { readBalances } from '../../ledger/index.ts';
import { tryMove } from '../../machine/machine.ts';
import type { Tx } from '../../store/types.ts';
import { type DepositRecord, selectDepositsOfOrder } from '../deposits/index.ts';
import { changeOrder, noteOrder } from './change-order.ts';
import { assetOf } from './deposit-leg-match.ts';
import { lostAccount, reverseDeposit } from './deposit-leg-postings.ts';
import { readPaying, settleSeen } from './deposit-leg-settle.ts';
import { forgetOrderDeposit, type OrderDeposit, saveOrderDeposit, selectOrderDeposit } from './deposit-leg-store.ts';
import { orderMachineOf } from './machine.ts';
import { clearingOf } from './order-ledger.ts';
import { stopRefund } from './refunds-follow.ts';
import { lockRefund, selectRefundsOfDeposit } from './refunds-store.ts';
import { lockOrder } from './store.ts';
import type { OrderRecord } from './types.ts';

/** A reorganisation took a deposit. What was final is reversed, and what it was to pay for is frozen. */
export async function retractDeposit(ctx: Ctx, tx: Tx, deposit: DepositRecord): Promise<void> {
  const known = await selectOrderDeposit(tx, deposit.id);
  if (!known) return;
  const order = known.orderId === undefined ? undefined : await lockOrder(tx, { by: 'id', id: known.orderId });
  if (known.counts) await reverse(ctx, tx, { known, order, deposit });
  else if (known.posted === 0) await forgetOrderDeposit(tx, deposit.id);
  const gone = await stopRefunds(ctx, tx, deposit);
  if (gone.length > 0) await tellGone(ctx, tx, order, { deposit, refundIds: gone });
  if (order && known.use === 'pays') await moveBack(ctx, tx, order, { deposit, wasFinal: known.counts });
}

async function reverse(
  ctx: Ctx,
  tx: Tx,
  { known, order, deposit }: { known: OrderDeposit; order: OrderRecord | undefined; deposit: DepositRecord },
): Promise<void> {
  const account =
    order && known.account === clearingOf(order) && !(await isStillCleared(ctx, tx, order, deposit)) ? lostAccount : known.account!;
  await saveOrderDeposit(tx, { ...known, account, counts: false }, ctx.clock.now());
  await reverseDeposit(ctx, tx, { deposit, account, orderId: known.use === 'held' ? undefined : known.orderId, nr: known.posted });
}

/** False when what came has left the order's clearing account: it was converted, or is on its way back. */
async function isStillCleared(ctx: Ctx, tx: Tx, order: OrderRecord, deposit: DepositRecord): Promise<boolean> {
  return (await clearedMinor(tx, order, assetOf(ctx, deposit.token))) >= deposit.amountMinor;
}

/** What an order's clearing account owes in an asset. */
export async function clearedMinor(tx: Tx, order: OrderRecord, asset: string): Promise<bigint> {
  const balances = await readBalances(tx, { projectId: order.projectId, account: clearingOf(order), limit: 100 });
  return -(balances.find((balance) => balance.asset === asset)?.postedMinor ?? 0n);
}

/** What is not there any more does not go back. @returns ids of refunds that the treasury has sent already */
async function stopRefunds(ctx: Ctx, tx: Tx, deposit: DepositRecord): Promise<string[]> {
  const gone: string[] = [];
  for (const { id } of await selectRefundsOfDeposit(tx, deposit.id)) {
    const refund = await lockRefund(tx, { id });
    if (refund?.status === 'pending') await stopRefund(ctx, tx, refund);
    else if (refund?.status === 'sent' || refund?.status === 'final') gone.push(id);
  }
  return gone;
}

/** Money went back that is not there any more: only people can ask for it. */
async function tellGone(
  ctx: Ctx,
  tx: Tx,
  order: OrderRecord | undefined,
  { deposit, refundIds }: { readonly deposit: DepositRecord; readonly refundIds: readonly string[] },
): Promise<void> {
  ctx.log.error({ depositId: deposit.id, orderId: order?.id, refundIds }, 'a deposit that is gone was sent back already');
  // Stopping a refund may have moved it.
  const locked = order && (await lockOrder(tx, { by: 'id', id: order.id }));
  const attention = `deposit ${deposit.id} was taken back by a reorganisation, and refund ${refundIds.join(', ')} of it was sent`;
  if (locked) await noteOrder(ctx, tx, locked, { event: 'deposit-retracted', set: { attention }, note: attention });
}

async function moveBack(
  ctx: Ctx,
  tx: Tx,
  locked: OrderRecord,
  { deposit, wasFinal }: { readonly deposit: DepositRecord; readonly wasFinal: boolean },
): Promise<void> {
  // Stopping a refund may have moved it.
  const order = (await lockOrder(tx, { by: 'id', id: locked.id }))!;
  const note = `deposit ${deposit.id}`;
  const paying = await readPaying(tx, order, await selectDepositsOfOrder(tx, order.id));
  const isEmpty = paying.final.length + paying.pending.length === 0;
  const isOpen = order.state === 'deposit_seen' || order.state === 'deposit_late' || order.state === 'deposit_short';
  if (isOpen && isEmpty) {
    const facts = { received: undefined, depositId: undefined, failure: undefined };
    await changeOrder(ctx, tx, order, { event: 'deposit-retracted', facts, note });
    return;
  }
  if (order.state === 'deposit_seen') return settleSeen(ctx, tx, order, await selectDepositsOfOrder(tx, order.id));
  if (isOpen || !wasFinal) {
    await noteOrder(ctx, tx, order, { event: 'deposit-retracted', note });
    return;
  }
  const attention = `deposit ${deposit.id} was final and a reorganisation took it back`;
  ctx.log.error({ orderId: order.id, depositId: deposit.id, state: order.state }, 'a deposit that was final is gone');
  if (tryMove(orderMachineOf(order.kind), order.state, 'deposit-retracted'))
    await changeOrder(ctx, tx, order, { event: 'deposit-retracted', set: { attention }, note });
  else await noteOrder(ctx, tx, order, { event: 'deposit-retracted', set: { attention }, note });
}
