import type { Ctx } from '../../../../context.ts';
import { tryMove } from '../../../../machine/machine.ts';
import type { Tx } from '../../../../store/types.ts';
import {
  assignDeposit,
  type DepositChange,
  type DepositRecord,
  operatorFunds,
  resolveDeposit,
  selectDepositsOfOrder,
} from '../../../deposits/index.ts';
import { releaseTransfer, withholdTransfer } from '../../../treasury/index.ts';
import { changeOrder, noteOrder } from '../../state/change-order.ts';
import { deliveryIdsOf } from '../../state/items.ts';
import { orderMachineOf } from '../../state/machine.ts';
import {
  awaitsDeposit,
  isEnd,
  isExpired,
  isParked,
  needsOperator,
  stateRow,
} from '../../state/states.ts';
import { lockOrder } from '../../state/store.ts';
import type { OrderRecord } from '../../state/types.ts';
import { clearedMinor, releaseUnsent } from '../cover.ts';
import { clearingOf, leg } from '../ledger.ts';
import { goneWords, stopRefund } from '../refund/follow.ts';
import { createRefund, resumeRefunds, unrefundedOf } from '../refund/refunds.ts';
import { lockRefund, selectRefundsOfDeposit } from '../refund/store.ts';
import {
  ensureToken,
  heldAccount,
  lostAccount,
  operatorAccount,
  post,
  postDeposit,
  reverseDeposit,
  unmatchedAccount,
} from './postings.ts';
import { assetOf, matchDeposit, takesDeposits } from './rules.ts';
import { readPaying, receivedOf, settleSeen } from './settle.ts';
import {
  forgetOrderDeposit,
  type OrderDeposit,
  saveOrderDeposit,
  selectOrderDeposit,
} from './store.ts';

/**
 * What a deposit at a treasury means to the orders that are paid on a chain, in the transaction in
 * which the chain's news is recorded. Each deposit has an end: it pays its order, goes back to
 * whoever sent it, or waits for the operator.
 */
export async function followDeposit(
  ctx: Ctx,
  tx: Tx,
  { deposit, change }: DepositChange,
): Promise<void> {
  if (deposit.resolution === operatorFunds)
    return followOperatorFunds(ctx, tx, { deposit, change });
  // Anybody can make a token tell of a transfer of nothing from anybody.
  if (deposit.amountMinor === 0n || deposit.sender === deposit.recipient) return;
  if (change === 'retracted') return retractDeposit(ctx, tx, deposit);
  const known = (await selectOrderDeposit(tx, deposit.id)) ?? (await takeDeposit(ctx, tx, deposit));
  if (change === 'seen') {
    if (known.use === 'pays' && known.posted === 0) await tellSeen(ctx, tx, known, deposit);
    return;
  }
  if (!known.counts) await countFinal(ctx, tx, known, deposit);
}

/** Decides what a deposit is for, at its first sight. */
async function takeDeposit(ctx: Ctx, tx: Tx, deposit: DepositRecord): Promise<OrderDeposit> {
  const { order, reason } = await matchDeposit(ctx, tx, deposit);
  const known = { depositId: deposit.id, projectId: deposit.projectId, posted: 0, counts: false };
  const save = (rest: Pick<OrderDeposit, 'orderId' | 'use' | 'reason'>) =>
    saveOrderDeposit(tx, { ...known, ...rest }, ctx.clock.now());
  const orderId = order && { orderId: order.id };
  if (!order || reason !== undefined)
    return save({ ...orderId, use: 'held', ...(reason && { reason }) });
  await assignDeposit(tx, { depositId: deposit.id, orderId: order.id });
  if (takesDeposits(order, ctx.clock.now())) return save({ ...orderId, use: 'pays' });
  return save({
    ...orderId,
    use: 'extra',
    reason: order.facts.received ? 'second' : 'order-closed',
  });
}

