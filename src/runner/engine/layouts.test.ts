/** @module-tag slow */

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { startBrowser } from '../../../test/harness/browser.ts';
import { shortLayouts } from './testing/layouts/index.ts';
import { expectLayout } from './testing/layouts/run-layout.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

describe('a shop that nobody has prepared for', () => {
  it.each(shortLayouts.map((look) => [look.title, look] as const))('%s', (_, look) =>
    expectLayout(browser, look),
  );
});
