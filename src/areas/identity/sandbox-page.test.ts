import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startBrowser } from '../../../test/harness/browser.ts';
import { eventually } from '../../jobs/test-kit.ts';
import { type PeopleApi, startFlows, startPeopleApi } from '../users/test-kit.ts';
import { openInquiry } from './index.ts';

let browser: Browser;
let api: PeopleApi;
let flows: ReturnType<typeof startFlows>;
const folder = process.env.PURSER_SCREENSHOTS ?? mkdtempSync(join(tmpdir(), 'purser-pages-'));
beforeAll(async () => {
  browser = await startBrowser();
  api = await startPeopleApi();
  flows = startFlows(api.ctx);
});
afterAll(async () => {
  await flows?.stop();
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
afterEach(async () => {
  await context.close();
});

let count = 0;
async function open(): Promise<{ locator: string; url: string; path: string }> {
  const locator = `userId:browser${++count}`;
  await api.call('PUT', api.path(locator), { body: {} });
  const caller = {
    projectId: api.projectId,
    environment: 'development',
    keyKind: 'server',
    keyId: 'test',
    scopes: new Set<string>(),
  } as const;
  const { url } = await openInquiry({ ...api.ctx, caller }, { locator, type: 'onramp' });
  // The configured address is the one outside; the test's server has a port of its own.
  const reached = url!.replace(api.ctx.config.api.baseUrl, api.baseUrl);
  return { locator, url: reached, path: new URL(reached).pathname };
}

/** Opens a link and takes it up. */
const begin = async (url: string, opened = page) => {
  expect((await opened.goto(url))!.status()).toBe(200);
  await opened.getByRole('button', { name: 'Begin' }).click();
};
const enter = async (firstName: string, lastName: string) => {
  await page.getByLabel('First name').fill(firstName);
  await page.getByLabel('Last name').fill(lastName);
  for (const box of await page.getByRole('checkbox').all()) await box.check();
  await page.getByRole('button', { name: 'Submit' }).click();
};
const statusOf = async (locator: string) => {
  const { body } = await api.call('GET', api.path(locator, '/identity-verification'));
  return body.eligibility[0].status as string;
};
const until = (locator: string, status: string) =>
  eventually(`${locator} is ${status}`, async () => (await statusOf(locator)) === status);

describe('the page of an inquiry, in a browser', () => {
  test('takes a name and says that the person is verified; the review follows at once', {
    tags: 'slow',
  }, async () => {
    const { locator, url, path } = await open();
    await begin(url);
    // The one-time token is not in the address any more.
    expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe(path);
    await page.screenshot({ path: join(folder, 'inquiry-form.png') });
    await enter('Alice', 'Miller');
    await expect.poll(() => page.getByRole('status').textContent()).toContain('You are verified');
    await page.screenshot({ path: join(folder, 'inquiry-verified.png') });
    await until(locator, 'verified');
    // Nobody showed a proof of address.
    const { body } = await api.call('GET', api.path(locator, '/identity-verification'));
    expect(
      Object.fromEntries(
        body.eligibility.map(({ type, status }: { type: string; status: string }) => [
          type,
          status,
        ]),
      ),
    ).toEqual({
      onramp: 'verified',
      'onramp-light': 'verified',
      offramp: 'not-started',
      'offramp-light': 'verified',
      'regulated-transfer': 'not-started',
    });
    await page.reload();
    expect(await page.getByRole('status').textContent()).toContain('You are verified');
    expect(mistakes).toEqual([]);
  });

  test('shows a review, which can be decided by hand there', { tags: 'slow' }, async () => {
    const { locator, url } = await open();
    await begin(url);
    await enter('Review', 'Me');
    expect(await page.getByRole('status').textContent()).toContain('Our staff looks at your data');
    await page.screenshot({ path: join(folder, 'inquiry-review.png') });
    expect(await statusOf(locator)).toBe('pending-review');
    await page.getByRole('button', { name: 'Refuse' }).click();
    expect(await page.getByRole('status').textContent()).toContain('could not be verified');
    await until(locator, 'rejected');
    expect(mistakes).toEqual([]);
  });

  test('says what is missing without sending it', { tags: 'slow' }, async () => {
    const { locator, url } = await open();
    await begin(url);
    await page.getByRole('button', { name: 'Submit' }).click();
    expect(await page.locator('#firstName:invalid').count()).toBe(1);
    await enter('  ', 'Miller');
    expect(await page.getByRole('alert').textContent()).toContain('first and last name');
    const asked = ['consent', 'user-details', 'kyc-data', 'id'];
    expect(
      await page
        .getByRole('checkbox')
        .evaluateAll((boxes) => boxes.map((box) => box.getAttribute('name'))),
    ).toEqual(asked);
    // Without the browser's own check the answer is the same.
    await page.locator('form').evaluate((form) => form.setAttribute('novalidate', ''));
    await page.getByLabel('First name').fill('Alice');
    await page.getByLabel('Last name').fill('Miller');
    await page.getByRole('button', { name: 'Submit' }).click();
    expect(await page.getByRole('alert').textContent()).toContain('Tick everything');
    expect(await statusOf(locator)).toBe('pending-review');
    const policy = await page.getByRole('link', { name: 'privacy policy' }).getAttribute('href');
    expect((await fetch(policy!.replace(api.ctx.config.api.baseUrl, api.baseUrl))).status).toBe(
      200,
    );
  });

  test('its cookie is for this page alone, read by no script and sent by no other site', async () => {
    const { url, path } = await open();
    const body = new URLSearchParams({ session: new URL(url).searchParams.get('session')! });
    const answer = await fetch(url, { method: 'POST', body, redirect: 'manual' });
    const [cookie, ...attributes] = answer.headers.get('set-cookie')!.split('; ');
    expect(cookie).toMatch(/^purser_inquiry=[\w-]{16,}$/);
    expect(attributes).toEqual([`Path=${path}`, 'HttpOnly', 'SameSite=Strict']);
    await begin((await open()).url);
    expect(await page.evaluate('document.cookie')).toBe('');
  });

  test('what is typed there is text, not markup', { tags: 'slow' }, async () => {
    const { url } = await open();
    await begin(url);
    await enter('<img src=x onerror=alert(1)>', '"><script>alert(2)</script>');
    expect(await page.getByRole('status').textContent()).toContain('You are verified');
    expect(await page.locator('img, script').count()).toBe(0);
    expect(mistakes).toEqual([]);
  });

  test('a link works once: another browser is told to get a new one', {
    tags: 'slow',
  }, async () => {
    const { url, path } = await open();
    await begin(url);
    const thief = await browser.newContext();
    const stolen = await thief.newPage();
    await begin(url, stolen);
    expect(await stolen.getByRole('heading').textContent()).toContain('does not work any more');
    expect((await stolen.goto(`${new URL(url).origin}${path}`))!.status()).toBe(403);
    expect(await stolen.getByRole('heading').textContent()).toContain('does not work any more');
    await stolen.screenshot({ path: join(folder, 'inquiry-used.png') });
    await thief.close();
    expect((await page.reload())!.status()).toBe(200);
  });

  test('a link is not used up by whatever only looks at it, as a scanner of mail does', async () => {
    const { url } = await open();
    for (const method of ['GET', 'HEAD', 'GET']) {
      const looked = await fetch(url, { method, redirect: 'manual' });
      expect([looked.status < 400 || method === 'HEAD', looked.headers.get('set-cookie')]).toEqual([
        true,
        null,
      ]);
    }
    await begin(url);
    await page.getByLabel('First name').waitFor();
  });

  test('its cookie has a prefix that browsers take over https only, where the service has it', {
    tags: 'slow',
  }, async () => {
    const secure = await startPeopleApi({
      config: { api: { ...api.ctx.config.api, baseUrl: 'https://api.example.com/api' } },
    });
    await secure.call('PUT', secure.path('userId:secure'), { body: {} });
    const caller = {
      projectId: secure.projectId,
      environment: 'development',
      keyKind: 'server',
      keyId: 'test',
      scopes: new Set<string>(),
    } as const;
    const { url } = await openInquiry(
      { ...secure.ctx, caller },
      { locator: 'userId:secure', type: 'onramp' },
    );
    const reached = url!.replace(secure.ctx.config.api.baseUrl, secure.baseUrl);
    const body = new URLSearchParams({ session: new URL(reached).searchParams.get('session')! });
    const taken = await fetch(reached, { method: 'POST', body, redirect: 'manual' });
    const cookie = taken.headers.get('set-cookie')!;
    expect(cookie).toMatch(
      /^__Secure-purser_inquiry=[\w-]{16,}; Path=\S+; HttpOnly; SameSite=Strict; Secure$/,
    );
    const page = new URL(reached);
    page.search = '';
    expect((await fetch(page, { headers: { cookie: cookie.split(';')[0]! } })).status).toBe(200);
    await secure.close();
  });

  test('a page of another site cannot send the form for the person', async () => {
    const { url, path } = await open();
    await begin(url);
    const other = await context.newPage();
    await other.route('http://other.example/**', (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: `<form method="post" action="${new URL(url).origin}${path}"><input name="firstName" value="a"><input name="lastName" value="b"><button>go</button></form>`,
      }),
    );
    await other.goto('http://other.example/');
    const [response] = await Promise.all([
      other.waitForResponse((one) => one.request().method() === 'POST'),
      other.getByRole('button').click(),
    ]);
    expect(response.status()).toBe(403);
    await page.reload();
    expect(await page.getByLabel('First name').count()).toBe(1);
  });
});

test('there is no such page where the sandbox is not the company', { tags: 'slow' }, async () => {
  const off = await startPeopleApi({
    config: { identity: { ...api.ctx.config.identity, kyc: { kind: 'off' } } },
  });
  expect((await fetch(`${off.baseUrl}/sandbox/identity/inq_000000000000000000000000`)).status).toBe(
    404,
  );
  await off.close();
});
