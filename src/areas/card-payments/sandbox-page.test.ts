import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startBrowser } from '../../../test/harness/browser.ts';
import { sandboxCards } from '../../providers/card/index.ts';
import { runSandboxCard } from './index.ts';
import { type CardApi, startCardApi } from './test-kit.ts';

let browser: Browser;
let api: CardApi;
const folder = process.env.PURSER_SCREENSHOTS ?? mkdtempSync(join(tmpdir(), 'purser-pages-'));
beforeAll(async () => {
  browser = await startBrowser();
  api = await startCardApi();
});
afterAll(async () => {
  await api?.close();
  await browser?.close();
  if (process.env.PURSER_SCREENSHOTS === undefined) rmSync(folder, { recursive: true });
});

let context: BrowserContext;
let page: Page;
let mistakes: string[];
beforeEach(async () => {
  context = await browser.newContext({ viewport: { width: 420, height: 760 } });
  page = await context.newPage();
  mistakes = [];
  page.on('pageerror', (error) => mistakes.push(String(error)));
  page.on('console', (message) => {
    // Chromium asks every origin for a favicon; ours has none.
    if (message.type() === 'error' && !message.location().url.endsWith('/favicon.ico'))
      mistakes.push(message.text());
  });
});
afterEach(() => context.close());

const enter = async (number: string, { expiry = '12/34', cvc = '123' } = {}) => {
  await page.getByLabel('Card number').fill(number);
  await page.getByLabel('Expiry').fill(expiry);
  await page.getByLabel('Security code').fill(cvc);
  await page.getByRole('button', { name: 'Pay' }).click();
};
const state = () => page.getByRole('status').getAttribute('data-state');
const shot = (name: string) =>
  page.screenshot({ path: join(folder, `card-${name}.png`), fullPage: true });

