import { join } from 'node:path';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startBrowser } from '../../../../test/harness/browser.ts';
import { startTestApi, type TestApi } from '../../../../test/harness/http.ts';
import { systemClock } from '../../../lib/clock.ts';
import { type LiveServer, type ShownRun, startLiveServer } from '../../../runner/live/index.ts';
import { type RunWorld, servePages, startRunWorld } from '../../../runner/testing/run-world.ts';
import type { UserActionRequest } from '../../../runner/types.ts';
import { agentCheckoutRoutes } from '../routes.ts';
import { endRun } from '../runs/run-ports.ts';
import { liveRoutes, liveStreamRoute } from './live-routes.ts';
import { livePeers, runnerLive, startTestRun, type TestRun } from './test-kit.ts';

const folder = process.env.PURSER_SCREENSHOTS;
const login: UserActionRequest = {
  kind: 'merchant-login',
  origin: 'http://shop.example',
  needs: ['username', 'password'],
};
const shopPage = `<body style="margin:0;font:28px sans-serif;background:#fff8ee"><div style="background:#7a3b12;color:#fff;padding:30px">Corner Shop</div>
  <form style="padding:40px"><p>Sign in to check out</p>
  <input id="user" placeholder="E-mail" style="position:absolute;left:40px;top:220px;width:500px;height:60px;font:28px sans-serif">
  <input id="pass" type="password" placeholder="Password" style="position:absolute;left:40px;top:310px;width:500px;height:60px;font:28px sans-serif">
  <button type="button" onclick="document.title='clicked'" style="position:absolute;left:40px;top:400px;width:200px;height:60px;font:28px sans-serif">Sign in</button></form>
  <div style="height:3000px"></div></body>`;

/** What is looked for may take a while on a busy machine. */
const soon = <T>(read: () => T) => expect.poll(read, { timeout: 20_000 });

let browser: Browser;
let world: RunWorld;
let shop: Page;
let api: TestApi;
let server: LiveServer;
beforeAll(async () => {
  api = await startTestApi({
    routes: agentCheckoutRoutes,
    config: { runnerLive },
    server: { publicRoutes: liveRoutes, socketRoutes: [liveStreamRoute] },
  });
  server = await startLiveServer({
    host: '127.0.0.1',
    port: 0,
    peers: livePeers,
    clock: systemClock,
    log: api.ctx.log,
  });
  world = await startRunWorld();
  servePages(world.shop, { '/': shopPage });
  shop = (await world.openBrowser()).page;
  browser = await startBrowser();
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
  await world?.close();
  await api?.close();
});

let run: TestRun;
let shown: ShownRun;
let context: BrowserContext;
let page: Page;
let mistakes: string[];
beforeEach(async () => {
  await shop.goto('http://shop.example/');
  run = await startTestRun(api, { user: 'ann', liveOrigin: `http://127.0.0.1:${server.port}` });
  shown = await server.show(run.id, shop);
  mistakes = [];
});
afterEach(async () => {
  await context?.close();
  await shown.close();
  await run.end();
  expect(mistakes).toEqual([]);
});

async function newPage(options: BrowserContextOptions = {}): Promise<Page> {
  context = await browser.newContext({ viewport: { width: 1_200, height: 850 }, ...options });
  page = await context.newPage();
  page.on('pageerror', (error) => mistakes.push(String(error)));
  page.on('console', (message) => {
    // Chromium asks every origin for a favicon; ours has none.
    if (message.type() === 'error' && !message.location().url.endsWith('/favicon.ico'))
      mistakes.push(message.text());
  });
  return page;
}
async function openLive(options: BrowserContextOptions = {}): Promise<Page> {
  await newPage(options);
  const { path, token } = await run.link();
  await page.goto(`${new URL(api.baseUrl).origin}${path}#${token}`);
  return page;
}
/** For people: only where a folder for it is named. */
const shot = async (name: string) =>
  folder && page.screenshot({ path: join(folder, `live-${name}.png`), fullPage: true });
/** The colour in the picture at a place of the shop's page, as `#rrggbb`. */
const colorAt = (x: number, y: number) =>
  page.evaluate(`(() => { const [r, g, b] = document.getElementById('picture').getContext('2d').getImageData(${x}, ${y}, 1, 1).data;
    return [r, g, b].map((one) => Math.round(one / 16)).join(); })()`);
const brown = '8,4,1';
const picture = () => page.getByLabel('shop’s page');
/** Where a place of the shop's page is on the screen. */
async function placeOf(x: number, y: number) {
  const box = (await picture().boundingBox())!;
  return { x: box.x + (x / 1_280) * box.width, y: box.y + (y / 900) * box.height };
}
const inControl = () => soon(() => picture().getAttribute('role')).toBe('application');
/** What a shop may put on its page of thanks. */
async function endHostile(ended: TestRun, text: string): Promise<void> {
  await endRun(api.ctx, ended.hold, {
    outcome: 'succeeded',
    total: { amountMinor: 4_200n, currency: 'USD' },
    merchantOrderId: text,
    confirmationUrl: 'https://shop.example/thanks?<script>',
    confirmationText: `${text}${'y'.repeat(5_000)}`,
  });
}
async function asksLogin(): Promise<string> {
  const id = await run.ask(login);
  shown.permitInput(true);
  return id;
}

