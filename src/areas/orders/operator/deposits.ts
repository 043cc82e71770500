import { factsOfChain } from '../../../chains/families.ts';
import type { Ctx } from '../../../context.ts';
import { ServiceError } from '../../../lib/errors.ts';
import type { Tx } from '../../../store/types.ts';
import {
  assignDeposit,
  type DepositRecord,
  lockDeposit,
  operatorFunds,
  resolveDeposit,
  selectDepositsOfOrder,
} from '../../deposits/index.ts';
import type { RecordChange } from '../../operations/index.ts';
import { operatorAccount, post, unmatchedAccount } from '../legs/deposit/postings.ts';
import { assetOf, takesDeposits } from '../legs/deposit/rules.ts';
import { settleSeen } from '../legs/deposit/settle.ts';
import { type OrderDeposit, saveOrderDeposit, selectOrderDeposit } from '../legs/deposit/store.ts';
import { clearingOf, leg } from '../legs/ledger.ts';
import { createRefund } from '../legs/refund/refunds.ts';
import { selectRefundsOfDeposit } from '../legs/refund/store.ts';
import { changeOrder, noteOrder } from '../state/change-order.ts';
import { awaitsDeposit, isExpired } from '../state/states.ts';
import { lockOrder } from '../state/store.ts';
import type { OrderRecord } from '../state/types.ts';
import { conflict, resendRefund } from './operator.ts';

interface DepositInput {
  readonly projectId: string;
  readonly depositId: string;
  /** Why; no personal data. */
  readonly note: string;
  /** Writes down what was decided (`rules.ts`). */
  readonly record?: RecordChange;
}

/**
 * Gives a deposit that waits for the operator to an order, which goes on as if it had matched.
 * @throws order-not-found, validation-error, chain-not-supported, conflict when the deposit does not wait, or the order
 * takes none of its token now
 */
export async function assignHeldDeposit(
  ctx: Ctx,
  input: DepositInput & { readonly orderId: string },
): Promise<OrderRecord> {
  const { projectId, depositId, orderId, note } = input;
  return ctx.store.transaction(async (tx) => {
    const order = await lockOrder(tx, { by: 'id', id: orderId });
    if (!order || order.projectId !== projectId)
      throw new ServiceError('order-not-found', { message: `There is no order ${orderId}.` });
    const { deposit, known } = await requireHeld(ctx, tx, input);
    if (
      assetOf(ctx, deposit.token) !== order.terms?.pay.asset ||
      deposit.chain !== order.request.payment.method
    )
      throw conflict(
        `The order is paid in ${order.terms?.pay.asset}: a deposit of ${assetOf(ctx, deposit.token)} can only be returned.`,
      );
    if (!takesDeposits(order, ctx.clock.now()))
      throw conflict(
        `The order is ${order.state}: it takes no deposit now. Return the deposit instead.`,
      );
    await assignDeposit(tx, { depositId, orderId });
    const { reason: _, ...rest } = known;
    await saveOrderDeposit(
      tx,
      { ...rest, orderId, use: 'pays', account: clearingOf(order) },
      ctx.clock.now(),
    );
    await post(ctx, tx, {
      projectId,
      orderId,
      reference: `deposit:${depositId}:assigned`,
      kind: 'deposit-assigned',
      effectiveAt: ctx.clock.now(),
      postings: leg(clearingOf(order), unmatchedAccount, {
        asset: assetOf(ctx, deposit.token),
        amountMinor: deposit.amountMinor,
      }),
      data: { depositId, note },
    });
    const seen = await tellAssigned(ctx, tx, order, { depositId, note });
    await settleSeen(ctx, tx, seen, await selectDepositsOfOrder(tx, orderId));
    const paid = (await lockOrder(tx, { by: 'id', id: orderId }))!;
    await input.record?.(tx, {
      subject: `deposit:${depositId}`,
      changed: {
        use: ['held', 'pays'],
        orderId,
        orderState: [order.state, paid.state],
        ...amountOf(ctx, deposit),
      },
    });
    return paid;
  });
}

function tellAssigned(
  ctx: Ctx,
  tx: Tx,
  order: OrderRecord,
  { depositId, note }: { depositId: string; note: string },
): Promise<OrderRecord> {
  const assignedDepositIds = [...(order.facts.assignedDepositIds ?? []), depositId];
  const change = {
    facts: { depositId, assignedDepositIds },
    note: `deposit ${depositId} assigned by the operator: ${note}`,
  };
  if (isExpired(order)) return changeOrder(ctx, tx, order, { event: 'deposit-late', ...change });
  if (awaitsDeposit(order))
    return changeOrder(ctx, tx, order, { event: 'deposit-seen', ...change });
  return noteOrder(ctx, tx, order, { event: 'deposit-assigned', ...change });
}

/**
 * Sends a deposit that waits for the operator back to whoever made it. Again: a refund that could
 * not be sent is tried again.
 * @returns the refund's id
 * @throws validation-error, chain-not-supported, conflict when the deposit does not wait
 */
