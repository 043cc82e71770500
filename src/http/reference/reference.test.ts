/** @module-tag slow */

import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBrowser } from '../../../test/harness/browser.ts';
import { startTestApi, type TestApi } from '../../../test/harness/http.ts';
import { describeEventTypes } from '../../areas/event-descriptions.ts';
import { webhookRoutes } from '../../areas/webhooks/api/routes.ts';
import { errorTable } from '../../lib/errors.ts';
import { sandboxValues } from '../../processes/sandbox-values.ts';
import { renderDocsPage } from '../pages/docs-page.ts';
import type { OpenApiDocument } from '../pages/openapi.ts';
import type { HomePage } from './home-page.ts';

let api: TestApi;
let browser: Browser;
let origin: string;
const keys: [string, string][] = [];
const home: HomePage = {
  text: 'Purser',
  addresses: [
    ['API', 'http://127.0.0.1:3000/api'],
    ['Test shop', 'http://127.0.0.1:4100/products/a-shirt-with-a-long-name'],
  ],
  keys,
  next: [['npm run quickstart', 'from an API key to a confirmed transfer']],
  running: () => [['Chains', 'base-sepolia']],
};

beforeAll(async () => {
  const reference = { events: describeEventTypes(), sandboxes: sandboxValues() };
  api = await startTestApi({ routes: webhookRoutes, server: { home, reference } });
  keys.push(['Server key', api.serverKey], ['Client key', api.clientKey]);
  origin = new URL(api.baseUrl).origin;
  browser = await startBrowser();
});
afterAll(async () => {
  await browser?.close();
  await api?.close();
});

const textOf = async (path: string, headers: Record<string, string> = {}) =>
  (await fetch(`${origin}${path}`, { headers: { accept: 'text/html', ...headers } })).text();

