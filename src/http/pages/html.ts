import { createHash } from 'node:crypto';
import { visible } from '../../../sdk-react/src/visible.ts';
import { theme } from '../theme.ts';

/** Text that is HTML already. */
export interface Html {
  readonly html: string;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/**
 * Tagged template: every value is escaped unless it is `Html`; lists are joined. What would turn
 * the line is spelled out where it is read, and stays in attributes, which are sent back.
 */
export function html(parts: TemplateStringsArray, ...values: readonly unknown[]): Html {
  return {
    html: parts.reduce(
      (text, part, index) =>
        text + render(values[index - 1], !parts[index - 1]!.endsWith('="')) + part,
    ),
  };
}

function render(value: unknown, isRead: boolean): string {
  if (value === undefined || value === null || value === false) return '';
  if (Array.isArray(value)) return value.map((one) => render(one, isRead)).join('');
  if (typeof value === 'object' && 'html' in value) return String(value.html);
  const text = isRead ? visible(String(value)) : String(value);
  return text.replaceAll(/[&<>"']/g, (character) => entities[character]!);
}

const style = `
:root{color-scheme:light dark;--line:#8883;--soft:#8881;--paper:#fff;--accent:#0a6b57}
@media(prefers-color-scheme:dark){:root{--accent:#5fd3b5;--paper:#15191a}}
*{box-sizing:border-box}
body{font:16px/1.6 system-ui,sans-serif;background:var(--paper);max-width:62rem;margin:0 auto;padding:1rem 1.2rem 6rem}
header{display:flex;flex-wrap:wrap;gap:.3rem 1.3rem;align-items:baseline;padding:1rem 0;margin-bottom:2rem;border-bottom:1px solid var(--line)}
header a{text-decoration:none;color:inherit;opacity:.8}header a:hover{color:var(--accent);opacity:1}header a:first-child{font-weight:700;opacity:1;color:var(--accent)}
h1{font-size:2rem;line-height:1.2;letter-spacing:-.02em;margin:0 0 .8rem}h2{font-size:1.25rem;margin:2.6rem 0 .8rem;border-bottom:1px solid var(--line);padding-bottom:.35rem}
h3{font-size:1rem;margin:1.4rem 0 .3rem}a{color:var(--accent);text-underline-offset:.15em}.lead{font-size:1.1rem}
code,pre{font:0.88em/1.5 ui-monospace,SFMono-Regular,Menlo,monospace}
code{background:var(--soft);border-radius:.25rem;padding:.1rem .35rem;overflow-wrap:anywhere}
pre{background:var(--soft);border:1px solid var(--line);border-radius:.5rem;padding:.8rem 1rem;overflow-x:auto;white-space:pre-wrap;overflow-wrap:anywhere}pre code{background:none;padding:0}
details{border:1px solid var(--line);border-radius:.5rem;margin:.5rem 0;padding:0 1rem}
summary{cursor:pointer;padding:.6rem 0;overflow-wrap:anywhere}details[open]{padding-bottom:1rem}
.method{display:inline-block;min-width:4.2rem;font-weight:700;color:var(--accent)}
table{border-collapse:collapse;width:100%;display:block;overflow-x:auto}td,th{text-align:left;vertical-align:top;border-top:1px solid var(--line);padding:.5rem 1rem .5rem 0}
td:last-child,th:last-child{padding-right:0}tr:first-child>*{border-top:0}th{font-weight:600;white-space:nowrap}
.muted{opacity:.7}.copy{user-select:all;cursor:copy}.jump a{margin-right:.8rem}
.whole{overflow-wrap:normal;white-space:nowrap}td a{overflow-wrap:anywhere}nav{columns:2 18rem}nav a{display:block}nav section{break-inside:avoid;padding-bottom:1rem}nav h3{margin:0 0 .2rem}
.cards{list-style:none;padding:0;display:grid;grid-template-columns:repeat(auto-fill,minmax(13rem,1fr));gap:.8rem;margin:1.6rem 0}
.cards li{border:1px solid var(--line);border-radius:.6rem;position:relative;padding:.8rem 1rem}.cards li:hover{border-color:var(--accent)}
.cards a{font-weight:600;text-decoration:none}.cards a::after{content:"";position:absolute;inset:0}.cards span{display:block;font-size:.9rem;opacity:.75}
.steps{padding-left:1.3rem}.steps li{margin:.5rem 0}.steps span{margin-left:.7rem;opacity:.8}`;

/** Beside the design that all pages share: forms as the pages of the sandbox write them. */
const sheetStyle = `${theme}
.sheet{font-size:1rem}.sheet form{display:grid;grid-template-columns:minmax(0,1fr);gap:.9rem}.sheet p{overflow-wrap:anywhere}
.sheet label+br,.sheet label>br{display:none}.sheet label:has([type=checkbox]){display:flex;gap:.6rem;align-items:baseline;font-weight:400}
.sheet input:not([type=checkbox]),.sheet select{width:100%;padding:.6rem .8rem;background:var(--paper)}
.sheet button{padding:.65rem 1.3rem;font-size:1.02rem}.sheet form button:first-of-type{background:var(--accent);border-color:var(--accent);color:var(--on-accent)}
.sheet [role=alert],.sheet [role=status]{padding:.7rem 1rem;border-radius:var(--radius);background:var(--soft)}.sheet [role=alert]{background:var(--bad-soft);color:var(--bad)}
.sheet pre{margin:0;padding:.8rem 1rem;background:var(--soft);border-radius:var(--radius);white-space:pre-wrap;overflow-wrap:anywhere;font:.92rem/1.5 var(--mono)}
.sheet table{width:100%;border-collapse:collapse;margin:.6rem 0}.sheet td{padding:.4rem .8rem .4rem 0;border-top:1px solid var(--line);vertical-align:top;overflow-wrap:anywhere}
.sheet summary{cursor:pointer;color:var(--accent)}.sheet h2{margin-top:.6rem}.sheet .muted{color:var(--faint);font-size:.92rem}`;

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Nothing but the style sheets of these pages; no script, no picture, no frame. */
export const pageHeaders: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src ${hashOf(style)} ${hashOf(sheetStyle)}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

/** A page of the documentation, below the links to its parts. */
export function renderDocumentation(title: string, body: Html): string {
  return renderPage(
    title,
    html`<header><a href="/">Purser</a><a href="/docs">Reference</a><a href="/docs/guides">Guides</a><a href="/docs/errors">Errors</a><a href="/docs/sandboxes">Sandboxes</a></header>
<main>${body}</main>`,
  );
}

/** A whole page. */
function renderPage(title: string, body: Html): string {
  return renderWith(style, title, body);
}

/** A page that asks a person for something: one sheet, in the design of the approval page. */
export function renderSheet(title: string, body: Html): string {
  return renderWith(
    sheetStyle,
    title,
    html`<main class="page"><section class="sheet">${body}</section></main>`,
  );
}

function renderWith(css: string, title: string, body: Html): string {
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${title}</title><style>${{ html: css }}</style></head>
<body>${body}</body></html>
`.html;
}
