import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Stack } from '../../../../../test/harness/stack.ts';
import { eventually } from '../../../../jobs/test-kit.ts';
import { sandboxCards } from '../../../../providers/card/index.ts';
import { resolveByClosing, resolveByContinuing, resolveByRefund } from '../../operator/operator.ts';
import { refundRequestsCommand } from '../../operator/refund-requests-command.ts';
import {
  aBuyer,
  accountBalance,
  cardPaymentOf,
  clearingBalances,
  createOnramp,
  orderEvents,
  orderRecord,
  payByCard,
  readOrder,
  startOnrampStack,
  untilState,
} from '../../testing/onramp-kit.ts';
import { decideRefundRequest, type RefundDecision } from './requests.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await startOnrampStack();
}, 120_000);
afterAll(() => stack?.close());

const note = 'agreed with the payer';
const path = (id: string) => `/unstable/orders/${id}/refunds`;
const ask = (id: string) =>
  stack.call('POST', path(id), { body: { lineItem: 0, reason: 'not what I wanted' } });
const decide = (id: string, decision: RefundDecision) =>
  decideRefundRequest(stack.ctx, { projectId: stack.api.projectId, orderId: id, decision, note });
/** The line of `purser orders refunds` about the order. */
const listed = async (id: string) => {
  const lines: string[] = [];
  await refundRequestsCommand(stack.ctx, {
    argv: [],
    print: (text) => lines.push(text),
    projectOf: async () => stack.api.projectId,
  });
  return lines
    .join('\n')
    .split('\n')
    .find((line) => line.includes(id));
};
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

const paymentOf = (id: string) => cardPaymentOf(stack, id);

