/** @module-tag slow */

import { afterAll, beforeAll, expect, it } from 'vitest';
import { type RunWorld, servePages, startRunWorld } from '../testing/run-world.ts';

let world: RunWorld;
beforeAll(async () => {
  world = await startRunWorld();
  const ways = `<button id="script" onclick="open('/bank', '_blank', 'width=400,height=400')">Bank</button>
    <form method="post" action="/bank" target="_blank"><button id="form">Bank</button></form>
    <a id="link" target="_blank" href="/bank">Bank</a><a id="stranger" target="_blank" href="http://other.example/bank" rel="noopener">Bank</a>`;
  servePages(world.shop, {
    '/': `<title>shop</title>${ways}`,
    '/bank': '<title>bank</title><button>Approve</button>',
  });
});
afterAll(() => world.close());

it('a window that a page opens answers, however it is opened, and its opener goes on', async () => {
  const browser = await world.openBrowser();
  await browser.page.goto('http://shop.example/');
  for (const way of ['#script', '#form', '#link', '#stranger']) {
    const [popup] = await Promise.all([
      browser.context.waitForEvent('page'),
      browser.page.click(way),
    ]);
    await popup.waitForLoadState();
    expect([way, await popup.title(), await browser.page.title()]).toEqual([way, 'bank', 'shop']);
    await popup.click('button');
    await popup.close();
  }
  await browser.close();
});

it('windows beyond the limit are closed and written down', async () => {
  const browser = await world.openBrowser({ pagesMax: 2 });
  await browser.page.goto('http://shop.example/');
  for (let index = 0; index < 3; index++) await browser.page.click('#link');
  await expect
    .poll(() => browser.incidents().filter(({ kind }) => kind === 'popup'))
    .toHaveLength(2);
  await expect.poll(() => browser.context.pages()).toHaveLength(2);
  expect(await browser.page.title()).toBe('shop');
  await browser.close();
});