/** A block has a deposit that fits: its order goes on, or knows that it came too late. */
async function tellSeen(
  ctx: Ctx,
  tx: Tx,
  known: OrderDeposit,
  deposit: DepositRecord,
): Promise<void> {
  const order =
    known.orderId === undefined ? undefined : await lockOrder(tx, { by: 'id', id: known.orderId });
  if (!order || !takesDeposits(order, ctx.clock.now())) return;
  const note = `deposit ${deposit.id}`;
  const facts = { depositId: deposit.id };
  const isLate = order.quoteExpiresAt !== undefined && deposit.includedAt > order.quoteExpiresAt;
  const change = { facts, note };
  if (isExpired(order)) await changeOrder(ctx, tx, order, { event: 'deposit-late', ...change });
  else if (!awaitsDeposit(order)) await noteOrder(ctx, tx, order, { event: 'deposit-seen', note });
  else if (!isLate) await changeOrder(ctx, tx, order, { event: 'deposit-seen', ...change });
  // Too late to add to: the sweep is about to send back what came, and this goes back with it.
  else if (order.state === 'deposit_short')
    await noteOrder(ctx, tx, order, {
      event: 'deposit-seen',
      note: `${note} after the quote's end`,
    });
  else {
    const expired = await changeOrder(ctx, tx, order, { event: 'expired' });
    await changeOrder(ctx, tx, expired, { event: 'deposit-late', ...change });
  }
}

/** A deposit is final: it is posted to whom it is owed, and its order is settled. */
async function countFinal(
  ctx: Ctx,
  tx: Tx,
  known: OrderDeposit,
  deposit: DepositRecord,
): Promise<void> {
  if (!(await ensureToken(ctx, tx, deposit))) {
    if (deposit.orderId === undefined)
      await resolveDeposit(ctx, tx, { depositId: deposit.id, resolution: 'not-recordable' });
    return;
  }
  // Without the order nothing is decided: whoever holds it is waited for.
  const order =
    known.orderId === undefined ? undefined : await lockOrder(tx, { by: 'id', id: known.orderId });
  const decided = decide(known, order);
  const account = known.account ?? accountOf(decided);
  const nr = known.posted + 1;
  const posted = await saveOrderDeposit(
    tx,
    { ...decided, account, posted: nr, counts: true },
    ctx.clock.now(),
  );
  await postDeposit(ctx, tx, {
    deposit,
    account,
    orderId: posted.use === 'held' ? undefined : posted.orderId,
    nr,
  });
  if (nr > 1) return tellAgain(ctx, tx, order, { deposit, known: posted });
  if (posted.use === 'held') return tellHeld(ctx, tx, { order, deposit, held: posted });
  if (!order) return;
  if (posted.use === 'extra') {
    await createRefund(ctx, tx, {
      deposit,
      orderId: order.id,
      reason: extraReason(posted),
      amountMinor: deposit.amountMinor,
      from: account,
    });
    const received = receivedOf(
      order,
      await readPaying(tx, order, await selectDepositsOfOrder(tx, order.id)),
    );
    const note = `deposit ${deposit.id} goes back: ${posted.reason ?? 'second'}`;
    await noteOrder(ctx, tx, order, {
      event: 'deposit-extra',
      ...(order.facts.received && { facts: { received } }),
      note,
    });
    return;
  }
  await settleSeen(ctx, tx, order, await selectDepositsOfOrder(tx, order.id));
}

/**
 * What pays at first sight may come too late to: another deposit was enough, or the order has ended
 * meanwhile.
 */
function decide(known: OrderDeposit, order: OrderRecord | undefined): OrderDeposit {
  if (known.use !== 'pays' || known.posted > 0) return known;
  return order && isArriving(order) ? known : { ...known, use: 'extra', reason: 'second' };
}

const isArriving = ({ state }: OrderRecord) => stateRow(state).deposits === 'arriving';

function accountOf(known: OrderDeposit): string {
  if (known.use === 'held') return unmatchedAccount;
  return known.use === 'pays' && known.orderId !== undefined
    ? clearingOf({ id: known.orderId })
    : heldAccount;
}

function extraReason(known: OrderDeposit): 'second' | 'order-closed' {
  return known.reason === 'order-closed' ? 'order-closed' : 'second';
}

async function tellHeld(
  ctx: Ctx,
  tx: Tx,
  {
    order,
    deposit,
    held,
  }: { order: OrderRecord | undefined; deposit: DepositRecord; held: OrderDeposit },
): Promise<void> {
  const { id: depositId, chain, txId } = deposit;
  ctx.log.warn(
    { depositId, chain, txId, orderId: order?.id, reason: held.reason },
    'a deposit waits for the operator',
  );
  if (order)
    await noteOrder(ctx, tx, order, {
      event: 'deposit-held',
      note: `deposit ${depositId}: ${held.reason ?? 'held'}`,
    });
}

/**
 * What a reorganisation took is there again: what was on its way goes on, and the operator who was
 * asked may release the order.
 */
