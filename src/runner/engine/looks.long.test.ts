import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { startBrowser } from '../../../test/harness/browser.ts';
import { longLooks } from './testing/looks/index.ts';
import { judgeRows } from './testing/looks/judges/rows.ts';
import { expectJudge } from './testing/looks/judges/run-judge.ts';
import { newcomers } from './testing/looks/newcomers/rows.ts';
import { expectLook } from './testing/looks/run-look.ts';
import { strangers } from './testing/looks/strangers/index.ts';
import { expectStranger } from './testing/looks/strangers/run-stranger.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

describe('a shop of another kind that nobody has prepared for', () => {
  it.each(longLooks.map((look) => [look.title, look] as const))('%s', (_, look) =>
    expectLook(browser, look),
  );
});

describe('a shop that was written by somebody who did not know the engine', () => {
  it.each(strangers.map((row) => [row.title, row] as const))('%s', (_, row) =>
    expectStranger(browser, row),
  );
});

describe('a shop that was written in one evening to try the engine', () => {
  it.each(judgeRows.map((row) => [row.title, row] as const))('%s', (_, row) =>
    expectJudge(browser, row),
  );
});

describe('a shop of another country or habit', () => {
  it.each(newcomers.map((row) => [row.title, row] as const))('%s', (_, row) =>
    expectStranger(browser, row),
  );
});
