import { createHash } from 'node:crypto';
import { html } from '../../../http/pages/html.ts';
import { pageScript } from './page-script.ts';
import { pageStyle } from './page-style.ts';

const digest = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** The same for every checkout: what it shows comes with the token. */
export const livePage = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>Agent checkout</title><style>${{ html: pageStyle }}</style></head>
<body><main>
<header><h1>Agent checkout</h1><span class="badge" id="status">Connecting</span><span class="muted" id="trouble" role="status"></span></header>
<noscript><p class="note">This page needs JavaScript to show the checkout.</p></noscript>
<section id="question" class="note" role="status" hidden><p><strong id="asked"></strong></p><p id="how" class="muted"></p><p id="ready" class="row" hidden><button class="main" type="button" id="done">Done, go on</button></p></section>
<section id="live">
<div class="columns">
<div>
<figure><canvas id="picture" width="1280" height="900" role="img" aria-label="Live picture of the shop’s page"></canvas><div id="veil">Connecting</div></figure>
<form id="typing" autocomplete="off" hidden>
<label for="text">Type into the page: tap a field in the picture first</label>
<input id="text" type="text" maxlength="500" autocomplete="off" autocapitalize="off" autocorrect="off" spellcheck="false">
<button class="main" type="submit">Send</button>
<button type="button" data-key="Enter">Enter</button><button type="button" data-key="Tab">Tab</button><button type="button" data-key="Backspace">Delete</button>
<label><input id="hide" type="checkbox"> Hide what I type</label>
</form>
</div>
<div id="doing" hidden><h2>What it does</h2><p id="now" class="muted" role="status" hidden></p><ol id="progress" tabindex="0" aria-label="What it does"></ol></div>
</div>
</section>
<section id="over" hidden>
<p class="note" id="ended">This checkout is over. <span id="gone"></span></p>
<section id="receipts" hidden><h2>Receipt</h2><dl id="receipt"></dl></section>
<section id="player" hidden>
<h2 id="which" aria-live="polite"></h2>
<div class="row"><button type="button" id="before">Back</button><button type="button" id="after">Next</button></div>
<div class="columns">
<div><figure><img id="old" alt="" hidden><p id="none" class="muted">This step has no picture.</p></figure><dl id="detail"></dl></div>
<ol id="list"></ol>
</div>
</section>
</section>
</main><script>${{ html: pageScript }}</script></body></html>
`.html;

const contentPolicy = [
  "default-src 'none'",
  `script-src ${digest(pageScript)}`,
  `style-src ${digest(pageStyle)}`,
  "connect-src 'self'",
  'img-src blob:',
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** Nothing but its own script and style runs in it, and only these origins may frame it. */
export function livePageHeaders(
  frameAncestors: readonly string[],
): Readonly<Record<string, string>> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `${contentPolicy}; frame-ancestors ${frameAncestors.length === 0 ? "'none'" : frameAncestors.join(' ')}`,
    'permissions-policy': 'camera=(), microphone=(), geolocation=()',
  };
}
