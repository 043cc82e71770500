import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startBrowser } from '../../../../test/harness/browser.ts';
import { takeSnapshot } from './snapshot.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

it('a page is read as it is now, whichever document it shows and whatever its scripts do to JSON', async () => {
  const page = await browser.newPage();
  const read = async () => {
    const { fields, buttons, title } = await takeSnapshot(page.mainFrame());
    return [title, fields.map(({ value }) => value), buttons.map(({ text }) => text)];
  };
  const pageOf = (html: string) => `data:text/html;charset=utf-8,${encodeURIComponent(html)}`;
  await page.goto(
    pageOf(
      '<title>One</title><script>Object.prototype.toJSON = Array.prototype.toJSON = () => 7</script><input value="1"><button>Buy &amp; “go”</button>',
    ),
  );
  expect(await read()).toEqual(['One', ['1'], ['Buy & “go”']]);
  await page.fill('input', '2');
  await page.evaluate("document.querySelector('button').remove()");
  expect(await read()).toEqual(['One', ['2'], []]);
  await page.goto(pageOf('<title>Two</title><button>Back</button>'));
  expect(await read()).toEqual(['Two', [], ['Back']]);
  // A document that is gone while it is read.
  await Promise.all([read(), page.reload()]);
  expect(await read()).toEqual(['Two', [], ['Back']]);
});

it('prices are read as shops write them, in whole and in small coins', async () => {
  const page = await browser.newPage();
  const written = ['200 kr', '200:-', '200kr.', '200 zł', '200 Kč', '19,90 €', '$5.00'];
  await page.setContent(written.map((one) => `<p>Blue Mug <b>${one}</b></p>`).join(''));
  const { prices } = await takeSnapshot(page.mainFrame());
  expect(prices.map(({ text }) => text)).toEqual(expect.arrayContaining(written));
});

it('what stands in one row names the same row, and rows that say the same are two', async () => {
  const page = await browser.newPage();
  const row = '<li>Blue Mug $20.00 <button>−</button> <b>1</b> <button>+</button></li>';
  await page.setContent(`<ul>${row}${row}</ul>`);
  const { buttons } = await takeSnapshot(page.mainFrame());
  const rows = [...new Set(buttons.map(({ rowRef }) => rowRef))];
  expect(buttons.map(({ rowRef }) => rows.indexOf(rowRef))).toEqual([0, 0, 1, 1]);
});