async function tellAgain(
  ctx: Ctx,
  tx: Tx,
  order: OrderRecord | undefined,
  { deposit, known }: { readonly deposit: DepositRecord; readonly known: OrderDeposit },
): Promise<void> {
  // Whoever closed an order by hand has settled it otherwise.
  if (order?.state !== 'closed')
    await resumeRefunds(ctx, tx, deposit, { isDecided: !order || !needsOperator(order) });
  if (!order) return;
  if (order.state !== 'closed')
    for (const transferId of deliveryIdsOf(order)) await releaseTransfer(ctx, tx, transferId);
  const note = `deposit ${deposit.id} is final again`;
  const isAbout = order.attention?.startsWith(`deposit ${deposit.id} `);
  const set = isAbout ? { set: { attention: isParked(order) ? note : undefined } } : {};
  const noted = await noteOrder(ctx, tx, order, { event: 'deposit-final-again', ...set, note });
  if (known.use !== 'pays') return;
  if (takesDeposits(noted, ctx.clock.now())) return countAgain(ctx, tx, noted, { deposit, known });
  if (isEnd(noted.state)) await endAgain(ctx, tx, noted, { deposit, known });
}

/** The order had gone back to where it waits: it goes on as it did the first time. */
async function countAgain(
  ctx: Ctx,
  tx: Tx,
  order: OrderRecord,
  { deposit, known }: { readonly deposit: DepositRecord; readonly known: OrderDeposit },
): Promise<void> {
  await tellSeen(ctx, tx, known, deposit);
  const seen = (await lockOrder(tx, { by: 'id', id: order.id }))!;
  if (isArriving(seen)) await settleSeen(ctx, tx, seen, await selectDepositsOfOrder(tx, seen.id));
}

/** The order has ended without it: it goes back, or to the operator who settled by hand. */
async function endAgain(
  ctx: Ctx,
  tx: Tx,
  order: OrderRecord,
  { deposit, known }: { readonly deposit: DepositRecord; readonly known: OrderDeposit },
): Promise<void> {
  const asset = assetOf(ctx, deposit.token);
  const [cleared, open] = [await clearedMinor(tx, order, asset), await unrefundedOf(tx, deposit)];
  const amountMinor = cleared < open ? cleared : open;
  if (amountMinor <= 0n) return;
  const from = clearingOf(order);
  if (order.state !== 'closed') {
    await createRefund(ctx, tx, {
      deposit,
      orderId: order.id,
      reason: 'order-closed',
      amountMinor,
      from,
    });
    return;
  }
  await post(ctx, tx, {
    projectId: order.projectId,
    orderId: order.id,
    reference: `deposit:${deposit.id}:set-aside:${known.posted}`,
    kind: 'closed-by-operator',
    effectiveAt: ctx.clock.now(),
    postings: leg(heldAccount, from, { asset, amountMinor }),
  });
  const attention = `deposit ${deposit.id} came after the order was closed: it is set aside`;
  ctx.log.error({ orderId: order.id, depositId: deposit.id }, attention);
  await noteOrder(ctx, tx, order, {
    event: 'deposit-set-aside',
    set: { attention },
    note: attention,
  });
}

/** The operator's own money: it is owed to nobody. */
async function followOperatorFunds(
  ctx: Ctx,
  tx: Tx,
  { deposit, change }: DepositChange,
): Promise<void> {
  if (change === 'seen') return;
  const known = await selectOrderDeposit(tx, deposit.id);
  if (change === 'retracted') return known?.counts ? retractDeposit(ctx, tx, deposit) : undefined;
  if (known?.counts || !(await ensureToken(ctx, tx, deposit))) return;
  const nr = (known?.posted ?? 0) + 1;
  const { id: depositId, projectId } = deposit;
  await saveOrderDeposit(
    tx,
    { depositId, projectId, use: 'extra', account: operatorAccount, posted: nr, counts: true },
    ctx.clock.now(),
  );
  await postDeposit(ctx, tx, { deposit, account: operatorAccount, nr });
}

/**
 * A reorganisation took a deposit. What was final is reversed, and what it was to pay for is
 * frozen.
 */
async function retractDeposit(ctx: Ctx, tx: Tx, deposit: DepositRecord): Promise<void> {
  const known = await selectOrderDeposit(tx, deposit.id);
  if (!known) return;
  const order =
    known.orderId === undefined ? undefined : await lockOrder(tx, { by: 'id', id: known.orderId });
  if (known.counts) await reverse(ctx, tx, { known, order, deposit });
  else if (known.posted === 0) await forgetOrderDeposit(tx, deposit.id);
  await stopRefunds(ctx, tx, order, deposit);
  // Nor do tokens go out (again) for money that is not there.
  if (order && known.use === 'pays' && known.counts)
    for (const transferId of deliveryIdsOf(order))
      await withholdTransfer(ctx, tx, { transferId, fromHeight: deposit.height });
  if (order && known.use === 'pays')
    await moveBack(ctx, tx, order, { deposit, wasFinal: known.counts });
}

