import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBrowser } from '../../../../test/harness/browser.ts';
import { words } from '../words/words.ts';
import { notLoaded } from './quiet.ts';
import { NetworkWatch, settle } from './settle.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

const header = '<header><a href="/">Shop</a> <a href="/cart">Cart (1)</a></header>';
const content = '<h1>Delivery</h1><form><label>City <input></label><button>Next</button></form>';

const comesMs = 1_500;

/**
 * What a page says it lacks, and its heading, when it counts as quiet. Its content comes after a
 * while, if at all.
 */
async function whenQuiet(
  body: string,
  comes: boolean,
): Promise<{ readonly lacks: string | undefined; readonly heading: string }> {
  const page = await browser.newPage();
  const late = `const app = document.getElementById('app'); setTimeout(() => { app.removeAttribute('aria-busy'); app.innerHTML = ${JSON.stringify(content)}; }, ${comesMs});`;
  await page.setContent(`${body}${comes ? `<script>${late}</script>` : ''}`);
  await settle(page, new NetworkWatch(page), { quietMs: 120 });
  const lacks = await notLoaded(page);
  const heading = await page.evaluate<string>(
    '[...document.querySelectorAll("h1")].map((one) => one.textContent).join()',
  );
  await page.close();
  return { lacks, heading };
}

const loading = [
  ['a text instead of the content', `${header}<div id="app">Cargando…</div>`],
  ['nothing beside the header', `${header}<div id="app"></div>`],
  [
    'a spinner with words for the ear',
    `${header}<div id="app"><div class="spinner-border" style="width:20px;height:20px"></div></div>`,
  ],
  [
    'grey bars',
    `<p>Free delivery from $50</p><main id="app"><div class="skeleton-line" style="height:12px;width:200px"></div></main>`,
  ],
  [
    'a form that says it is busy',
    `<section id="app" aria-busy="true"><p>Your address</p></section>`,
  ],
  [
    'a button that says it works',
    `<p>Your address</p><div id="app"><button>Bitte warten…</button></div>`,
  ],
] as const;

describe('a page that is still loading', () => {
  it('is not quiet before its content is there, however it says so', { tags: 'slow' }, async () => {
    const found = await Promise.all(
      loading.map(async ([title, body]) => ({ title, ...(await whenQuiet(body, true)) })),
    );
    expect(found).toEqual(
      loading.map(([title]) => ({ title, lacks: undefined, heading: 'Delivery' })),
    );
  });

  it('is given up when it stays so, and says what it shows', { tags: 'slow' }, async () => {
    const body =
      '<p>Free delivery from $50 <a href="/">Home</a></p><main><p>Wird geladen…</p></main>';
    expect(await whenQuiet(body, false)).toEqual({
      lacks: 'The shop’s page does not come: it still shows “Wird geladen…”.',
      heading: '',
    });
  });

  it('says so in the languages of the engine, and words that only begin alike do not', () => {
    const said = [
      'Loading…',
      'Please wait while we prepare your order.',
      'Lädt…',
      'Bitte warten',
      'Chargement en cours…',
      'Veuillez patienter',
      'Cargando el pedido…',
      'Caricamento in corso…',
      'Even geduld a.u.b.',
      'Carregando…',
      '読み込み中です…',
      'しばらくお待ちください。',
    ];
    const other = [
      'Load more',
      'Loading dock ramp',
      'Laden',
      'Waiting list',
      'Processing fee',
      'Un momento de calma',
    ];
    expect(said.filter((text) => !words.loading.test(text))).toEqual([]);
    expect(other.filter((text) => words.loading.test(text))).toEqual([]);
  });
});
