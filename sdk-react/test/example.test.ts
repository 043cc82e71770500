/** @module-tag slow */

import { createPurser, type Purser } from '@purser/sdk';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { driveCheckout } from '../../sdk/test/checkout-driver.ts';
import {
  acceptPolicy,
  payByCard,
  startOnrampStack,
  startVerification,
} from '../../src/areas/orders/testing/onramp-kit.ts';
import { fundTreasury } from '../../src/areas/treasury/index.ts';
import { sandboxCards } from '../../src/providers/card/index.ts';
import { addAuthenticator, startBrowser } from '../../test/harness/browser.ts';
import type { Stack } from '../../test/harness/stack.ts';
import { serveExample } from './example-page.ts';

const chain = 'base-sepolia';
const user = 'nina';
const friend = '0x00000000000000000000000000000000000F00D5';

let stack: Stack;
let browser: Browser;
let example: Awaited<ReturnType<typeof serveExample>>;
let page: Page;
let app: Purser;
const problems: string[] = [];
beforeAll(async () => {
  [stack, browser, example] = await Promise.all([
    startOnrampStack({ treasury: '0' }),
    startBrowser(),
    serveExample(async () => ({
      baseUrl: stack.api.baseUrl,
      clientKey: stack.api.clientKey,
      jwt: await stack.api.userJwt(user),
      email: 'nina@example.com',
    })),
  ]);
  await fundTreasury(stack.ctx, {
    projectId: stack.api.projectId,
    chain,
    token: 'usdxm',
    amount: '1000',
  });
  app = createPurser({
    baseUrl: stack.api.baseUrl,
    apiKey: stack.api.clientKey,
    userJwt: () => stack.api.userJwt(user),
  });
  page = await browser.newPage({ viewport: { width: 1_100, height: 900 } });
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      problems.push(message.text());
  });
  await addAuthenticator(page);
  await page.goto(example.origin);
});
afterAll(async () => {
  await browser?.close();
  await example?.close();
  await stack?.close();
});

const cardOf = (name: string): Locator => page.getByRole('region', { name, exact: true });
const textOf = (locator: Locator) => () => locator.textContent();
const expectText = (locator: Locator) => expect.poll(textOf(locator));

