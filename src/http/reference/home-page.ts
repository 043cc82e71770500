import { type Html, html, renderDocumentation } from '../pages/html.ts';

/** What `GET /` of a development instance says. */
export interface HomePage {
  /** For a terminal; it names no key. */
  readonly text: string;
  readonly addresses: readonly (readonly [name: string, url: string])[];
  /** Shown to a browser on the same machine only. */
  readonly keys: readonly (readonly [name: string, key: string])[];
  readonly next: readonly (readonly [command: string, what: string])[];
  /** What runs at this moment. */
  running(): readonly (readonly [part: string, state: string])[];
}

export interface HomeInput {
  readonly environment: string;
  readonly baseUrl: string;
  readonly home?: HomePage;
  readonly showsKeys: boolean;
}

export function renderHomePage({ environment, baseUrl, home, showsKeys }: HomeInput): string {
  return renderDocumentation(
    'Purser',
    html`<h1>Purser</h1>
<p class="lead">Wallets, orders and agent checkouts, on your own machines. This is a ${environment} instance; its interface is at <code>${baseUrl}</code>.</p>
<ul class="cards"><li><a href="/docs">Reference</a><span>Every operation with an example, and calls to try</span></li>
<li><a href="/docs/guides">Guides</a><span>How the parts work and how they are run</span></li>
<li><a href="/docs/errors">Errors</a><span>Every code, and what to do about it</span></li>
<li><a href="/docs/sandboxes">Sandboxes</a><span>Values that make the stand-ins do something</span></li></ul>
${home && renderDevelopment(home, showsKeys)}`,
  );
}

function renderDevelopment(home: HomePage, showsKeys: boolean): Html {
  return html`<h2>Keys</h2>
${
  showsKeys
    ? html`<table>${home.keys.map(([name, key]) => html`<tr><th>${name}</th><td><code class="copy">${key}</code></td></tr>`)}</table><p class="muted">A click selects the whole key.</p>`
    : html`<p>They stand in <code>dev.json</code> of the data folder (<code>var</code> unless <code>--data</code> names another); this page shows them to a browser on the same machine.</p>`
}
<h2>Next</h2><ol class="steps">${home.next.map(([command, what]) => html`<li><code class="copy">${command}</code><span>${what}</span></li>`)}</ol>
<h2>Running</h2><table>${home.running().map(([part, state]) => html`<tr><th>${part}</th><td>${state}</td></tr>`)}</table>
<h2>Addresses</h2><table>${home.addresses.map(
    ([name, url]) => html`<tr><th>${name}</th><td><a href="${url}">${url}</a></td></tr>`,
  )}</table>`;
}
