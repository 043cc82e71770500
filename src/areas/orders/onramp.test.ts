import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Stack } from '../../../test/harness/stack.ts';
import { sandboxCards } from '../../providers/card/index.ts';
import {
  aBuyer,
  accountBalance,
  clearingBalances,
  createOnramp,
  payByCard,
  readOrder,
  startOnrampStack,
  untilState,
} from './onramp-kit.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await startOnrampStack();
}, 120_000);
afterAll(() => stack?.close());

describe('an onramp order', () => {
  test('that is complete waits for the payment with the acquirer’s page, is paid, delivered, and its books are even', async () => {
    const { address } = await aBuyer(stack);
    const receivable = await accountBalance(stack, 'card:sandbox:receivable', 'usd');
    const { id, order } = await createOnramp(stack, { address });
    expect(order).toMatchObject({
      phase: 'payment',
      quote: { status: 'valid' },
      payment: { status: 'awaiting-payment', preparation: { card: { provider: 'sandbox', publicKey: expect.any(String) } } },
    });
    expect(order.lineItems[0].delivery.status).toBe('awaiting-payment');
    await payByCard(stack, id, sandboxCards.approved.number);
    const delivered = await untilState(stack, id, 'delivered');
    expect(delivered).toMatchObject({
      phase: 'completed',
      payment: { status: 'completed', totalPaid: { amount: '20', currency: 'usd' } },
      lineItems: [{ delivery: { status: 'completed', txId: expect.stringMatching(/^0x[0-9a-f]{64}$/), completedAt: expect.any(String) } }],
    });
    expect(await clearingBalances(stack, id)).toEqual({});
    expect(await accountBalance(stack, 'card:sandbox:receivable', 'usd')).toBe(receivable + 2_000n);
    const balances = await stack.call('GET', `/2025-06-09/wallets/${address}/balances?tokens=usdc&chains=base-sepolia`);
    expect(balances.text).toContain(delivered.lineItems[0].executionParams.effectiveAmount);
  });

  test('whose card is declined says why and waits for another try', async () => {
    const { address } = await aBuyer(stack);
    const { id } = await createOnramp(stack, { address });
    await payByCard(stack, id, sandboxCards.insufficientFunds.number);
    const { eventually } = await import('../../jobs/test-kit.ts');
    const declined = await eventually('the decline is shown', async () => {
      const order = await readOrder(stack, id);
      return order.payment.failureReason && order;
    });
    expect(declined.payment).toMatchObject({
      status: 'awaiting-payment',
      failureReason: { code: 'payment-declined', message: expect.any(String) },
    });
    await payByCard(stack, id, sandboxCards.approved.number);
    const delivered = await untilState(stack, id, 'delivered');
    expect(delivered.payment.failureReason).toBeUndefined();
  });
});