/** Opens a page and keeps what its policy refused, and what it asked of other hosts. */
async function open(path: string): Promise<{ page: Page; problems: string[] }> {
  const page = await browser.newPage();
  const problems: string[] = [];
  page.on('request', (request) => {
    if (!/^(?:data|blob):/.test(request.url()) && new URL(request.url()).origin !== origin)
      problems.push(request.url());
  });
  page.on('console', (message) => {
    if (/Content Security Policy|Refused to/.test(message.text())) problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(error.message));
  await page.goto(`${origin}${path}`);
  return { page, problems };
}

/** What is wider than its table or the page, all rows open: a table scrolls, and nobody sees it. */
const cutOff = `(() => {
  for (const row of document.querySelectorAll('details')) row.open = true;
  return [document.documentElement, ...document.querySelectorAll('table')]
    .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
    .map(({ textContent, scrollWidth, clientWidth }) => [scrollWidth - clientWidth, textContent.slice(0, 60)]);
})()`;

describe('the reference', () => {
  it('shows its operations in a browser under a strict policy, and asks nothing of another host', async () => {
    const { page, problems } = await open('/docs');
    await page.getByText('Every call carries an API key').first().waitFor();
    await page.getByText('Send a test event').first().waitFor();
    const tried = await page.evaluate(
      async (key) =>
        (await fetch('/api/unstable/webhooks/endpoints', { headers: { 'x-api-key': key } })).status,
      api.serverKey,
    );
    expect(tried).toBe(200);
    expect(problems).toEqual([]);
    await page.close();
  });

  it('has styles of its own answer only: an element without its nonce is refused, an attribute is let be', async () => {
    const [first, second] = await Promise.all([fetch(`${origin}/docs`), fetch(`${origin}/docs`)]);
    const policyOf = ({ headers }: Response) => headers.get('content-security-policy')!;
    expect(policyOf(first)).not.toBe(policyOf(second));
    expect(
      policyOf(first)
        .replace(/'nonce-[\w+/]{22}=='/, "'nonce-…'")
        .replace(/http:[^ ;]+/, '<origin>'),
    ).toBe(
      "default-src 'none'; script-src 'self'; style-src 'nonce-…'; style-src-attr 'unsafe-inline'; connect-src 'self' <origin>; " +
        "img-src 'self' data:; font-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    const { page } = await open('/docs');
    await page.getByText('Send a test event').first().waitFor();
    const styled = await page.evaluate(`(() => {
      document.body.insertAdjacentHTML('beforeend', '<style>#reference{outline:9px solid red}</style>');
      const made = [...document.querySelectorAll('style')].map(({ sheet }) => sheet?.cssRules.length ?? 0);
      return { made: made.slice(0, -1).every((rules) => rules > 0), strange: made.at(-1) };
    })()`);
    expect(styled).toEqual({ made: true, strange: 0 });
    await page.close();
  });

  it('is a page without scripts at /docs/plain, whose links open the row', async () => {
    const { page, problems } = await open('/docs/plain');
    expect(await page.locator('nav section h3').allTextContents()).toContain('Webhooks');
    const all = JSON.parse(readFileSync('docs/api/openapi.json', 'utf8')) as OpenApiDocument;
    expect(renderDocsPage(all)).not.toMatch(/\*\*\w+\*\*/);
    await page.locator('nav a[href="#listEvents"]').click();
    await page.locator('details[open] #listEvents').waitFor({ state: 'attached' });
    expect(await page.locator('script').count()).toBe(0);
    expect(problems).toEqual([]);
    await page.close();
  });

  it('has the development key for a browser on this machine that asked it by its own address, and for nobody else', async () => {
    for (const path of ['/docs', '/']) {
      expect(await textOf(path)).toContain(api.serverKey);
      expect(await textOf(path, { 'x-forwarded-for': '192.0.2.1' })).not.toContain(api.serverKey);
    }
    const strange = await api.server.inject({
      url: '/',
      headers: { host: 'rebound.example', accept: 'text/html' },
    });
    expect(strange.body).not.toContain(api.serverKey);
    const other = await startTestApi({
      routes: webhookRoutes,
      config: { environment: 'staging' },
      server: { home, reference: { events: [], sandboxes: [] } },
    });
    for (const path of ['/docs', '/', '/docs/start.js'])
      expect(
        await (
          await fetch(new URL(path, other.baseUrl), { headers: { accept: 'text/html' } })
        ).text(),
      ).not.toContain(api.serverKey);
    await other.close();
  });

  it('serves the picture that an answer is like, and no other file', async () => {
    const answer = await fetch(`${origin}/docs/examples/getAgentCheckoutPicture.jpg`);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
    expect(Buffer.from(await answer.arrayBuffer()).subarray(0, 3)).toEqual(
      Buffer.from('ffd8ff', 'hex'),
    );
    for (const name of ['none.jpg', '..%2fexamples.json', '..%2f..%2f..%2fpackage.json'])
      expect((await fetch(`${origin}/docs/examples/${name}`)).status).toBe(404);
  });

  it('describes the body of every webhook', async () => {
    const document = JSON.parse(await textOf('/openapi.json'));
    expect(Object.keys(document.webhooks)).toContain('orders.delivery.completed');
    expect(
      document.webhooks['orders.delivery.completed'].post.requestBody.content['application/json']
        .example.type,
    ).toBe('orders.delivery.completed');
  });
});

describe('the pages beside it', () => {
  it('fit a phone: no address or name is cut off', async () => {
    const page = await browser.newPage({ viewport: { width: 360, height: 740 } });
    for (const path of ['/', '/docs/plain', '/docs/errors', '/docs/sandboxes', '/docs/guides']) {
      await page.goto(`${origin}${path}`);
      expect([path, await page.evaluate(cutOff)]).toEqual([path, []]);
    }
    await page.close();
  });

  it('name every error code, and every magic value of the sandboxes', async () => {
    const errors = await textOf('/docs/errors');
    for (const code of Object.keys(errorTable)) expect(errors).toContain(`<code>${code}</code>`);
    const sandboxes = await textOf('/docs/sandboxes');
    expect(sandboxes).toContain('4000\u00a00000\u00a00000\u00a00002');
    expect(sandboxes).toContain('Declined: <code>card-declined</code>.');
    expect(sandboxes).toContain('…11115001');
  });

  it('are the guides, whose links lead to each other, and a list for language models', async () => {
    const guides = await textOf('/docs/guides');
    expect(guides).toContain('href="/docs/guides/webhooks"');
    // Each stands in a group of its own: a new one is added to `groups` of guides.ts.
    expect(guides).not.toContain('<h2>More</h2>');
    expect([...guides.matchAll(/<h2>/g)].length).toBeGreaterThan(3);
    const list = await textOf('/llms.txt');
    const paths = [...list.matchAll(/\((?:http:\/\/[^/]+)(\/docs\/guides\/[^)]+)\)/g)].map(
      ([, path]) => path!,
    );
    expect(paths.length).toBeGreaterThan(15);
    const pages = new Map<string, string>();
    for (const path of paths) pages.set(path, await textOf(path));
    for (const text of pages.values())
      for (const [, target] of text.matchAll(/href="(\/docs\/guides\/[^"#]+)/g))
        expect([...pages.keys()]).toContain(target);
    expect((await fetch(`${origin}/docs/guides/..%2f..%2fpackage`)).status).toBe(404);
  });
});
