import { existsSync, readFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { ServiceError } from '../lib/errors.ts';
import type { PublicAnswer } from './routes/public-routes.ts';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};
const assetName = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.(?:js|css|svg)$/;
const compressedMax = 50;

type Headers = Readonly<Record<string, string>>;

/** A page that was built beforehand: `index.html` of a folder, and what lies in its `assets`. */
export interface BuiltPage {
  page(headers: Headers): PublicAnswer;
  /** @throws route-not-found */
  asset(
    name: string,
    input: { readonly headers: Headers; readonly asked: IncomingHttpHeaders },
  ): PublicAnswer;
}

/** @param title what is said to be under way while there is nothing yet */
export function createBuiltPage(folder: () => string, title: string): BuiltPage {
  const compressed = new Map<string, Buffer>();

  function compress(name: string, body: Buffer): Buffer {
    const known = compressed.get(name);
    if (known) return known;
    const made = gzipSync(body);
    if (compressed.size < compressedMax) compressed.set(name, made);
    return made;
  }

  return {
    page(headers): PublicAnswer {
      const path = join(folder(), 'index.html');
      if (!existsSync(path))
        return {
          status: 503,
          headers: { 'content-type': 'text/plain; charset=utf-8', 'retry-after': '3' },
          body: `${title} is being built: look again in a few seconds. If it lasts, run npm run build:console.\n`,
        };
      return {
        status: 200,
        headers: { ...headers, 'content-type': types['.html']! },
        body: readFileSync(path),
      };
    },
    asset(name, { headers: own, asked }) {
      const path = join(folder(), 'assets', name);
      // Names are made of what is in the file, so what a browser has is what it would get.
      if (!assetName.test(name) || !existsSync(path))
        throw new ServiceError('route-not-found', { message: 'There is no such file.' });
      const headers = {
        ...own,
        'content-type': types[extname(name)]!,
        'cache-control': 'public, max-age=31536000, immutable',
      };
      const body = readFileSync(path);
      if (!/\bgzip\b/.test(String(asked['accept-encoding'] ?? '')))
        return { status: 200, headers, body };
      return {
        status: 200,
        headers: { ...headers, 'content-encoding': 'gzip', vary: 'accept-encoding' },
        body: compress(name, body),
      };
    },
  };
}
