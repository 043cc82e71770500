import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBrowser } from '../../../test/harness/browser.ts';
import { RunLostError, type RunStep } from '../types.ts';
import { buyMug, onAccount } from './testing/on-account.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

const unknown = { outcome: 'failed', reason: 'automation_failed', placed: 'unknown' };

describe('an order that the shop places without the paying click', () => {
  it('stops the run, is recorded before anybody is asked, and stays unknown while nobody answers', {
    tags: 'slow',
  }, async () => {
    const { end, orders, asked, armed, cards, steps } = await buyMug(browser, onAccount());
    expect(end).toMatchObject(unknown);
    expect([orders.length, armed, cards, steps.at(-1)]).toEqual([1, 0, 0, 'placed']);
    expect(asked).toMatchObject([
      { kind: 'confirm-outcome', question: expect.stringContaining('ACC-7001') },
    ]);
  });

  it('is left to the next holder when the run is taken away while it is recorded', {
    tags: 'slow',
  }, async () => {
    const onStep = (step: RunStep) => {
      if (step === 'placed') throw new RunLostError('The lease is over.');
    };
    await expect(buyMug(browser, onAccount(), { onStep })).rejects.toThrow(RunLostError);
  });

  it('is only asked about by the next browser, which opens nothing', async () => {
    const evidence = [
      { step: 'select', at: '2030-01-01T00:00:00.000Z' },
      {
        step: 'placed',
        at: '2030-01-01T00:00:01.000Z',
        detail: { unpermitted: true, url: 'http://shop.example/done', text: 'Thank you' },
      },
    ] as const;
    const shown: string[] = [];
    const { end, asked, steps } = await buyMug(
      browser,
      ({ path }) => {
        shown.push(path);
        return { html: 'nothing' };
      },
      {},
      { resume: { step: 'placed', evidence } },
    );
    expect(end).toMatchObject(unknown);
    expect([asked.map(({ kind }) => kind), steps, shown]).toEqual([['confirm-outcome'], [], []]);
  });
});
