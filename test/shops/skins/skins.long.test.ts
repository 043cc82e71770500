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

describe.each(skins.map((skin) => [skin.platform, skin] as const))(
  'a shop like %s sells a mug',
  (_, skin) => {
    it.each(cases.map((one) => [one.name, one] as const))('%s', (_name, one) =>
      expectBought(browser, skin, one),
    );
  },
);