export async function returnHeldDeposit(ctx: Ctx, input: DepositInput): Promise<string> {
  const { depositId, note } = input;
  return ctx.store.transaction(async (tx) => {
    const again = await returnAgain(ctx, tx, input);
    if (again !== undefined) {
      await input.record?.(tx, {
        subject: `deposit:${depositId}`,
        changed: { refundId: again, again: true },
      });
      return again;
    }
    const { deposit, known } = await requireHeld(ctx, tx, input);
    await resolveDeposit(ctx, tx, { depositId, resolution: 'returned', note });
    const { reason: _, ...rest } = known;
    await saveOrderDeposit(tx, { ...rest, use: 'extra' }, ctx.clock.now());
    const { amountMinor } = deposit;
    const refund = await createRefund(ctx, tx, {
      deposit,
      reason: 'returned-by-operator',
      amountMinor,
      from: unmatchedAccount,
    });
    const order =
      known.orderId === undefined
        ? undefined
        : await lockOrder(tx, { by: 'id', id: known.orderId });
    if (order)
      await noteOrder(ctx, tx, order, {
        event: 'deposit-returned',
        note: `deposit ${depositId} returned by the operator: ${note}`,
      });
    await input.record?.(tx, {
      subject: `deposit:${depositId}`,
      changed: { use: ['held', 'returned'], refundId: refund!.id, ...amountOf(ctx, deposit) },
    });
    return refund!.id;
  });
}

/** Of a deposit that goes back already: the refund that failed is sent again. @throws conflict */
async function returnAgain(
  ctx: Ctx,
  tx: Tx,
  { projectId, depositId }: DepositInput,
): Promise<string | undefined> {
  const refunds = (await selectRefundsOfDeposit(tx, depositId)).filter(
    (refund) => refund.projectId === projectId,
  );
  const failed = refunds.find(({ status }) => status === 'failed');
  if (!failed) return refunds.find(({ reason }) => reason === 'returned-by-operator')?.id;
  requireServed(ctx, (await lockDeposit(tx, depositId))!);
  const order =
    failed.orderId === undefined
      ? undefined
      : await lockOrder(tx, { by: 'id', id: failed.orderId });
  if (order?.state === 'closed')
    throw conflict(`Order ${order.id} was settled by hand: what it owed is not sent back as well.`);
  return (await resendRefund(ctx, tx, failed.id))!.id;
}

/**
 * A deposit that waits for the operator is the operator's own: what a treasury was filled with.
 * @throws validation-error, chain-not-supported, conflict when the deposit does not wait
 */
export async function keepHeldDeposit(ctx: Ctx, input: DepositInput): Promise<void> {
  const { depositId, projectId, note } = input;
  await ctx.store.transaction(async (tx) => {
    const { deposit, known } = await requireHeld(ctx, tx, input);
    await resolveDeposit(ctx, tx, { depositId, resolution: operatorFunds, note });
    const { reason: _, orderId: __, ...rest } = known;
    await saveOrderDeposit(
      tx,
      { ...rest, use: 'extra', account: operatorAccount },
      ctx.clock.now(),
    );
    await post(ctx, tx, {
      projectId,
      reference: `deposit:${depositId}:kept`,
      kind: 'operator-funds',
      effectiveAt: ctx.clock.now(),
      postings: leg(operatorAccount, unmatchedAccount, {
        asset: assetOf(ctx, deposit.token),
        amountMinor: deposit.amountMinor,
      }),
      data: { depositId, note },
    });
    await input.record?.(tx, {
      subject: `deposit:${depositId}`,
      changed: { use: ['held', 'kept'], ...amountOf(ctx, deposit) },
    });
  });
}

const amountOf = (ctx: Ctx, { token, amountMinor }: DepositRecord) => ({
  asset: assetOf(ctx, token),
  amountMinor: amountMinor.toString(),
});

/** Nothing of it could be sent or looked at. @throws chain-not-supported that says what to set */
function requireServed({ chains, config }: Ctx, { chain }: DepositRecord): void {
  const isKnown = chains.families.some(({ networks }) =>
    networks.some(({ name }) => name === chain),
  );
  const setting = factsOfChain(chain).code?.missingSetting(config, chain);
  if (isKnown && setting === undefined) return;
  throw new ServiceError('chain-not-supported', {
    message: `The deposit came on ${chain}, which is not served here any more: set ${setting ?? 'its node'} again, restart the service, and decide then.`,
  });
}

async function requireHeld(
  ctx: Ctx,
  tx: Tx,
  input: DepositInput,
): Promise<{ readonly deposit: DepositRecord; readonly known: OrderDeposit }> {
  if (input.note.trim() === '')
    throw new ServiceError('validation-error', {
      message: 'Say why: --note "…" is kept with the deposit.',
    });
  const deposit = await lockDeposit(tx, input.depositId);
  if (!deposit || deposit.projectId !== input.projectId)
    throw new ServiceError('validation-error', {
      message: `There is no deposit ${input.depositId}.`,
    });
  requireServed(ctx, deposit);
  const known = await selectOrderDeposit(tx, deposit.id);
  if (known?.use !== 'held' || deposit.resolution !== undefined || deposit.orderId !== undefined)
    throw conflict(
      'The deposit does not wait for the operator: it has an order or an end already.',
    );
  if (!known.counts) throw conflict('The deposit is not final (any more): wait until it is.');
  return { deposit, known };
}
