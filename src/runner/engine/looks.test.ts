import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { startBrowser } from '../../../test/harness/browser.ts';
import { shortLooks } from './testing/looks/index.ts';
import { expectLook } from './testing/looks/run-look.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

describe('a shop that nobody has prepared for', () => {
  it.each(shortLooks.map((look) => [look.title, look] as const))('%s', (_, look) =>
    expectLook(browser, look),
  );
});
