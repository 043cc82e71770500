import type { Ctx } from '../../../../context.ts';
import { tryMove } from '../../../../machine/machine.ts';
import type { Tx } from '../../../../store/types.ts';
import { type DepositRecord, selectDepositsOfOrder } from '../../../deposits/index.ts';
import { withholdTransfer } from '../../../treasury/index.ts';
import { changeOrder, noteOrder } from '../../state/change-order.ts';
import { deliveryIdsOf } from '../../state/items.ts';
import { orderMachineOf } from '../../state/machine.ts';
import { lockOrder } from '../../state/store.ts';
import type { OrderRecord } from '../../state/types.ts';
import { clearedMinor, releaseUnsent } from '../cover.ts';
import { clearingOf } from '../ledger.ts';
import { goneWords, stopRefund } from '../refund/follow.ts';
import { lockRefund, selectRefundsOfDeposit } from '../refund/store.ts';
import { assetOf } from './match.ts';
import { lostAccount, reverseDeposit } from './postings.ts';
import { readPaying, settleSeen } from './settle.ts';
import { forgetOrderDeposit, type OrderDeposit, saveOrderDeposit, selectOrderDeposit } from './store.ts';

/** A reorganisation took a deposit. What was final is reversed, and what it was to pay for is frozen. */
export async function retractDeposit(ctx: Ctx, tx: Tx, deposit: DepositRecord): Promise<void> {
  const known = await selectOrderDeposit(tx, deposit.id);
  if (!known) return;
  const order = known.orderId === undefined ? undefined : await lockOrder(tx, { by: 'id', id: known.orderId });
  if (known.counts) await reverse(ctx, tx, { known, order, deposit });
  else if (known.posted === 0) await forgetOrderDeposit(tx, deposit.id);
  await stopRefunds(ctx, tx, order, deposit);
  // Nor do tokens go out (again) for money that is not there.
  if (order && known.use === 'pays' && known.counts)
    for (const transferId of deliveryIdsOf(order)) await withholdTransfer(ctx, tx, { transferId, fromHeight: deposit.height });
  if (order && known.use === 'pays') await moveBack(ctx, tx, order, { deposit, wasFinal: known.counts });
}

async function reverse(
  ctx: Ctx,
  tx: Tx,
  { known, order, deposit }: { known: OrderDeposit; order: OrderRecord | undefined; deposit: DepositRecord },
): Promise<void> {
  if (order) await releaseUnsent(ctx, tx, order);
  const account =
    order && known.account === clearingOf(order) && !(await isStillCleared(ctx, tx, order, deposit)) ? lostAccount : known.account!;
  await saveOrderDeposit(tx, { ...known, account, counts: false }, ctx.clock.now());
  await reverseDeposit(ctx, tx, { deposit, account, orderId: known.use === 'held' ? undefined : known.orderId, nr: known.posted });
}

/** False when what came has left the order's clearing account: it was converted, or is on its way back. */
async function isStillCleared(ctx: Ctx, tx: Tx, order: OrderRecord, deposit: DepositRecord): Promise<boolean> {
  return (await clearedMinor(tx, order, assetOf(ctx, deposit.token))) >= deposit.amountMinor;
}

/** What is not there any more does not go back: what was not sent is stopped, and what the reorganisation took too is not sent again. */
async function stopRefunds(ctx: Ctx, tx: Tx, order: OrderRecord | undefined, deposit: DepositRecord): Promise<void> {
  const withheld: string[] = [];
  const gone: string[] = [];
  for (const { id } of await selectRefundsOfDeposit(tx, deposit.id)) {
    const refund = await lockRefund(tx, { id });
    if (!refund) continue;
    const found = await withholdTransfer(ctx, tx, { transferId: refund.transferId, fromHeight: deposit.height });
    if (refund.status === 'failed') continue;
    if (found === 'withheld') withheld.push(id);
    else if (found === 'stands') gone.push(id);
    else if (refund.status !== 'final') await stopRefund(ctx, tx, refund);
  }
  if (withheld.length > 0) await tellRefunds(ctx, tx, order, { deposit, refundIds: withheld, what: 'is withheld until it is there again' });
  // Money went back that is not there any more: only people can ask for it.
  if (gone.length > 0) await tellRefunds(ctx, tx, order, { deposit, refundIds: gone, what: 'was sent' });
}

async function tellRefunds(
  ctx: Ctx,
  tx: Tx,
  order: OrderRecord | undefined,
  { deposit, refundIds, what }: { readonly deposit: DepositRecord; readonly refundIds: readonly string[]; readonly what: string },
): Promise<void> {
  const attention = `deposit ${deposit.id} was taken back by a reorganisation, and refund ${refundIds.join(', ')} of it ${what}`;
  ctx.log.error({ depositId: deposit.id, orderId: order?.id, refundIds }, attention);
  // Stopping a refund may have moved it.
  const locked = order && (await lockOrder(tx, { by: 'id', id: order.id }));
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
  const attention = `deposit ${deposit.id} ${goneWords}`;
  ctx.log.error({ orderId: order.id, depositId: deposit.id, state: order.state }, 'a deposit that was final is gone');
  if (tryMove(orderMachineOf(order.kind), order.state, 'deposit-retracted'))
    await changeOrder(ctx, tx, order, { event: 'deposit-retracted', set: { attention }, note });
  else await noteOrder(ctx, tx, order, { event: 'deposit-retracted', set: { attention }, note });
}