describe('the React example, in a browser', () => {
  it('makes a wallet that a passkey of this device owns, and shows its address and balance', async () => {
    await page.getByRole('button', { name: 'Create my wallet with a passkey' }).click();
    const { address } = await expect
      .poll(() => app.getWallet('me:evm').catch(() => undefined))
      .toBeTruthy()
      .then(() => app.getWallet('me:evm'));
    await page.getByRole('button', { name: `Copy the address ${address}` }).waitFor();
    await page.getByRole('button', { name: 'Get 20 test dollars' }).click();
    await expectText(cardOf('Balance').getByRole('listitem')).toContain('20 USDXM');
  });

  it('shows what is to be approved before the passkey signs: no is no, yes sends', async () => {
    await cardOf('Send').getByLabel('To').fill(friend);
    await cardOf('Send').getByLabel('Amount').fill('5');
    await cardOf('Send').getByRole('button', { name: 'Send' }).click();
    const dialog = page.getByRole('dialog', { name: 'Approve this?' });
    await expectText(dialog).toMatch(new RegExp(`Amount5 USDXMTo${friend}Network${chain}`, 'i'));
    await page.keyboard.press('Escape');
    await expectText(cardOf('Send').getByRole('alert')).toContain('nothing was signed');
    expect((await app.listTransactions('me:evm')).transactions.map(({ status }) => status)).toEqual(
      ['awaiting-approval'],
    );

    await cardOf('Send').getByRole('button', { name: 'Send' }).click();
    await dialog.getByRole('button', { name: 'Approve', exact: true }).click();
    await expectText(cardOf('Send').getByRole('status')).toContain('Sent, in transaction 0x');
    await expectText(cardOf('Balance').getByRole('listitem')).toContain('15 USDXM');
  });

  it('lists what waits for the user, and approves it', async () => {
    const waiting = cardOf('Waiting for you');
    await expectText(waiting.getByRole('listitem')).toContain('Amount5');
    await waiting.getByRole('button', { name: 'Approve' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Approve', exact: true }).click();
    await waiting.waitFor({ state: 'detached' });
    await expectText(cardOf('Balance').getByRole('listitem')).toContain('10 USDXM');
  });

  it('says what is wrong in the words of the service', async () => {
    await cardOf('Send').getByLabel('Amount').fill('5000');
    await cardOf('Send').getByRole('button', { name: 'Send' }).click();
    await expectText(cardOf('Send').getByRole('alert')).toContain('The wallet has 10 usdxm');
  });

  it('asks nobody to sign what a service puts in the place of what was asked for', async () => {
    await page.route('**/transfers', async (route) => {
      const response = await route.fetch();
      const text = await response.text();
      const digits = friend.slice(2).toLowerCase();
      await route.fulfill({
        response,
        body: text.replaceAll(digits, digits.replace('f00d5', '0dead')),
      });
    });
    await cardOf('Send').getByLabel('Amount').fill('1');
    await cardOf('Send').getByRole('button', { name: 'Send' }).click();
    await expectText(cardOf('Send').getByRole('alert')).toContain('Nothing was signed');
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.unroute('**/transfers');
  });

  it('sells tokens for a card: the user pays on the page of the acquirer, and they arrive', async () => {
    await acceptPolicy(stack, `userId:${user}`);
    await startVerification(stack, `userId:${user}`);
    const server = createPurser({ baseUrl: stack.api.baseUrl, apiKey: stack.api.serverKey });
    await server.waitForIdentityVerification(`userId:${user}`, 'onramp-light');
    const onramp = cardOf('Buy by card');
    await onramp.getByRole('button', { name: 'Continue' }).click();
    const link = onramp.getByRole('link', { name: /^Pay 20(\.\d+)? USD by card$/ });
    expect(await link.getAttribute('href')).toMatch(/^http/);
    const [order] = (await server.listOrders({ limit: '1' })).data;
    await payByCard(stack, order!.orderId, sandboxCards.approved.number);
    await expectText(onramp.getByRole('status')).toContain('Delivered.');
    const { lineItems } = await server.getOrder(order!.orderId);
    await expectText(cardOf('Balance').getByRole('listitem')).not.toContain('10 USDXM');
    expect(lineItems[0]!.delivery.status).toBe('completed');
  });

  it('buys in a shop in front of the user: progress, questions, receipt', async () => {
    const shop = cardOf('Shop for me');
    await shop.getByLabel('Page of the product').fill('https://shop.example/tee');
    await shop.getByRole('button', { name: 'Buy it for me' }).click();
    const dialog = page.getByRole('dialog', { name: 'Buying for you' });
    await expectText(dialog.getByRole('listitem')).toContain('Waiting for a browser');
    const [checkout] = (await app.listAgentCheckouts()).data;
    const driver = driveCheckout(stack.ctx, checkout!.id);
    await driver.start();
    const sizes = ['S', 'M', 'L'].map((size) => ({ value: size.toLowerCase(), title: size }));
    await driver.ask({ kind: 'option-choice', question: 'Which size?', options: sizes });
    await dialog.getByLabel('Which size?').selectOption('M');
    // Asked once: as the label of what is chosen.
    expect((await dialog.textContent())!.split('Which size?')).toHaveLength(2);
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await expect
      .poll(async () => (await app.getAgentCheckout(checkout!.id)).status)
      .toBe('running');
    // Its address is relative to the service, and this page is of another origin.
    const live = page.frameLocator('iframe[title="What the browser sees"]');
    await expectText(live.locator('h1')).toBe('Agent checkout');
    await expectText(live.locator('#status')).toBe('Running');

    await driver.ask({
      kind: 'payment-credential',
      origin: 'https://shop.example',
      total: { amountMinor: 4_990n, currency: 'USD' },
    });
    expect(await dialog.getByLabel('Card number').getAttribute('type')).toBe('password');
    await dialog.getByLabel('Card number').fill('4242424242424242');
    await dialog.getByLabel('Month of expiry').fill('7');
    await dialog.getByLabel('Year of expiry').fill('2031');
    await dialog.getByLabel('Security code').fill('123');
    await dialog.getByLabel('Name on the card').fill('Nina Miller');
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await expect
      .poll(async () => (await app.getAgentCheckout(checkout!.id)).status)
      .toBe('running');

    await driver.ask({
      kind: 'approve-purchase',
      origin: 'https://shop.example',
      total: { amountMinor: 4_990n, currency: 'USD' },
      lines: [{ title: 'T-shirt, M', amount: '44.90' }],
      delivery: 'Standard, 5.00',
    });
    await expectText(dialog).toContain('T-shirt, M: 44.90');
    await dialog.getByRole('button', { name: 'Buy it' }).click();
    await expect
      .poll(async () => (await app.getAgentCheckout(checkout!.id)).status)
      .toBe('running');
    await driver.succeed({ total: { amount: '49.90', currency: 'USD' }, merchantOrderId: 'A1' });
    await expectText(dialog.getByRole('status')).toContain('Bought for 49.90 USD. Order A1.');
    await dialog.getByRole('button', { name: 'Close' }).click();
    await dialog.waitFor({ state: 'detached' });
  });

  it('fits a phone, in light and dark, without an error on the way', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width: 360, height: 740 });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
    }
    expect(problems).toEqual([]);
  });
});
