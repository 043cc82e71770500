import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Stack } from '../../../../../test/harness/stack.ts';
import { eventually } from '../../../../jobs/test-kit.ts';
import { sandboxCards } from '../../../../providers/card/index.ts';
import { aPerson } from '../../../users/test-kit.ts';
import { writeOwnSettings } from '../../pricing/index.ts';
import { sweepOrders } from '../../state/sweep.ts';
import {
  aBuyer,
  clearingBalances,
  createOnramp,
  orderRecord,
  payByCard,
  readOrder,
  startOnrampStack,
  startVerification,
  untilState,
} from '../../testing/onramp-kit.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await startOnrampStack();
}, 120_000);
afterAll(() => stack?.close());

const path = (locator: string, below = '') =>
  `/2025-06-09/users/${encodeURIComponent(locator)}${below}`;

/** A buyer whose check goes as the first name says. */
async function aSteeredBuyer(firstName: string) {
  const buyer = await aBuyer(stack, { verified: false });
  const { userDetails } = aPerson({ firstName });
  await stack.call('PUT', path(buyer.locator), { body: { userDetails } });
  return buyer;
}

test('a buyer who is not verified has requires-kyc with the inquiry, enters what is missing there, and may pay', {
  tags: 'slow',
}, async () => {
  const { address } = await aSteeredBuyer('Page');
  const { id, order } = await createOnramp(stack, { address });
  expect(order).toMatchObject({
    phase: 'payment',
    payment: {
      status: 'requires-kyc',
      preparation: {
        kyc: {
          provider: 'sandbox',
          inquiryId: expect.any(String),
          sessionToken: expect.any(String),
          environmentId: 'env_sandbox',
        },
      },
    },
  });
  const { inquiryId, sessionToken } = order.payment.preparation.kyc;
  const { sandbox } = stack.ctx.providers.kyc!;
  expect(await sandbox!.redeemSession(inquiryId, sessionToken)).toEqual(expect.any(String));
  await sandbox!.submitPage(inquiryId, { firstName: 'Alice', lastName: 'Miller', given: [] });
  await stack.advance(60_000);
  const ready = await untilState(stack, id, 'awaiting_payment');
  expect(ready.payment.preparation).toMatchObject({ card: { provider: 'sandbox' } });
  expect(ready.payment.preparation.kyc).toBeUndefined();
  await payByCard(stack, id, sandboxCards.approved.number);
  await untilState(stack, id, 'delivered');
});

test('a check that outlives the quote shows it as expired, and goes on; passed, the order has a new price', async () => {
  const { address } = await aSteeredBuyer('Page');
  const { id, order } = await createOnramp(stack, { address });
  expect(order.quote.status).toBe('valid');
  await stack.advance(10 * 60_000);
  const waiting = await eventually('the quote has ended', async () => {
    const now = await readOrder(stack, id);
    return now.quote.status === 'expired' && now;
  });
  expect(waiting).toMatchObject({
    phase: 'payment',
    payment: { status: 'requires-kyc', preparation: order.payment.preparation },
    lineItems: [{ quote: { status: 'expired' } }],
  });
  const found = await stack.call(
    'GET',
    `/2022-06-09/orders?paymentStatus=in-progress&orderId=${id}`,
  );
  expect(found.body.data).toEqual([waiting]);
  const { sandbox } = stack.ctx.providers.kyc!;
  await sandbox!.submitPage(order.payment.preparation.kyc.inquiryId, {
    firstName: 'Alice',
    lastName: 'Miller',
    given: [],
  });
  await stack.advance(10 * 60_000);
  const ready = await untilState(stack, id, 'awaiting_payment');
  expect(ready).toMatchObject({
    quote: { status: 'valid' },
    lineItems: [{ quote: { status: 'valid' } }],
  });
  expect(Date.parse(ready.quote.expiresAt)).toBeGreaterThan(Date.parse(order.quote.expiresAt));
});

test('a way in that nobody has followed for half an hour is replaced, and leads to the same inquiry', async () => {
  const { address } = await aSteeredBuyer('Page');
  const { id, order } = await createOnramp(stack, { address });
  const first = order.payment.preparation.kyc;
  await stack.advance(45 * 60_000);
  const { payment } = await eventually('a new way in', async () => {
    const now = await readOrder(stack, id);
    return now.payment.preparation.kyc.sessionToken !== first.sessionToken && now;
  });
  expect(payment.preparation.kyc.inquiryId).toBe(first.inquiryId);
  const { sandbox } = stack.ctx.providers.kyc!;
  expect(
    await sandbox!.redeemSession(first.inquiryId, payment.preparation.kyc.sessionToken),
  ).toEqual(expect.any(String));
});

test('a review under way is pending-kyc-review; when it outlives the quote the price is made anew', async () => {
  const { address, locator } = await aSteeredBuyer('Slow');
  await startVerification(stack, locator, 'Slow');
  const { id, order } = await createOnramp(stack, { address });
  const pending = await untilState(stack, id, 'kyc_review');
  expect(pending.payment.status).toBe('pending-kyc-review');
  await stack.advance(20 * 60_000);
  const ready = await untilState(stack, id, 'awaiting_payment');
  expect(ready.quote.status).toBe('valid');
  expect(new Date(ready.quote.expiresAt).getTime()).toBeGreaterThan(
    new Date(order.quote.expiresAt).getTime(),
  );
  const { rows } = await stack.ctx.store.query<{ type: string }>({
    text: `select type from outbox where object = $1 and type = 'orders.quote.updated'`,
    values: [`order:${id}`],
  });
  expect(rows).toHaveLength(1);
});