describe('a refund request of a delivered item that was paid by card', () => {
  test('once accepted gives all back to the card; the item stays delivered, the books are even, and it is told', {
    tags: 'slow',
  }, async () => {
    const id = await aDelivered();
    const before = await readOrder(stack, id);
    const receivable = await accountBalance(stack, 'card:sandbox:receivable', 'usd');
    const granted = await accountBalance(stack, 'equity:granted-refunds', 'usd');
    expect((await ask(id)).status).toBe(201);
    expect((await decide(id, 'accepted')).status).toBe('accepted');
    const refunded = await untilState(stack, id, 'refunded');
    expect(refunded).toMatchObject({
      phase: 'completed',
      payment: {
        status: 'refunded',
        refunded: { amount: '20', currency: 'usd' },
        totalPaid: { amount: '20' },
      },
    });
    expect(refunded.lineItems[0].delivery).toEqual(before.lineItems[0].delivery);
    expect(await statusOf(id)).toBe('refund-request-completed');
    expect((await paymentOf(id)).refundedMinor).toBe(2_000n);
    expect(await clearingBalances(stack, id)).toEqual({});
    expect(await accountBalance(stack, 'card:sandbox:receivable', 'usd')).toBe(receivable - 2_000n);
    expect(await accountBalance(stack, 'equity:granted-refunds', 'usd')).toBe(granted + 2_000n);
    expect((await toldOf(id)).at(-1)).toBe('orders.payment.refunded');
    expect(await toldOf(id)).not.toContain('orders.delivery.failed');
    const filtered = await stack.call(
      'GET',
      `/2022-06-09/orders?paymentStatus=refunded&deliveryStatus=delivered&orderId=${id}`,
    );
    expect(filtered.body.data).toHaveLength(1);
  });

  test('is accepted once, and cannot be asked for again', async () => {
    const id = await aDelivered();
    await ask(id);
    const decisions = await Promise.allSettled([decide(id, 'accepted'), decide(id, 'accepted')]);
    expect(decisions.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    await untilState(stack, id, 'refunded');
    expect((await paymentOf(id)).refundedMinor).toBe(2_000n);
    expect([(await ask(id)).status, (await ask(id)).body.code]).toEqual([
      409,
      'refund-not-allowed',
    ]);
  });

  test('that the acquirer refuses waits for the operator, who tries again or pays by hand, and never delivers again', {
    tags: 'slow',
  }, async () => {
    const id = await aDelivered(sandboxCards.refundRefused.number);
    await ask(id);
    expect(await listed(id)).toMatch(/initiated .*your decision/);
    await decide(id, 'accepted');
    await untilState(stack, id, 'needs_operator');
    expect(await listed(id)).toMatch(/accepted .*its way back, by itself/);
    const input = { projectId: stack.api.projectId, orderId: id, note };
    await expect(resolveByContinuing(stack.ctx, input)).rejects.toMatchObject({ code: 'conflict' });
    await expect(decide(id, 'completed')).rejects.toMatchObject({ code: 'refund-not-allowed' });
    await resolveByRefund(stack.ctx, input);
    await eventually('it was tried twice', async () => {
      const events = await orderEvents(stack, id);
      return events.filter((event) => event === 'attention-needed').length === 2;
    });
    await resolveByClosing(stack.ctx, input);
    expect(await listed(id)).toMatch(/accepted .*you to send it/);
    await decide(id, 'completed');
    expect(await listed(id)).toBeUndefined();
    expect(await statusOf(id)).toBe('refund-request-completed');
    expect(await clearingBalances(stack, id)).toEqual({});
    expect(await readOrder(stack, id)).toMatchObject({
      phase: 'completed',
      lineItems: [{ delivery: { status: 'completed' } }],
    });
  });

  test('is paid back although the flow of the order ended long ago', { tags: 'slow' }, async () => {
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

  test('while a dispute takes the money back is not accepted', { tags: 'slow' }, async () => {
    const id = await aDelivered(sandboxCards.chargeback.number);
    await ask(id);
    await stack.advance(11 * 24 * 60 * 60_000);
    await eventually(
      'the dispute is known',
      async () => (await orderRecord(stack, id)).attention !== undefined,
    );
    await expect(decide(id, 'accepted')).rejects.toMatchObject({ code: 'refund-not-allowed' });
    expect((await orderRecord(stack, id)).state).toBe('delivered');
    expect(await statusOf(id)).toBe('refund-request-initiated');
  });
});

describe('what the operator is answered about a refund request', () => {
  const disputeDays = 11 * 24 * 60 * 60_000;
  const asked = async (card?: string) => {
    const id = await aDelivered(card);
    expect((await ask(id)).status).toBe(201);
    return id;
  };
  const refunded = async () => {
    const id = await asked();
    await decide(id, 'accepted');
    await untilState(stack, id, 'refunded');
    return id;
  };
  const rejected = async () => {
    const id = await asked();
    await decide(id, 'rejected');
    return id;
  };
  const underWay = async () => {
    const id = await asked(sandboxCards.refundPending.number);
    await decide(id, 'accepted');
    return id;
  };
  const disputed = async (end?: 'won' | 'lost') => {
    const id = await asked(sandboxCards.chargeback.number);
    await stack.advance(disputeDays);
    await eventually(
      'the dispute is known',
      async () => (await orderRecord(stack, id)).attention !== undefined,
    );
    if (end === undefined) return id;
    const { reference } = await paymentOf(id);
    expect(
      await stack.ctx.providers.card!.sandbox!.decideDispute({ reference, decision: end }),
    ).toBe(true);
    await eventually('it has ended', async () => {
      const { rows } = await stack.ctx.store.query<{ status: string }>({
        text: 'select status from order_disputes where order_id = $1',
        values: [id],
      });
      return rows[0]?.status === end;
    });
    return id;
  };

  type Row = [
    situation: string,
    arrange: () => Promise<string>,
    answers: Partial<Record<RefundDecision, RegExp>>,
  ];
  const rows: Row[] = [
    [
      'that nobody has made',
      () => aDelivered(),
      { accepted: /Nobody has asked/, rejected: /Nobody has asked/, completed: /Nobody has asked/ },
    ],
    ['that waits', () => asked(), { completed: /was not accepted yet: accept it first/ }],
    [
      'whose money is on its way',
      underWay,
      {
        accepted: /is accepted already/,
        rejected: /is accepted already/,
        completed: /refunding: what was accepted goes back by itself/,
      },
    ],
    [
      'whose money is back',
      refunded,
      { accepted: /has gone back/, rejected: /has gone back/, completed: /has gone back/ },
    ],
    [
      'that was rejected',
      rejected,
      { accepted: /asked for again/, rejected: /asked for again/, completed: /asked for again/ },
    ],
    [
      'while the payer’s bank disputes the payment',
      () => disputed(),
      { accepted: /\(a dispute\).*twice/ },
    ],
    [
      'after the payer’s bank has won its dispute',
      () => disputed('lost'),
      { accepted: /\(a dispute\).*twice/ },
    ],
  ];
  test.each(rows)('%s', async (_, arrange, answers) => {
    const id = await arrange();
    const before = await orderRecord(stack, id);
    for (const [decision, message] of Object.entries(answers))
      await expect(decide(id, decision as RefundDecision), decision).rejects.toMatchObject({
        code: 'refund-not-allowed',
        message: expect.stringMatching(message),
      });
    // Nothing has moved by what was refused.
    expect((await orderRecord(stack, id)).facts.refundGrants).toEqual(before.facts.refundGrants);
  });

  test('of many who accept at once one has, and the others are told so', {
    tags: 'slow',
  }, async () => {
    const id = await asked();
    const answers = await Promise.allSettled(
      Array.from({ length: 5 }, () => decide(id, 'accepted')),
    );
    const refusals = answers.flatMap((answer) =>
      answer.status === 'rejected' ? [(answer.reason as Error).message] : [],
    );
    expect(refusals).toEqual(
      Array.from({ length: 4 }, () => expect.stringMatching(/is accepted already|has gone back/)),
    );
    await untilState(stack, id, 'refunded');
    expect((await paymentOf(id)).refundedMinor).toBe(2_000n);
  });

  test('of accepting and rejecting at once one holds', { tags: 'slow' }, async () => {
    const id = await asked();
    const answers = await Promise.allSettled([decide(id, 'accepted'), decide(id, 'rejected')]);
    const [held] = answers.flatMap((answer) =>
      answer.status === 'fulfilled' ? [answer.value.status] : [],
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    if (held === 'accepted') await untilState(stack, id, 'refunded');
    expect((await paymentOf(id)).refundedMinor).toBe(held === 'accepted' ? 2_000n : 0n);
    expect(await statusOf(id)).toBe(
      held === 'accepted' ? 'refund-request-completed' : 'refund-request-rejected',
    );
  });

  test('a dispute that the project has won stands in no way', { tags: 'slow' }, async () => {
    const id = await disputed('won');
    // Once the acquirer has been asked again what it takes back.
    await eventually('it is accepted', () => decide(id, 'accepted').catch(() => undefined));
    await untilState(stack, id, 'refunded');
  });

  test('nor does one that was seen before it was told, once the acquirer has told that it was won', {
    tags: 'slow',
  }, async () => {
    const id = await asked(sandboxCards.chargeback.number);
    const { card } = stack.ctx.providers;
    const providers = stack.ctx.providers as { card?: typeof card };
    providers.card = { ...card!, readCallback: () => undefined };
    await stack.advance(disputeDays);
    await eventually('there is a dispute', async () => (await paymentOf(id)).disputedMinor > 0n);
    // By then the order looks by itself.
    await stack.advance(2 * disputeDays);
    await eventually(
      'it is seen',
      async () => (await orderRecord(stack, id)).facts.disputeGap !== undefined,
    ).finally(() => {
      providers.card = card!;
    });
    await expect(decide(id, 'accepted')).rejects.toMatchObject({ code: 'refund-not-allowed' });
    await stack.ctx.providers.card!.sandbox!.decideDispute({
      reference: (await paymentOf(id)).reference,
      decision: 'won',
    });
    await eventually('it is accepted', async () => {
      await stack.advance(10 * 60_000);
      return decide(id, 'accepted').catch(() => undefined);
    });
    await untilState(stack, id, 'refunded');
  });

  test('a request is rejected while a dispute goes on, and asked for again', {
    tags: 'slow',
  }, async () => {
    const id = await disputed();
    expect((await decide(id, 'rejected')).status).toBe('rejected');
    expect((await ask(id)).status).toBe(201);
  });
});