async function reverse(
  ctx: Ctx,
  tx: Tx,
  {
    known,
    order,
    deposit,
  }: { known: OrderDeposit; order: OrderRecord | undefined; deposit: DepositRecord },
): Promise<void> {
  if (order) await releaseUnsent(ctx, tx, order);
  const account =
    order && known.account === clearingOf(order) && !(await isStillCleared(ctx, tx, order, deposit))
      ? lostAccount
      : known.account!;
  await saveOrderDeposit(tx, { ...known, account, counts: false }, ctx.clock.now());
  await reverseDeposit(ctx, tx, {
    deposit,
    account,
    orderId: known.use === 'held' ? undefined : known.orderId,
    nr: known.posted,
  });
}

/**
 * False when what came has left the order's clearing account: it was converted, or is on its way
 * back.
 */
async function isStillCleared(
  ctx: Ctx,
  tx: Tx,
  order: OrderRecord,
  deposit: DepositRecord,
): Promise<boolean> {
  return (await clearedMinor(tx, order, assetOf(ctx, deposit.token))) >= deposit.amountMinor;
}

/**
 * What is not there any more does not go back: what was not sent is stopped, and what the
 * reorganisation took too is not sent again.
 */
async function stopRefunds(
  ctx: Ctx,
  tx: Tx,
  order: OrderRecord | undefined,
  deposit: DepositRecord,
): Promise<void> {
  const withheld: string[] = [];
  const gone: string[] = [];
  for (const { id } of await selectRefundsOfDeposit(tx, deposit.id)) {
    const refund = await lockRefund(tx, { id });
    if (!refund) continue;
    const found = await withholdTransfer(ctx, tx, {
      transferId: refund.transferId,
      fromHeight: deposit.height,
    });
    if (refund.status === 'failed') continue;
    if (found === 'withheld') withheld.push(id);
    else if (found === 'stands') gone.push(id);
    else if (refund.status !== 'final') await stopRefund(ctx, tx, refund);
  }
  if (withheld.length > 0)
    await tellRefunds(ctx, tx, order, {
      deposit,
      refundIds: withheld,
      what: 'is withheld until it is there again',
    });
  // Money went back that is not there any more: only people can ask for it.
  if (gone.length > 0)
    await tellRefunds(ctx, tx, order, { deposit, refundIds: gone, what: 'was sent' });
}

async function tellRefunds(
  ctx: Ctx,
  tx: Tx,
  order: OrderRecord | undefined,
  {
    deposit,
    refundIds,
    what,
  }: {
    readonly deposit: DepositRecord;
    readonly refundIds: readonly string[];
    readonly what: string;
  },
): Promise<void> {
  const attention = `deposit ${deposit.id} was taken back by a reorganisation, and refund ${refundIds.join(', ')} of it ${what}`;
  ctx.log.error({ depositId: deposit.id, orderId: order?.id, refundIds }, attention);
  // Stopping a refund may have moved it.
  const locked = order && (await lockOrder(tx, { by: 'id', id: order.id }));
  if (locked)
    await noteOrder(ctx, tx, locked, {
      event: 'deposit-retracted',
      set: { attention },
      note: attention,
    });
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
  const isOpen = isArriving(order) || order.state === 'deposit_short';
  if (isOpen && isEmpty) {
    const facts = { received: undefined, depositId: undefined, failure: undefined };
    await changeOrder(ctx, tx, order, { event: 'deposit-retracted', facts, note });
    return;
  }
  if (order.state === 'deposit_seen')
    return settleSeen(ctx, tx, order, await selectDepositsOfOrder(tx, order.id));
  if (isOpen || !wasFinal) {
    await noteOrder(ctx, tx, order, { event: 'deposit-retracted', note });
    return;
  }
  const attention = `deposit ${deposit.id} ${goneWords}`;
  ctx.log.error(
    { orderId: order.id, depositId: deposit.id, state: order.state },
    'a deposit that was final is gone',
  );
  if (tryMove(orderMachineOf(order.kind), order.state, 'deposit-retracted'))
    await changeOrder(ctx, tx, order, { event: 'deposit-retracted', set: { attention }, note });
  else await noteOrder(ctx, tx, order, { event: 'deposit-retracted', set: { attention }, note });
}
