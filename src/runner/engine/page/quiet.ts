import type { JSHandle, Page } from 'playwright-core';
import { bounded } from './bounded.ts';
import { loadingScript } from './loading.ts';

/**
 * Watches a document from inside for as long as it lives, so that nobody who reads it again waits
 * for a quiet that it has had already. What changes again and again (a clock, a carousel) is no
 * work of the shop's: after a few times it is no news, until the next thing that a user does.
 * Nothing of it can be seen by the page.
 */
const watcherScript = `(() => {
  const loading = ${loadingScript};
  let last = performance.now();
  let times = new WeakMap();
  let waiting = [];
  const isStyle = (node) => node.nodeName === 'STYLE';
  const isNews = (change) => {
    if (change.type === 'childList' && [...change.addedNodes, ...change.removedNodes].every(isStyle)) return false;
    const count = (times.get(change.target) || 0) + 1;
    times.set(change.target, count);
    return count <= 6;
  };
  const note = () => { last = performance.now(); const woken = waiting; waiting = []; for (const wake of woken) wake(); };
  new MutationObserver((changes) => { if (changes.filter(isNews).length > 0) note(); }).observe(document, { childList: true, subtree: true, attributes: true, characterData: true, attributeFilter: ['value', 'disabled', 'aria-busy', 'aria-invalid', 'hidden', 'class', 'checked', 'aria-expanded'] });
  const act = () => { last = performance.now(); times = new WeakMap(); };
  for (const type of ['pointerdown', 'click', 'keydown', 'input', 'change', 'focusout', 'submit']) addEventListener(type, act, { capture: true, passive: true });
  const isMask = (el) => {
    const box = el.getBoundingClientRect();
    return box.width > 100 && box.height > 60 && el.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && !el.querySelector('a,button,input,select');
  };
  // The page is there, shows more than that it loads, and no mask lies over it while the shop
  // works.
  const isReady = () => document.readyState !== 'loading' && ![...document.querySelectorAll('.blockUI,.blockOverlay,[class*=loading-mask i],[class*=loading-overlay i],[class*=loader-overlay i],[class*=page-loading i]')].some(isMask) && !loading.isLoading();
  return {
    sign: loading.sign,
    rest: ([quietMs, atLeastMs, timeoutMs]) => new Promise((resolve) => {
      const start = performance.now();
      const look = () => {
        const now = performance.now();
        const left = Math.min(Math.max(quietMs - (now - last), atLeastMs - (now - start)), timeoutMs - (now - start));
        if (left > 0) setTimeout(look, left + 1);
        else resolve(isReady());
      };
      look();
    }),
    next: (timeoutMs) => new Promise((resolve) => { const end = setTimeout(resolve, timeoutMs); waiting.push(() => { clearTimeout(end); resolve(); }); }),
  };
})()`;

interface Watcher {
  rest(input: readonly [number, number, number]): Promise<boolean>;
  next(timeoutMs: number): Promise<void>;
  sign(): string | undefined;
}

const watchers = new WeakMap<Page, JSHandle<Watcher>>();
/** A page that answers nothing for so long after its time is not waited for. */
const graceMs = 2_000;

/**
 * Waits until the page has not changed, and nobody has used it, for `quietMs`; at least
 * `atLeastMs`, at most `timeoutMs`.
 * @returns false when it is not there yet, still loads, or hides behind a mask
 */
export async function pageRest(
  page: Page,
  { quietMs, atLeastMs, timeoutMs }: { quietMs: number; atLeastMs: number; timeoutMs: number },
): Promise<boolean> {
  const rest = (watcher: JSHandle<Watcher>) =>
    watcher.evaluate((it, input) => it.rest(input), [quietMs, atLeastMs, timeoutMs] as const);
  let isOver = false;
  const work = async () => {
    const known = watchers.get(page);
    if (known === undefined) return rest(await install(page));
    // A new document gets a watcher of its own.
    return rest(known).catch(async () => (isOver ? false : rest(await install(page))));
  };
  return bounded(work(), timeoutMs + graceMs)
    .catch(() => false)
    .finally(() => {
      isOver = true;
    });
}

/** Until the page changes or another one comes; at most `timeoutMs`. */
export async function pageChange(page: Page, timeoutMs: number): Promise<void> {
  const next = async () =>
    (watchers.get(page) ?? (await install(page))).evaluate((it, ms) => it.next(ms), timeoutMs);
  await bounded(next(), timeoutMs).catch(() => undefined);
}

/**
 * That a page has not come, as a sentence for the user: it says that it loads, or stays empty.
 * Undefined where there is more.
 */
export async function notLoaded(page: Page): Promise<string | undefined> {
  const sign = async () =>
    (watchers.get(page) ?? (await install(page))).evaluate((it) => it.sign());
  const shown = await bounded(sign(), graceMs).catch(() => undefined);
  if (shown === undefined) return undefined;
  return `The shop’s page does not come: it ${shown === '' ? 'stays empty' : `still shows “${shown}”`}.`;
}

async function install(page: Page): Promise<JSHandle<Watcher>> {
  const watcher = (await page.evaluateHandle(watcherScript)) as unknown as JSHandle<Watcher>;
  watchers.set(page, watcher);
  return watcher;
}
