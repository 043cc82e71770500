import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import Fastify from 'fastify';
import { html } from '../pages/html.ts';
import { readShipped } from './shipped.ts';

/** Where the build puts the program of the page. */
const bundlePath = 'dist/reference.js';

export interface ReferencePage {
  readonly html: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * The reference that runs in the browser. Its settings stand in the page as data, which another
 * site can neither run nor read: they may hold the key of a development instance.
 */
export function renderReferencePage(input: {
  readonly baseUrl: string;
  readonly key?: string;
}): ReferencePage {
  const { baseUrl, key } = input;
  const settings = {
    url: '/openapi.json',
    withDefaultFonts: false,
    telemetry: false,
    persistAuth: false,
    showDeveloperTools: 'never',
    hideClientButton: true,
    agent: { disabled: true },
    mcp: { disabled: true },
    documentDownloadType: 'json',
    defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
    authentication: {
      preferredSecurityScheme: 'apiKey',
      ...(key !== undefined && { securitySchemes: { apiKey: { value: key } } }),
    },
  };
  const nonce = randomBytes(16).toString('base64');
  const data = JSON.stringify(settings).replaceAll('<', '\\u003c');
  return {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      // Scripts are two files of this origin, without eval. Style elements have the nonce of this
      // answer. Attributes are let be: the program writes them with its markup; they can name no
      // other element and load nothing but what img-src and font-src allow.
      'content-security-policy': `default-src 'none'; script-src 'self'; style-src 'nonce-${nonce}'; style-src-attr 'unsafe-inline'; connect-src 'self' ${new URL(baseUrl).origin}; img-src 'self' data:; font-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'no-store',
    },
    html: html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>Reference · Purser</title><style nonce="${nonce}">${{ html: style }}</style></head>
<body><nav aria-label="Documentation"><a href="/">Purser</a><a href="/docs/guides">Guides</a><a href="/docs/errors">Errors</a><a href="/docs/sandboxes">Sandboxes</a><a href="/docs/plain">Without scripts</a></nav>
<noscript><p>This page needs scripts. <a href="/docs/plain">The same without scripts.</a></p></noscript>
<div id="reference"></div><script type="application/json" id="settings">${{ html: data }}</script><script src="/docs/start.js" nonce="${nonce}"></script><script src="/docs/reference.js"></script></body></html>
`.html,
  };
}

const style =
  'body>nav{display:flex;flex-wrap:wrap;gap:.4rem 1.2rem;padding:.6rem 1rem;font:15px system-ui,sans-serif;border-bottom:1px solid #8884;color:var(--scalar-color-1,inherit);background:var(--scalar-background-1,none)}body>nav a{color:inherit}body>nav a:first-child{font-weight:700;text-decoration:none}noscript p{padding:1rem}#reference section:focus{outline:0}';

/**
 * Gives the nonce of the page to the style elements that its program will make: it knows of none.
 */
export const startScript = `const { nonce } = document.currentScript;
const create = Document.prototype.createElement;
Document.prototype.createElement = function (...input) {
  const element = create.apply(this, input);
  if (element.localName === 'style') {
    element.setAttribute('nonce', nonce);
    // The program would write "undefined" over it.
    Object.defineProperty(element, 'nonce', { value: nonce, writable: true });
  }
  return element;
};
addEventListener('DOMContentLoaded', () => Scalar.createApiReference('#reference', JSON.parse(document.getElementById('settings').textContent)));
`;

/**
 * The program of the page, packed; undefined where neither the build nor the package of development
 * is there. Read once, late.
 */
export async function readBundle(): Promise<Buffer | undefined> {
  const text = readShipped(bundlePath) ?? (await bundleOfPackage());
  return text === undefined ? undefined : gzipSync(text);
}

/** The package has its program inside of a plugin, and serves it. */
export async function bundleOfPackage(): Promise<string | undefined> {
  const plugin = await import('@scalar/fastify-api-reference').catch(() => undefined);
  if (!plugin) return undefined;
  const server = Fastify();
  await server.register(plugin.default, {
    routePrefix: '/reference',
    configuration: { content: '{}' },
  });
  const { body, statusCode } = await server.inject('/reference/js/scalar.js');
  await server.close();
  return statusCode === 200 ? body : undefined;
}
