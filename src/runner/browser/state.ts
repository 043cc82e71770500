import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import type { Json, JsonObject } from '../../lib/json/json.ts';
import type { BrowserState } from '../types.ts';

type Items = ReadonlyMap<string, string>;
type PlaywrightState = Exclude<BrowserContextOptions['storageState'], string | undefined>;

const frameTimeoutMs = 1_000;
const originsMax = 200;
const itemsMax = 1_000;

/** What Playwright restores by itself: cookies, localStorage and IndexedDB. */
export function toPlaywrightState(state: BrowserState): PlaywrightState {
  return {
    cookies: state.cookies as unknown as PlaywrightState['cookies'],
    origins: state.origins.map(({ origin, localStorage, indexedDB }) => ({
      origin,
      localStorage: [...localStorage],
      ...(indexedDB === undefined ? {} : { indexedDB }),
    })) as PlaywrightState['origins'],
  };
}

/**
 * Remembers the sessionStorage of every origin that the tabs of a context are on, also after they
 * went elsewhere.
 */
export interface SessionStorageKeeper {
  save(): Promise<BrowserState>;
}

/**
 * Puts sessionStorage back, once per origin, before its first page runs a script, and follows its
 * changes from then on.
 */
export async function keepState(
  context: BrowserContext,
  restored: BrowserState | undefined,
): Promise<SessionStorageKeeper> {
  const kept = new Map<string, Map<string, string>>();
  for (const { origin, sessionStorage } of restored?.origins ?? []) {
    if (sessionStorage.length === 0) continue;
    kept.set(origin, new Map(sessionStorage.map(({ name, value }) => [name, value])));
    await restoreOnce(context, origin, sessionStorage);
  }
  const follow = (page: Page) => void followPage(page, kept).catch(() => undefined);
  context.pages().forEach(follow);
  context.on('page', follow);
  return { save: () => saveState(context, kept) };
}

async function restoreOnce(
  context: BrowserContext,
  origin: string,
  items: readonly { name: string; value: string }[],
): Promise<void> {
  const script = await context.addInitScript({
    content: `(() => {
      if (location.origin !== ${JSON.stringify(origin)} || sessionStorage.length > 0) return;
      for (const { name, value } of ${JSON.stringify(items)}) sessionStorage.setItem(name, value);
    })();`,
  });
  // Later documents find what the shop made of it, which may be nothing.
  const watch = (page: Page) =>
    page.on('framenavigated', (frame) => {
      if (frame === page.mainFrame() && originOf(frame.url()) === origin)
        void script.dispose().catch(() => undefined);
    });
  context.pages().forEach(watch);
  context.on('page', watch);
}

/**
 * The browser tells every change, so that nothing is lost when a tab leaves an origin, and a page
 * can pretend nothing.
 */
async function followPage(page: Page, kept: Map<string, Map<string, string>>): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const itemsOf = (id: {
    storageKey?: string;
    securityOrigin?: string;
    isLocalStorage: boolean;
  }) => {
    const origin = originOf(id.storageKey ?? id.securityOrigin ?? '');
    // A third party's partition has more behind the origin.
    const isPlain = id.storageKey === undefined || !id.storageKey.includes('^');
    if (
      id.isLocalStorage ||
      origin === undefined ||
      !isPlain ||
      (kept.size >= originsMax && !kept.has(origin))
    )
      return undefined;
    const items = kept.get(origin) ?? new Map<string, string>();
    kept.set(origin, items);
    return items;
  };
  const set = (items: Map<string, string> | undefined, key: string, value: string) =>
    items && (items.size < itemsMax || items.has(key)) ? void items.set(key, value) : undefined;
  session.on('DOMStorage.domStorageItemAdded', ({ storageId, key, newValue }) =>
    set(itemsOf(storageId), key, newValue),
  );
  session.on('DOMStorage.domStorageItemUpdated', ({ storageId, key, newValue }) =>
    set(itemsOf(storageId), key, newValue),
  );
  session.on('DOMStorage.domStorageItemRemoved', ({ storageId, key }) =>
    itemsOf(storageId)?.delete(key),
  );
  session.on('DOMStorage.domStorageItemsCleared', ({ storageId }) => itemsOf(storageId)?.clear());
  await session.send('DOMStorage.enable');
}

async function saveState(
  context: BrowserContext,
  kept: ReadonlyMap<string, Items>,
): Promise<BrowserState> {
  const sessions = new Map(kept);
  const frames = context.pages().flatMap((page) => page.frames());
  for (const [origin, items] of (await Promise.all(frames.map(readFrame))).flatMap((read) =>
    read ? [read] : [],
  )) {
    // Several tabs have one each: the fullest is the one that somebody works in.
    if (!sessions.has(origin) || items.size >= sessions.get(origin)!.size)
      sessions.set(origin, items);
  }
  // A page may keep what cannot be read; the logins are elsewhere.
  const stored = await context
    .storageState({ indexedDB: true })
    .catch(() => context.storageState());
  const byOrigin = new Map(stored.origins.map((one) => [one.origin, one]));
  const origins = [...new Set([...byOrigin.keys(), ...sessions.keys()])].slice(0, originsMax);
  return {
    cookies: stored.cookies as unknown as readonly JsonObject[],
    origins: origins.map((origin) => {
      const { indexedDB } = (byOrigin.get(origin) ?? {}) as { indexedDB?: Json };
      return {
        origin,
        localStorage: byOrigin.get(origin)?.localStorage ?? [],
        sessionStorage: [...(sessions.get(origin) ?? [])].map(([name, value]) => ({ name, value })),
        ...(indexedDB === undefined ? {} : { indexedDB }),
      };
    }),
  };
}

/** Undefined for frames without storage, and for those that do not answer. */
async function readFrame(
  frame: ReturnType<Page['mainFrame']>,
): Promise<readonly [string, Items] | undefined> {
  const isTop = frame.parentFrame() === null;
  const origin = originOf(frame.url());
  const topOrigin = originOf(frame.page().mainFrame().url());
  // Inside another site it is that site's partition of it.
  if (origin === undefined || (!isTop && origin !== topOrigin)) return undefined;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), frameTimeoutMs);
  });
  const read = frame
    .evaluate<[string, [string, string][]]>('[location.origin, Object.entries(sessionStorage)]')
    .catch(() => undefined);
  const answer = await Promise.race([read, late]).finally(() => clearTimeout(timer));
  return answer && answer[0] === origin
    ? [origin, new Map(answer[1].slice(0, itemsMax))]
    : undefined;
}

function originOf(address: string): string | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  return url?.protocol === 'http:' || url?.protocol === 'https:' ? url.origin : undefined;
}
