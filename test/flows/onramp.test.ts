import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  aBuyer,
  clearingBalances,
  createOnramp,
  onrampChain,
  payByCard,
  readOrder,
  startOnrampStack,
  untilState,
} from '../../src/areas/orders/testing/onramp-kit.ts';
import { sandboxCards } from '../../src/providers/card/index.ts';
import { startBrowser } from '../harness/browser.ts';
import type { Stack } from '../harness/stack.ts';

let stack: Stack;
let browser: Browser;
beforeAll(async () => {
  [stack, browser] = await Promise.all([startOnrampStack(), startBrowser()]);
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await stack?.close();
});

test('a buyer pays on the hosted page in a browser, confirms by 3-D Secure, and has the tokens', {
  tags: 'slow',
}, async () => {
  const { address } = await aBuyer(stack);
  const { id, clientSecret, order } = await createOnramp(stack, { address, amount: '25' });
  const { url } = order.payment.preparation.card;
  // The page's address is the one of the service's configuration; the test serves it at another
  // port.
  const page = await browser.newPage();
  const { pathname, search } = new URL(url);
  await page.goto(new URL(pathname + search, stack.api.baseUrl).href);
  await page.getByLabel('Card number').fill(sandboxCards.challenge.number);
  await page.getByLabel('Expiry').fill('12/34');
  await page.getByLabel('Security code').fill('123');
  await page.getByRole('button', { name: 'Pay' }).click();
  expect((await readOrder(stack, id)).payment.status).toBe('awaiting-payment');
  await page.getByRole('button', { name: 'Approve' }).click();
  expect(await page.getByRole('status').getAttribute('data-state')).toBe('authorized');
  const delivered = await untilState(stack, id, 'delivered');
  expect(delivered.payment).toMatchObject({
    status: 'completed',
    totalPaid: { amount: '25', currency: 'usd' },
  });
  // The payer's own app sees the same with the order's secret.
  const seen = await stack.call('GET', `/2022-06-09/orders/${id}`, {
    key: stack.api.clientKey,
    headers: { authorization: clientSecret },
  });
  expect(seen.body).toEqual(delivered);
  expect(await clearingBalances(stack, id)).toEqual({});
});

test('events tell of the price, the payment and the delivery, each once and in order', async () => {
  const { address } = await aBuyer(stack);
  const { id } = await createOnramp(stack, { address });
  await payByCard(stack, id, sandboxCards.approved.number);
  await untilState(stack, id, 'delivered');
  const { rows } = await stack.ctx.store.query<{ type: string }>({
    text: 'select type from outbox where object = $1 order by written',
    values: [`order:${id}`],
  });
  expect(rows.map(({ type }) => type)).toEqual([
    'orders.quote.created',
    'orders.payment.succeeded',
    'orders.delivery.initiated',
    'orders.delivery.completed',
  ]);
});

test('an mpc wallet of the buyer gets the tokens before its account has any code', {
  tags: 'slow',
}, async () => {
  const { address } = await aBuyer(stack, { walletType: 'mpc' });
  const { id } = await createOnramp(stack, { address, amount: '25' });
  await payByCard(stack, id, sandboxCards.approved.number);
  const { lineItems } = await untilState(stack, id, 'delivered');
  const { status, txId, tokens } = lineItems[0].delivery;
  expect([status, txId]).toEqual(['completed', expect.stringMatching(/^0x[0-9a-f]{64}$/)]);
  const path = `/2025-06-09/wallets/${address}/balances?tokens=usdc&chains=${onrampChain}`;
  const { body } = await stack.call('GET', path, { headers: { 'x-client-name': 'some-sdk' } });
  expect(body.map(({ amount }: { amount: string }) => amount)).toEqual([tokens[0].quantity]);
  expect(await clearingBalances(stack, id)).toEqual({});
});
