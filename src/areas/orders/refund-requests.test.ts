import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Stack } from '../../../test/harness/stack.ts';
import { eventually } from '../../jobs/test-kit.ts';
import { sandboxCards } from '../../providers/card/index.ts';
import {
  aBuyer,
  accountBalance,
  clearingBalances,
  createOnramp,
  orderRecord,
  payByCard,
  readOrder,
  startOnrampStack,
  untilState,
} from './onramp-kit.ts';
import { resolveByClosing, resolveByContinuing, resolveByRefund } from './operator.ts';
import { decideRefundRequest, type RefundDecision } from './refund-requests.ts';
import { selectMoves } from './store.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await startOnrampStack();
}, 120_000);
afterAll(() => stack?.close());

const note = 'agreed with the payer';
const path = (id: string) => `/unstable/orders/${id}/refunds`;
const ask = (id: string) => stack.call('POST', path(id), { body: { lineItem: 0, reason: 'not what I wanted' } });
const decide = (id: string, decision: RefundDecision) =>
  decideRefundRequest(stack.ctx, { projectId: stack.api.projectId, orderId: id, decision, note });
const statusOf = async (id: string) => (await stack.call('GET', path(id))).body[0].status as string;
const toldOf = async (id: string) => {
  const { rows } = await stack.ctx.store.query<{ type: string }>({
    text: 'select type from outbox where object = $1 order by created_at, id',
    values: [`order:${id}`],
  });
  return rows.map(({ type }) => type);
};

async function aDelivered(card: string = sandboxCards.approved.number) {
  const { address } = await aBuyer(stack);
  const { id } = await createOnramp(stack, { address });
  await payByCard(stack, id, card);
  await untilState(stack, id, 'delivered');
  return id;
}

const paymentOf = async (id: string) => {
  const { cardReference } = await orderRecord(stack, id);
  return (await stack.ctx.providers.card!.findPayment(cardReference!.split('/')[1]!))!;
};

describe('a refund request of a delivered item that was paid by card', () => {
  test('once accepted gives all back to the card; the item stays delivered, the books are even, and it is told', async () => {
    const id = await aDelivered();
    const before = await readOrder(stack, id);
    const receivable = await accountBalance(stack, 'card:sandbox:receivable', 'usd');
    const granted = await accountBalance(stack, 'equity:granted-refunds', 'usd');
    expect((await ask(id)).status).toBe(201);
    expect((await decide(id, 'accepted')).status).toBe('accepted');
    const refunded = await untilState(stack, id, 'refunded');
    expect(refunded).toMatchObject({
      phase: 'completed',
      payment: { status: 'refunded', refunded: { amount: '20', currency: 'usd' }, totalPaid: { amount: '20' } },
    });
    expect(refunded.lineItems[0].delivery).toEqual(before.lineItems[0].delivery);
    expect(await statusOf(id)).toBe('refund-request-completed');
    expect((await paymentOf(id)).refundedMinor).toBe(2_000n);
    expect(await clearingBalances(stack, id)).toEqual({});
    expect(await accountBalance(stack, 'card:sandbox:receivable', 'usd')).toBe(receivable - 2_000n);
    expect(await accountBalance(stack, 'equity:granted-refunds', 'usd')).toBe(granted + 2_000n);
    expect((await toldOf(id)).at(-1)).toBe('orders.payment.refunded');
    expect(await toldOf(id)).not.toContain('orders.delivery.failed');
    const filtered = await stack.call('GET', `/2022-06-09/orders?paymentStatus=refunded&deliveryStatus=delivered&orderId=${id}`);
    expect(filtered.body.data).toHaveLength(1);
  });

  test('is accepted once, and cannot be asked for again', async () => {
    const id = await aDelivered();
    await ask(id);
    const decisions = await Promise.allSettled([decide(id, 'accepted'), decide(id, 'accepted')]);
    expect(decisions.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    await untilState(stack, id, 'refunded');
    expect((await paymentOf(id)).refundedMinor).toBe(2_000n);
    expect([(await ask(id)).status, (await ask(id)).body.code]).toEqual([409, 'refund-not-allowed']);
  });

  test('that the acquirer refuses waits for the operator, who tries again or pays by hand, and never delivers again', async () => {
    const id = await aDelivered(sandboxCards.refundRefused.number);
    await ask(id);
    await decide(id, 'accepted');
    await untilState(stack, id, 'needs_operator');
    const input = { projectId: stack.api.projectId, orderId: id, note };
    await expect(resolveByContinuing(stack.ctx, input)).rejects.toMatchObject({ code: 'conflict' });
    await expect(decide(id, 'completed')).rejects.toMatchObject({ code: 'refund-not-allowed' });
    await resolveByRefund(stack.ctx, input);
    await eventually('it was tried twice', async () => {
      const events = (await selectMoves(stack.ctx.store, id)).map(({ event }) => event);
      return events.filter((event) => event === 'attention-needed').length === 2;
    });
    await resolveByClosing(stack.ctx, input);
    await decide(id, 'completed');
    expect(await statusOf(id)).toBe('refund-request-completed');
    expect(await clearingBalances(stack, id)).toEqual({});
    expect(await readOrder(stack, id)).toMatchObject({ phase: 'completed', lineItems: [{ delivery: { status: 'completed' } }] });
  });

  test('is paid back although the flow of the order ended long ago', async () => {
    const id = await aDelivered();
    await ask(id);
    await stack.ctx.store.query({
      text: `update flows set status = 'done', finished_at = updated_at where kind = 'order-onramp' and key = $1`,
      values: [id],
    });
    await decide(id, 'accepted');
    await untilState(stack, id, 'refunded');
    expect(await statusOf(id)).toBe('refund-request-completed');
  });

  test('while a dispute takes the money back is not accepted', async () => {
    const id = await aDelivered(sandboxCards.chargeback.number);
    await ask(id);
    await stack.advance(11 * 24 * 60 * 60_000);
    await eventually('the dispute is known', async () => (await orderRecord(stack, id)).attention !== undefined);
    await expect(decide(id, 'accepted')).rejects.toMatchObject({ code: 'refund-not-allowed' });
    expect((await orderRecord(stack, id)).state).toBe('delivered');
    expect(await statusOf(id)).toBe('refund-request-initiated');
  });
});