test('a new price after a review counts against the limits of its day; above one the order expires, and may be asked for again', async () => {
  const { address, locator } = await aSteeredBuyer('Slow');
  await startVerification(stack, locator, 'Slow');
  const { id } = await createOnramp(stack, { address });
  await untilState(stack, id, 'kyc_review');
  const { projectId } = stack.api;
  const usedBy = async () => {
    const { body } = await stack.call(
      'GET',
      `/unstable/orders/limits?userLocator=${encodeURIComponent(locator)}&kind=onramp`,
    );
    return Number(body.data.find((limit: any) => limit.period === 'daily').used);
  };
  expect(await usedBy()).toBe(20);
  await writeOwnSettings(stack.ctx, {
    projectId,
    settings: { limits: [{ kind: 'onramp', subject: 'user', dailyUsd: '15' }] },
  });
  await stack.advance(20 * 60_000);
  const expired = await untilState(stack, id, 'quote_expired');
  expect(expired).toMatchObject({
    quote: { status: 'expired' },
    payment: { failureReason: { message: expect.stringContaining('limit') } },
  });
  const again = () =>
    stack.call('PATCH', `/2022-06-09/orders/${id}`, {
      body: { recipient: { walletAddress: address } },
    });
  expect([(await again()).status, (await again()).body.code]).toEqual([
    400,
    'daily_transaction_exceeded',
  ]);
  await writeOwnSettings(stack.ctx, { projectId, settings: {} });
  expect(await usedBy()).toBe(0);
  const { body } = await again();
  expect(body).toMatchObject({
    quote: { status: 'valid' },
    payment: { status: 'awaiting-payment' },
  });
  expect(body.payment.failureReason).toBeUndefined();
  expect(await usedBy()).toBe(20);
});

test.each([
  ['at once', async () => undefined],
  [
    'when the sweep has been there, and the old payment is still open',
    () => sweepOrders(stack.ctx),
  ],
])(
  'an expired card order is paid after a PATCH under a new payment, %s; the old one stays closed',
  async (_, before) => {
    const { address } = await aBuyer(stack);
    const { id } = await createOnramp(stack, { address });
    const first = (await orderRecord(stack, id)).cardReference;
    // Nobody is told: whoever asks for a new price may be faster than whatever ends the old one.
    stack.advanceClock(25 * 60_000);
    await before();
    const payment = { method: 'card', receiptEmail: 'buyer@example.com' };
    const { status, body } = await stack.call('PATCH', `/2022-06-09/orders/${id}`, {
      body: { payment },
    });
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { payment: { status: 'awaiting-payment' }, quote: { status: 'valid' } },
    });
    expect((await orderRecord(stack, id)).cardReference).not.toBe(first);
    await payByCard(stack, id, sandboxCards.approved.number);
    await untilState(stack, id, 'delivered');
    expect(await clearingBalances(stack, id)).toEqual({});
    expect((await stack.ctx.providers.card!.findPayment(first!.split('/')[1]!))!.status).toBe(
      'canceled',
    );
  },
);

test('people of the company who look at it are manual-kyc; passed by them, the order may be paid', async () => {
  const { address, locator } = await aSteeredBuyer('Review');
  await startVerification(stack, locator, 'Review');
  const { id } = await createOnramp(stack, { address });
  expect((await untilState(stack, id, 'kyc_manual')).payment.status).toBe('manual-kyc');
  const { kyc } = (await orderRecord(stack, id)).facts;
  await stack.ctx.providers.kyc!.sandbox!.decide(
    (kyc as { inquiryId: string }).inquiryId,
    'passed',
  );
  await stack.advance(20 * 60_000);
  await untilState(stack, id, 'awaiting_payment');
});

test('a buyer who is refused ends the order as failed-kyc', async () => {
  const { address, locator } = await aSteeredBuyer('Refuse');
  await startVerification(stack, locator, 'Refuse');
  const { id } = await createOnramp(stack, { address });
  const failed = await untilState(stack, id, 'kyc_failed');
  expect(failed).toMatchObject({
    phase: 'completed',
    payment: {
      status: 'failed-kyc',
      failureReason: { code: 'kyc-rejected', category: 'verification_error' },
    },
  });
  const { rows } = await stack.ctx.store.query<{ type: string }>({
    text: `select type from outbox where object = $1 and type like 'orders.payment.%'`,
    values: [`order:${id}`],
  });
  expect(rows).toEqual([{ type: 'orders.payment.failed' }]);
  expect(await clearingBalances(stack, id)).toEqual({});
});

test('more than the light check covers within twelve months needs the full one', async () => {
  const { address } = await aBuyer(stack);
  const first = await createOnramp(stack, { address, amount: '900' });
  expect(first.order.payment.status).toBe('awaiting-payment');
  const second = await createOnramp(stack, { address, amount: '200' });
  expect(second.order.payment.status).toBe('requires-kyc');
  expect((await orderRecord(stack, second.id)).facts.kyc).toMatchObject({ type: 'onramp' });
});
