import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { startBrowser } from '../../../test/harness/browser.ts';
import { firstHeldOut } from './testing/layouts/held-out-first/index.ts';
import { expectHeldOut } from './testing/layouts/held-out-first/run-first.ts';
import { secondHeldOut } from './testing/layouts/held-out-second/rows.ts';
import { thirdHeldOut } from './testing/layouts/held-out-third/rows.ts';
import { expectThird } from './testing/layouts/held-out-third/run-third.ts';
import { longLayouts } from './testing/layouts/index.ts';
import { expectLayout } from './testing/layouts/run-layout.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

describe('a shop of another kind that nobody has prepared for', () => {
  it.each(longLayouts.map((look) => [look.title, look] as const))('%s', (_, look) =>
    expectLayout(browser, look),
  );
});

describe('a shop that was written by somebody who did not know the engine', () => {
  it.each(firstHeldOut.map((row) => [row.title, row] as const))('%s', (_, row) =>
    expectHeldOut(browser, row),
  );
});

describe('a shop that was written in one evening to try the engine', () => {
  it.each(thirdHeldOut.map((row) => [row.title, row] as const))('%s', (_, row) =>
    expectThird(browser, row),
  );
});

describe('a shop of another country or habit', () => {
  it.each(secondHeldOut.map((row) => [row.title, row] as const))('%s', (_, row) =>
    expectHeldOut(browser, row),
  );
});
