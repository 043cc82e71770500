import { existsSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { consoleFolder } from '../../../config/folders.ts';
import type { PublicAnswer, PublicRoute } from '../../../http/public-routes.ts';
import { ServiceError } from '../../../lib/errors.ts';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Scripts and styles of this console alone, nothing from the network, in no frame; text never becomes a script. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');
const pageHeaders = {
  'content-security-policy': policy,
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'publickey-credentials-get=(self), publickey-credentials-create=(self)',
};

const assetName = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.(?:js|css|svg)$/;

function page(): PublicAnswer {
  const path = join(consoleFolder(), 'index.html');
  if (!existsSync(path))
    return {
      status: 503,
      headers: { 'content-type': 'text/plain; charset=utf-8', 'retry-after': '3' },
      body: 'The console is being built: look again in a few seconds. If it lasts, run npm run build:console.\n',
    };
  return { status: 200, headers: { ...pageHeaders, 'content-type': types['.html']! }, body: readFileSync(path) };
}

const compressed = new Map<string, Buffer>();
const compressedMax = 50;

function compress(name: string, body: Buffer): Buffer {
  const known = compressed.get(name);
  if (known) return known;
  const made = gzipSync(body);
  if (compressed.size < compressedMax) compressed.set(name, made);
  return made;
}

function asset(name: string, encodings: string): PublicAnswer {
  const path = join(consoleFolder(), 'assets', name);
  // Names are made of what is in the file, so what a browser has is what it would get.
  if (!assetName.test(name) || !existsSync(path)) throw new ServiceError('route-not-found', { message: 'There is no such file.' });
  const headers = { ...pageHeaders, 'content-type': types[extname(name)]!, 'cache-control': 'public, max-age=31536000, immutable' };
  const body = readFileSync(path);
  if (!/\bgzip\b/.test(encodings)) return { status: 200, headers, body };
  return { status: 200, headers: { ...headers, 'content-encoding': 'gzip', vary: 'accept-encoding' }, body: compress(name, body) };
}

/** The console is one page; what it shows stands in its address. */
export const pageRoutes: readonly PublicRoute[] = [
  { method: 'GET', path: '', handler: async () => page() },
  {
    method: 'GET',
    path: '/assets/:name',
    handler: async (_, { params, headers }) => asset(params.name!, String(headers['accept-encoding'] ?? '')),
  },
  { method: 'GET', path: '/*', handler: async () => page() },
];
