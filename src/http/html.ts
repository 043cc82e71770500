import { createHash } from 'node:crypto';

/** Text that is HTML already. */
export interface Html {
  readonly html: string;
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Tagged template: every value is escaped unless it is `Html`; lists are joined. */
export function html(parts: TemplateStringsArray, ...values: readonly unknown[]): Html {
  return { html: parts.reduce((text, part, index) => text + render(values[index - 1]) + part) };
}

function render(value: unknown): string {
  if (value === undefined || value === null || value === false) return '';
  if (Array.isArray(value)) return value.map(render).join('');
  if (typeof value === 'object' && 'html' in value) return String(value.html);
  return String(value).replaceAll(/[&<>"']/g, (character) => entities[character]!);
}

const style = `
:root{color-scheme:light dark;--line:#8884;--soft:#8882;--accent:#0a6b57}
@media(prefers-color-scheme:dark){:root{--accent:#5fd3b5}}
body{font:16px/1.55 system-ui,sans-serif;max-width:62rem;margin:0 auto;padding:2rem 1rem 6rem}
h1{font-size:1.7rem}h2{font-size:1.25rem;margin-top:3rem;border-bottom:1px solid var(--line);padding-bottom:.3rem}
h3{font-size:1rem;margin:1.2rem 0 .3rem}a{color:var(--accent)}
code,pre{font:0.9em/1.5 ui-monospace,SFMono-Regular,Menlo,monospace}
code{background:var(--soft);border-radius:.25rem;padding:.05rem .3rem}
pre{background:var(--soft);border-radius:.4rem;padding:.8rem 1rem;overflow-x:auto;white-space:pre-wrap;overflow-wrap:anywhere}
details{border:1px solid var(--line);border-radius:.4rem;margin:.5rem 0;padding:0 1rem}
summary{cursor:pointer;padding:.55rem 0;overflow-wrap:anywhere}details[open]{padding-bottom:1rem}
.method{display:inline-block;min-width:4.2rem;font-weight:700;color:var(--accent)}
table{border-collapse:collapse;width:100%}td,th{text-align:left;vertical-align:top;border-top:1px solid var(--line);padding:.35rem .6rem .35rem 0}
.muted{opacity:.7}nav{columns:2 18rem}nav a{display:block}`;

/** Nothing but the one style sheet of these pages; no script, no picture, no frame. */
export const pageHeaders: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

/** A whole page. */
export function renderPage(title: string, body: Html): string {
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${title}</title><style>${{ html: style }}</style></head>
<body>${body}</body></html>
`.html;
}
