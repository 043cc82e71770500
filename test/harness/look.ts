import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** How people look at a page; the first is the one that tests go on in. */
const views = [
  { view: 'light', colorScheme: 'light', width: 1_280, height: 900, rules },
  // Nothing but colours is another one than in light.
  {
    view: 'dark',
    colorScheme: 'dark',
    width: 1_280,
    height: 900,
    rules: ['color-contrast', 'link-in-text-block'],
  },
  { view: 'phone', colorScheme: 'light', width: 375, height: 812, rules },
] as const;
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What is read in the page. */
interface InPage {
  readonly axe: {
    run(options: {
      runOnly: readonly string[];
    }): Promise<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }>;
  };
  readonly document: { readonly documentElement: { readonly scrollWidth: number } };
  readonly innerWidth: number;
}

/**
 * Nothing serious keeps anybody from using the page as it is, and nothing stands beyond its edge: in
 * light, and in dark and at a phone's width too with `TEST_VIEWS=all`, as long tests have it.
 * `TEST_PICTURES` names a folder for pictures of every view, for whoever wants to look at them.
 */
export async function look(page: Page, name: string): Promise<void> {
  const { TEST_PICTURES: folder, TEST_VIEWS: wanted } = process.env;
  if (folder !== undefined) mkdirSync(folder, { recursive: true });
  const shown = folder !== undefined || wanted === 'all' ? views : views.slice(0, 1);
  for (const { view, colorScheme, width, height, rules: runOnly } of shown) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height });
    // As the debugger, past the policy of the page.
    await page.evaluate(axe);
    const { violations, beyondPx } = await page.evaluate(
      async (asked) => {
        const inPage = globalThis as unknown as InPage;
        return {
          ...(await inPage.axe.run({ runOnly: asked })),
          beyondPx: inPage.document.documentElement.scrollWidth - inPage.innerWidth,
        };
      },
      [...runOnly],
    );
    const serious = violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
    if (folder !== undefined)
      await page.screenshot({ path: `${folder}/${name}-${view}.png`, fullPage: true });
    expect(serious, `${name}, ${view}`).toEqual([]);
    expect(beyondPx, `${name}, ${view}: beyond the edge`).toBeLessThanOrEqual(0);
  }
  const [{ colorScheme, width, height }] = views;
  await page.emulateMedia({ colorScheme });
  await page.setViewportSize({ width, height });
}