describe('the live page', () => {
  test('shows the shop’s page and what the run does, hides it while a secret is typed, and says what is asked', {
    tags: 'slow',
  }, async () => {
    await run.progress('Added to the cart');
    await openLive();
    await soon(() => colorAt(600, 20)).toBe(brown);
    expect(await page.locator('#status').textContent()).toBe('Running');
    expect(await page.locator('#progress li').allTextContents()).toEqual([
      'Waiting for a browser',
      'A browser is opened',
      'Added to the cart',
    ]);
    expect(await picture().getAttribute('role')).toBe('img');
    await shot('running');
    await shown.screen.mask(true);
    await page.getByText('Hidden while a secret is typed').waitFor();
    expect(await colorAt(600, 20)).toBe('0,0,0');
    await shot('masked');
    await shown.screen.mask(false);
    await soon(() => colorAt(600, 20)).toBe(brown);
    await run.ask({ kind: 'contact-and-shipping', missing: ['email'] });
    await page.getByText('Answer in the app').waitFor();
    expect(await page.getByText('do it here').count()).toBe(0);
    expect(await page.locator('#typing').isVisible()).toBe(false);
  });

  test('gives the user mouse and keys of the page while it may, and takes them back', {
    tags: 'slow',
  }, async () => {
    await openLive();
    const asked = await asksLogin();
    await inControl();
    await page.getByText('do it here').waitFor();
    const user = await placeOf(100, 250);
    await page.mouse.click(user.x, user.y);
    await page.keyboard.type('ann@example.com');
    await page.keyboard.press('Backspace');
    await soon(() => shop.inputValue('#user')).toBe('ann@example.co');
    await page.keyboard.press('Tab');
    await page.getByLabel('Hide what I type').check();
    await page.locator('#text').fill('s3cret €');
    await page.getByRole('button', { name: 'Send' }).click();
    await soon(() => shop.inputValue('#pass')).toBe('s3cret €');
    expect([
      await page.locator('#text').inputValue(),
      await page.locator('#text').getAttribute('type'),
    ]).toEqual(['', 'password']);
    // The form for typing stands below: to reach it the page was scrolled.
    const [pass, button] = [await placeOf(100, 340), await placeOf(60, 430)];
    await page.mouse.click(pass.x, pass.y);
    await shot('control');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    expect(await page.evaluate('document.activeElement.id')).toBe('text');
    await page.mouse.click(button.x, button.y);
    await soon(() => shop.title()).toBe('clicked');
    await page.mouse.move(button.x, button.y);
    await page.mouse.wheel(0, 400);
    await soon(() => shop.evaluate('scrollY')).toBeGreaterThan(100);
    shown.permitInput(false);
    await run.answer(asked, { username: 'a', password: 'b' });
    await soon(() => picture().getAttribute('role')).toBe('img');
    expect(await page.locator('#typing').isVisible()).toBe(false);
    const late = await placeOf(100, 250);
    await page.mouse.click(late.x, late.y);
    await page.keyboard.type('late');
    expect(await shop.inputValue('#user')).toBe('ann@example.co');
  });

  test('works on a phone in the dark: a tap clicks, a finger scrolls, a field brings the keyboard', {
    tags: 'slow',
  }, async () => {
    await openLive({
      viewport: { width: 390, height: 780 },
      hasTouch: true,
      isMobile: true,
      deviceScaleFactor: 2,
      colorScheme: 'dark',
    });
    await asksLogin();
    await inControl();
    const user = await placeOf(100, 250);
    await page.touchscreen.tap(user.x, user.y);
    await soon(() => shop.evaluate('document.activeElement.id')).toBe('user');
    await page.locator('#text').fill('ann');
    await page.locator('#text').press('Enter');
    await soon(() => shop.inputValue('#user')).toBe('ann');
    await shot('phone');
    const session = await context.newCDPSession(page);
    const [from, to] = [await placeOf(600, 700), await placeOf(600, 200)];
    const touch = (
      type: 'touchStart' | 'touchMove' | 'touchEnd',
      points: { x: number; y: number }[],
    ) => session.send('Input.dispatchTouchEvent', { type, touchPoints: points });
    // On a slow machine the finger may rest before it moves: then it drags, and the next try
    // scrolls.
    await soon(async () => {
      await touch('touchStart', [from]);
      for (let part = 1; part <= 5; part++)
        await touch('touchMove', [{ x: from.x, y: from.y + ((to.y - from.y) * part) / 5 }]);
      await touch('touchEnd', []);
      return shop.evaluate('scrollY');
    }).toBeGreaterThan(100);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  });

  test('comes back by itself when the connection breaks', { tags: 'slow' }, async () => {
    await newPage();
    let isBroken = true;
    await page.routeWebSocket(/\/stream$/, (socket) => {
      const upstream = socket.connectToServer();
      if (!isBroken) return;
      setTimeout(() => {
        void upstream.close();
        void socket.close({ code: 1_001 });
      }, 500);
    });
    const { path, token } = await run.link();
    await page.goto(`${new URL(api.baseUrl).origin}${path}#${token}`);
    await page.getByText('The connection is lost. Trying again.').waitFor();
    isBroken = false;
    await soon(() => page.locator('#trouble').textContent()).toBe('');
    await soon(() => colorAt(600, 20)).toBe(brown);
  });

  test('may be framed in development, and says when a link does not work', {
    tags: 'slow',
  }, async () => {
    const { path, token } = await run.link();
    const origin = new URL(api.baseUrl).origin;
    servePages(world.shop, {
      '/': shopPage,
      '/frame': `<iframe src="${origin}${path}#${token}" width="800" height="700"></iframe>`,
    });
    await newPage();
    await page.goto(`http://127.0.0.1:${world.shop.port}/frame`);
    await page.frameLocator('iframe').getByText('Running', { exact: true }).waitFor();
    for (const [hash, text] of [
      ['#x.y', 'This link does not work'],
      ['', 'This link is not complete'],
    ] as const) {
      await page.goto('about:blank');
      await page.goto(`${origin}${path}${hash}`);
      await page.getByText(text).waitFor();
    }
    await shot('wrong');
  });

  test('shows what a hostile shop says as text, while it runs and when it is replayed', async () => {
    const script = (nr: number) =>
      `<img src=x onerror="window.taken=${nr}"><script>window.taken=${nr}</script>`;
    const turned = 'Pay \u202e00.1 DS\u200bU\u0007';
    const spelled = 'Pay \\u{202e}00.1 DS\\u{200b}U\\u{7}';
    const isTurned = () => page.evaluate(`document.body.innerText.includes('\u202e')`);
    const long = 'x'.repeat(20_000);
    for (const title of [
      script(1),
      turned,
      long,
      '<iframe src="javascript:parent.taken=1">',
      '</li></ol><h1>Signed in</h1>',
    ])
      await run.progress(title).catch(() => undefined);
    await run.ask({ kind: 'free-question', question: `${script(2)} ${turned} </section>` });
    await openLive();
    await page.getByText('Answer in the app').waitFor();
    const texts = await page.locator('#progress li').allTextContents();
    expect(texts).toContain(script(1));
    expect(texts).toContain('</li></ol><h1>Signed in</h1>');
    expect(texts).toContain(spelled);
    expect(await page.locator('#asked').textContent()).toContain(`${script(2)} ${spelled}`);
    expect(await isTurned()).toBe(false);
    const foreign = () => page.locator('#progress *:not(li), #asked *, iframe, img[src=x]').count();
    const isTaken = () => page.evaluate('window.taken');
    expect([await foreign(), await isTaken()]).toEqual([0, undefined]);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await run.step('open');
    await endHostile(run, `${script(3)} ${turned}`);
    await page.getByText('This checkout is over.').waitFor();
    await soon(() => page.locator('#receipt').textContent()).toContain(`${script(3)} ${spelled}`);
    expect(await isTurned()).toBe(false);
    expect([
      await page.locator('#receipt img, #receipt script, #receipt h1').count(),
      await isTaken(),
    ]).toEqual([0, undefined]);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await shot('hostile');
  });

  test('replays the steps when the checkout is over, with the receipt', {
    tags: 'slow',
  }, async () => {
    await run.step('accepted');
    await run.step('open');
    await run.step('open', await shop.screenshot({ type: 'jpeg', quality: 60 }));
    await run.step('select');
    await openLive();
    await soon(() => colorAt(600, 20)).toBe(brown);
    await run.end('succeeded');
    await page.getByText('This checkout is over.').waitFor();
    await page.getByRole('heading', { name: 'Step 3 of 3: Options chosen' }).waitFor();
    expect(await page.locator('#receipt').textContent()).toMatch(/42\.00 USD.*A-1001.*Thank you!/);
    const old = page.getByAltText('The shop’s page at the step “Options chosen”');
    await old.waitFor();
    expect(
      await old.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth),
    ).toBe(1_280);
    expect(await page.getByRole('button', { name: 'Next' }).isDisabled()).toBe(true);
    await shot('over');
    await page.getByRole('button', { name: 'Back' }).click();
    await page.getByRole('button', { name: 'Back' }).click();
    await page.getByText('This step has no picture.').waitFor();
    await page.setViewportSize({ width: 390, height: 780 });
    await page.locator('#list button').nth(1).click();
    await page.getByAltText('The shop’s page at the step “Product page”').waitFor();
    await shot('over-phone');
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await page.reload();
    await page.getByRole('heading', { name: 'Step 3 of 3: Options chosen' }).waitFor();
    await api.ctx.store.query({
      text: `update agent_checkouts set ended_at = now() - interval '31 days' where id = $1`,
      values: [run.id],
    });
    // Its own answer of the server to a link that is too old is no mistake of the page.
    page.removeAllListeners('console');
    await page.reload();
    await page.getByText('What was seen of it is no longer kept.').waitFor();
  });
});
