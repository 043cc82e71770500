/** @module-tag slow */

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { startBrowser } from '../../harness/browser.ts';
import { expectBought } from './buy-in-skin.ts';
import { cases } from './cases.ts';
import { skins } from './index.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

describe('a shop like', () => {
  it.each([
    ['Magento 2 with Luma', 'of which some lay there'],
    ['Shopware 6', 'two of a dearer variant'],
    ['Odoo', 'one'],
    ['nopCommerce', 'beside what was left in the cart'],
  ])('%s sells a mug, %s', (platform, name) =>
    expectBought(
      browser,
      skins.find((skin) => skin.platform === platform)!,
      cases.find((one) => one.name === name)!,
    ),
  );
});
