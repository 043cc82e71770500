import type { Page, Request, Response } from 'playwright-core';

/** An answer of the network that may tell about the cart or the order. */
export interface NetworkAnswer {
  readonly url: string;
  readonly method: string;
  readonly status: number;
  readonly at: number;
  /** Parsed JSON; undefined when the answer was none. */
  readonly json?: unknown;
}

const ignored = new Set(['websocket', 'eventsource', 'ping', 'media', 'font', 'image', 'manifest', 'texttrack']);
const oldRequestMs = 4_000;
const answersMax = 60;
const jsonBytesMax = 500_000;

/** Watches the requests of a page: which run, and what they answered. */
export class NetworkWatch {
  readonly answers: NetworkAnswer[] = [];
  /** Requests that changed something (not GET), since the watch began. */
  changes = 0;
  private readonly running = new Map<Request, number>();
  private readonly unanswered = new Set<Request>();
  private readonly reading = new Set<Promise<void>>();
  private readonly page: Page;

  constructor(page: Page) {
    this.page = page;
    page.on('request', this.onRequest);
    page.on('requestfinished', this.onEnd);
    page.on('requestfailed', this.onEnd);
    page.on('response', this.onResponse);
  }

  /** Number of requests that run and are not long polls. */
  get busy(): number {
    const now = Date.now();
    return [...this.running.values()].filter((since) => now - since < oldRequestMs).length;
  }

  /** Whether something that the page sent away (a form, an order) or its next document has no answer yet, however long that takes. */
  get awaitsAnswer(): boolean {
    return this.unanswered.size > 0;
  }

  /** Waits for answers that are being read. */
  async flush(): Promise<void> {
    await Promise.all(this.reading);
  }

  close(): void {
    this.page.off('request', this.onRequest);
    this.page.off('requestfinished', this.onEnd);
    this.page.off('requestfailed', this.onEnd);
    this.page.off('response', this.onResponse);
  }

  private readonly onRequest = (request: Request): void => {
    const isWriting = request.method() !== 'GET' && request.method() !== 'HEAD' && request.method() !== 'OPTIONS';
    if (isWriting) this.changes += 1;
    const isDocument = request.isNavigationRequest() && request.frame() === this.page.mainFrame();
    if (isDocument || (isWriting && ['xhr', 'fetch'].includes(request.resourceType()))) this.unanswered.add(request);
    if (!ignored.has(request.resourceType())) this.running.set(request, Date.now());
  };

  private readonly onEnd = (request: Request): void => {
    this.running.delete(request);
    this.unanswered.delete(request);
  };

  private readonly onResponse = (response: Response): void => {
    const request = response.request();
    this.unanswered.delete(request);
    const isData = ['xhr', 'fetch', 'document'].includes(request.resourceType());
    if (!isData) return;
    const base = { url: response.url(), method: request.method(), status: response.status(), at: Date.now() };
    const isJson =
      /json/.test(response.headers()['content-type'] ?? '') && Number(response.headers()['content-length'] ?? 0) < jsonBytesMax;
    const keep = (answer: NetworkAnswer) => {
      this.answers.push(answer);
      if (this.answers.length > answersMax) this.answers.shift();
    };
    if (!isJson) return keep(base);
    const read = bounded(response.json(), 3_000).then(
      (json) => keep({ ...base, json }),
      () => keep(base),
    );
    this.reading.add(read);
    void read.finally(() => this.reading.delete(read));
  };
}

/** A promise that is given up after a time. */
export function bounded<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new LateError(`Nothing within ${timeoutMs} ms.`)), timeoutMs);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

export class LateError extends Error {}

/** What changes again and again (a clock, a carousel) is no work of the shop's: after a few times it is not waited for. */
const quietScript = (quietMs: number, timeoutMs: number) => `new Promise((resolve) => {
  const times = new Map();
  let timer = setTimeout(done, ${quietMs});
  const observer = new MutationObserver((changes) => {
    const isNews = changes.some((change) => { const count = (times.get(change.target) || 0) + 1; times.set(change.target, count); return count <= 6; });
    if (!isNews) return;
    clearTimeout(timer); timer = setTimeout(done, ${quietMs});
  });
  const end = setTimeout(done, ${timeoutMs});
  function done() { observer.disconnect(); clearTimeout(timer); clearTimeout(end); resolve(true); }
  observer.observe(document, { childList: true, subtree: true, attributes: true, characterData: true, attributeFilter: ['value', 'disabled', 'aria-busy', 'aria-invalid', 'hidden', 'class', 'checked', 'aria-expanded'] });
})`;

/** The page is there, and no mask lies over it while the shop works. */
const readyScript = `(() => {
  if (document.readyState === 'loading') return false;
  const isMask = (el) => {
    const box = el.getBoundingClientRect();
    return box.width > 100 && box.height > 60 && el.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && !el.querySelector('a,button,input,select');
  };
  return ![...document.querySelectorAll('.blockUI,.blockOverlay,[class*=loading-mask i],[class*=loading-overlay i],[class*=loader-overlay i],[class*=page-loading i]')].some(isMask);
})()`;

/** Waits until the network is idle and the page has not changed for `quietMs`; at most `timeoutMs`. */
export async function settle(page: Page, watch: NetworkWatch, { quietMs = 150, timeoutMs = 8_000 } = {}): Promise<void> {
  const end = Date.now() + timeoutMs;
  await bounded(page.waitForLoadState('domcontentloaded'), timeoutMs).catch(() => undefined);
  for (;;) {
    const left = end - Date.now();
    if (left <= 0) return;
    await bounded(page.evaluate(quietScript(quietMs, Math.min(left, 2_000))), Math.min(left, 4_000)).catch(() => undefined);
    if (watch.busy === 0) {
      await watch.flush();
      const isLoaded = await bounded(page.evaluate<boolean>(readyScript), 2_000).catch(() => false);
      if (isLoaded && watch.busy === 0) return;
    }
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
}
