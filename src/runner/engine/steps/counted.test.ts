import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBrowser } from '../../../../test/harness/browser.ts';
import { buyMug } from '../testing/on-account.ts';
import { plainCard, plainFields, plainShop, plainSummary } from '../testing/pages-kit.ts';
import { isCounted } from './counted.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

/** A field that says “Phone” and counts the mugs. */
const counter = '<label>Phone <input name="line" value="1"></label>';
const counts = `<script>addEventListener('change', (event) => {
  if (event.target.name !== 'line') return;
  const sum = 20 * (Number(event.target.value.replace(/\\D/g, '')) || 1);
  const cells = document.querySelectorAll('.summary td:nth-child(2)');
  cells[0].textContent = '$' + sum + '.00'; document.querySelector('.summary b').textContent = '$' + (sum + 5) + '.00';
})</script>`;

describe('a value that changes how many the shop counts', () => {
  it('is taken back and reported, and what was asked for is bought', { tags: 'slow' }, async () => {
    const { end, orders, progress } = await buyMug(
      browser,
      plainShop({ checkoutFields: plainFields + counter + plainCard, head: counts }),
    );
    expect(progress).toContainEqual({
      title: 'Took back what was typed',
      message: expect.stringMatching(/“Phone” changed what the shop counts: 20\.00 USD became/),
    });
    expect([end.outcome, orders.map(({ line }) => line)]).toEqual(['succeeded', ['1']]);
  });

  it('is none where the page only says its own sum', { tags: 'slow' }, async () => {
    const { end, progress } = await buyMug(browser, plainShop({ summary: plainSummary }));
    expect([end.outcome, progress.some(({ title }) => title.startsWith('Took back'))]).toEqual([
      'succeeded',
      false,
    ]);
  });

  it.each([
    ['five of it', [2_000], [10_000], true],
    ['a part of it', [4_000], [2_000], true],
    ['taxes', [2_000], [2_380], false],
    ['another row', [2_000], [2_000, 2_000], false],
    ['nothing known', [], [], false],
  ])('%s: %j to %j', (_name, before, after, expected) => {
    expect(isCounted(before.map(BigInt), after.map(BigInt))).toBe(expected);
  });
});