describe('the payment page, in a browser', () => {
  test('takes a card and says that the payment was approved; the acquirer calls back at once', {
    tags: 'slow',
  }, async () => {
    const payment = await api.create(25_00n, '24.50 USDC on Base Sepolia');
    await page.goto(payment.pageUrl);
    expect(await page.getByRole('heading').first().textContent()).toBe('USD 25.00');
    expect(await page.getByText('24.50 USDC').count()).toBe(1);
    await shot('form');
    await enter('4242 4242 4242 4242');
    expect(await state()).toBe('authorized');
    await shot('approved');
    expect(await api.find(payment)).toMatchObject({
      status: 'authorized',
      card: { last4: '4242' },
    });
    expect(api.events).toContainEqual(
      expect.objectContaining({
        type: 'payment-changed',
        reference: payment.reference,
        paymentId: payment.paymentId,
      }),
    );
    await page.reload();
    expect(await state()).toBe('authorized');
    expect(await page.getByLabel('Card number').count()).toBe(0);
    expect(mistakes).toEqual([]);
  });

  test('shows what a shop names as text, in one direction and within the page', async () => {
    const script = `<img src=x onerror="document.title='owned'"><script>document.title="owned"</script>`;
    const payment = await api.create(
      25_00n,
      `${script}</p>\u202e00.1 US\u200bDC ${'x'.repeat(2_000)}`,
    );
    await page.goto(payment.pageUrl);
    const text = await page.locator('main').innerText();
    expect(text).toContain(`${script}</p>\\u{202e}00.1 US\\u{200b}DC x`);
    expect(text).not.toMatch(/[\u202e\u200b]/);
    expect([await page.title(), await page.locator('img, script').count()]).toEqual([
      'Card payment',
      0,
    ]);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await shot('hostile');
    expect(mistakes).toEqual([]);
  });

  test('says why a card was declined, and takes another one', { tags: 'slow' }, async () => {
    const payment = await api.create();
    await page.goto(payment.pageUrl);
    await enter(sandboxCards.insufficientFunds.number);
    expect(await page.getByRole('alert').textContent()).toContain('insufficient funds');
    await shot('declined');
    // What was typed is not shown again, nor sent by a reload.
    expect(await page.getByLabel('Card number').inputValue()).toBe('');
    await page.reload();
    await enter(sandboxCards.approved.number, { expiry: '01-2026' });
    expect(await state()).toBe('authorized');
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(mistakes).toEqual([]);
  });

  test('a final decline ends it, without the bank’s reason', async () => {
    const payment = await api.create();
    await page.goto(payment.pageUrl);
    await enter(sandboxCards.stolen.number);
    expect(await state()).toBe('failed');
    expect(await page.locator('body').textContent()).not.toMatch(/stolen/i);
    expect(await page.getByLabel('Card number').count()).toBe(0);
  });

  test('asks for 3-D Secure, and approves when the bank does', { tags: 'slow' }, async () => {
    const payment = await api.create();
    await page.goto(payment.pageUrl);
    await enter(sandboxCards.challenge.number);
    expect(await state()).toBe('requires-action');
    await shot('challenge');
    await page.getByRole('button', { name: 'Fail' }).click();
    expect(await page.getByRole('alert').getAttribute('data-code')).toBe('authentication-failed');
    await enter(sandboxCards.challenge.number);
    await page.getByRole('button', { name: 'Approve' }).click();
    expect(await state()).toBe('authorized');
    expect((await api.find(payment)).status).toBe('authorized');
    expect(mistakes).toEqual([]);
  });

  test('shows a slow payment, and looks again', async () => {
    const payment = await api.create();
    await page.goto(payment.pageUrl);
    await enter(sandboxCards.slow.number);
    expect(await state()).toBe('processing');
    api.clock.advance(30_000);
    await page.getByRole('button', { name: 'Look again' }).click();
    expect(await state()).toBe('authorized');
  });

  test('a dispute can be decided there, as the payer’s bank would', async () => {
    const payment = await api.create();
    await page.goto(payment.pageUrl);
    await enter(sandboxCards.chargeback.number);
    await api.ctx.providers.card!.capture({
      reference: payment.reference,
      amountMinor: 25_00n,
      idempotencyKey: `c_${payment.paymentId}`,
    });
    api.clock.advance(10 * 86_400_000);
    await runSandboxCard(api.ctx, api.handle);
    const ofPayment = () =>
      api.events.filter(
        (event) => 'paymentReference' in event && event.paymentReference === payment.reference,
      );
    expect(ofPayment()).toMatchObject([{ type: 'disputed', amountMinor: 25_00n }]);
    await page.reload();
    expect(await page.getByText('Disputed: USD 25.00').count()).toBe(1);
    await page.getByRole('button', { name: 'Won' }).click();
    expect(ofPayment()).toMatchObject([{ type: 'disputed' }, { type: 'dispute-won' }]);
    expect(await page.getByText('Disputed').count()).toBe(0);
  });

  test('says what is missing without sending it', async () => {
    await page.goto((await api.create()).pageUrl);
    await page.getByRole('button', { name: 'Pay' }).click();
    expect(await page.locator('#number:invalid').count()).toBe(1);
  });

  test('nothing of the page may be framed or loaded', async () => {
    const payment = await api.create();
    const response = await page.goto(payment.pageUrl);
    const headers = response!.headers();
    expect(headers['content-security-policy']).toMatch(
      /default-src 'none'.*form-action 'self'; frame-ancestors 'none'/,
    );
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    });
    expect(mistakes).toEqual([]);
  });

  test('a link without the right key shows and takes nothing', async () => {
    const [payment, other] = [await api.create(), await api.create()];
    const { origin, pathname } = new URL(payment.pageUrl);
    for (const search of ['', '?key=', '?key=x', new URL(other.pageUrl).search]) {
      expect((await page.goto(`${origin}${pathname}${search}`))!.status()).toBe(403);
      const body = new URLSearchParams({ number: '4242424242424242', expiry: '12/34', cvc: '123' });
      expect(
        (await fetch(`${origin}${pathname}${search}`, { method: 'POST', body, redirect: 'manual' }))
          .status,
      ).toBe(403);
    }
    expect((await api.find(payment)).status).toBe('requires-payment');
  });
});

test('there is no such page where the sandbox is not the acquirer', async () => {
  const off = await startCardApi({ card: { kind: 'off' } });
  const url = `${off.baseUrl}/sandbox/card/cpay_00000000000000000000000000000000?key=x`;
  expect((await fetch(url)).status).toBe(404);
  expect((await fetch(url, { method: 'POST' })).status).toBe(404);
  expect(
    (await fetch(`${off.baseUrl}/callbacks/card/sandbox`, { method: 'POST', body: '{}' })).status,
  ).toBe(404);
  await off.close();
});
