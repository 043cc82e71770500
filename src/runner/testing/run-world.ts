import { openRunBrowser, type RunBrowser, type RunBrowserOptions } from '../browser/index.ts';
import { type EgressProxy, openEgressProxy, readOriginPattern } from '../egress/index.ts';
import {
  createTestInternet,
  type LocalServer,
  startLocalServer,
  type TestInternet,
} from './local-servers.ts';

/**
 * A shop at `http://shop.example`, a second one at `http://other.example`, a machine of ours that
 * nobody may reach, and browsers.
 */
export interface RunWorld {
  readonly shop: LocalServer;
  readonly inside: LocalServer;
  readonly internet: TestInternet;
  readonly warnings: string[];
  openProxy(allowedPrivate?: readonly string[]): Promise<EgressProxy>;
  /** With a proxy of its own; both are closed with the world at the latest. */
  openBrowser(
    options?: Partial<RunBrowserOptions>,
  ): Promise<RunBrowser & { readonly proxy: EgressProxy }>;
  close(): Promise<void>;
}

export async function startRunWorld(): Promise<RunWorld> {
  const [shop, inside] = [await startLocalServer(), await startLocalServer()];
  const internet = createTestInternet();
  for (const name of ['shop.example', 'other.example']) internet.names.set(name, ['93.184.216.34']);
  internet.machines.set('93.184.216.34:80', shop.port);
  const closers: (() => Promise<void>)[] = [];
  const warnings: string[] = [];
  const world: RunWorld = {
    shop,
    inside,
    internet,
    warnings,
    async openProxy(allowedPrivate = []) {
      const proxy = await openEgressProxy({
        resolve: internet.resolve,
        connect: internet.connect,
        allowedPrivate: allowedPrivate.map((origin) => readOriginPattern(origin)!),
      });
      closers.push(() => proxy.close());
      return proxy;
    },
    async openBrowser(options = {}) {
      const proxy = await world.openProxy();
      const browser = await openRunBrowser({
        egress: proxy,
        warn: (sentence) => warnings.push(sentence),
        ...options,
      });
      closers.unshift(() => browser.close());
      return { ...browser, proxy };
    },
    async close() {
      for (const close of closers.splice(0)) await close();
      await shop.close();
      await inside.close();
    },
  };
  return world;
}

/** Answers pages by path; 404 for anything else. */
export function servePages(server: LocalServer, pages: Readonly<Record<string, string>>): void {
  server.answer = (request, response) => {
    const html = pages[new URL(request.url ?? '/', 'http://x').pathname];
    response
      .writeHead(html === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' })
      .end(html ?? 'none');
  };
}
