import type { Page, Request, Response } from 'playwright-core';
import { bounded } from './bounded.ts';
import { pageChange, pageRest } from './quiet.ts';

/** An answer of the network that may tell about the cart or the order. */
export interface NetworkAnswer {
  readonly url: string;
  readonly method: string;
  readonly status: number;
  readonly at: number;
  /** Parsed JSON; undefined when the answer was none. */
  readonly json?: unknown;
}

const ignored = new Set([
  'websocket',
  'eventsource',
  'ping',
  'media',
  'font',
  'image',
  'manifest',
  'texttrack',
]);
const oldRequestMs = 4_000;
const answersMax = 60;
const jsonBytesMax = 500_000;

/** Watches the requests of a page: which run, and what they answered. */
export class NetworkWatch {
  readonly answers: NetworkAnswer[] = [];
  /** Requests that changed something (not GET), since the watch began. */
  changes = 0;
  /**
   * The last document that was asked for, and what became of that: a status, `failed` with the
   * browser's reason, or nothing yet.
   */
  document: { readonly url: string; readonly answer?: number | 'failed'; readonly why?: string } = {
    url: '',
  };
  /** When the last request that counts as busy has ended. */
  endedAt = 0;
  private readonly running = new Map<Request, number>();
  private readonly idlers = new Set<() => void>();
  private readonly unanswered = new Set<Request>();
  private readonly reading = new Set<Promise<void>>();
  private readonly page: Page;

  constructor(page: Page) {
    this.page = page;
    page.on('request', this.onRequest);
    page.on('requestfinished', this.onEnd);
    page.on('requestfailed', this.onFail);
    page.on('response', this.onResponse);
  }

  /** Number of requests that run and are not long polls. */
  get busy(): number {
    const now = Date.now();
    return [...this.running.values()].filter((since) => now - since < oldRequestMs).length;
  }

  /**
   * Whether something that the page sent away (a form, an order) or its next document has no answer
   * yet, however long that takes.
   */
  get awaitsAnswer(): boolean {
    return this.unanswered.size > 0;
  }

  /** Until no request runs that is not a long poll; at most `timeoutMs`. */
  async idle(timeoutMs: number): Promise<void> {
    for (const end = Date.now() + timeoutMs; this.busy > 0 && Date.now() < end; ) {
      // Requests end, or grow old.
      const oldAt = Math.max(...this.running.values()) + oldRequestMs;
      await this.nextIdle(Math.max(1, Math.min(end, oldAt) - Date.now()));
    }
  }

  /** Until what the page sent away is answered; at most `timeoutMs`. */
  async answered(timeoutMs: number): Promise<void> {
    for (const end = Date.now() + timeoutMs; this.awaitsAnswer && Date.now() < end; )
      await this.nextIdle(end - Date.now());
  }

  /** Waits for answers that are being read. */
  async flush(): Promise<void> {
    await Promise.all(this.reading);
  }

  close(): void {
    this.page.off('request', this.onRequest);
    this.page.off('requestfinished', this.onEnd);
    this.page.off('requestfailed', this.onFail);
    this.page.off('response', this.onResponse);
    this.wakeIdlers();
  }

  private nextIdle(timeoutMs: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        this.idlers.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, timeoutMs);
      this.idlers.add(wake);
    });
  }

  private wakeIdlers(): void {
    for (const wake of this.idlers) wake();
  }

  private readonly onRequest = (request: Request): void => {
    const isWriting =
      request.method() !== 'GET' && request.method() !== 'HEAD' && request.method() !== 'OPTIONS';
    // A beacon tells somebody of what has happened, and nobody answers it.
    if (isWriting && request.resourceType() !== 'ping') this.changes += 1;
    const isDocument = request.isNavigationRequest() && request.frame() === this.page.mainFrame();
    if (isDocument) this.document = { url: request.url() };
    if (isDocument || (isWriting && ['xhr', 'fetch'].includes(request.resourceType())))
      this.unanswered.add(request);
    if (!ignored.has(request.resourceType())) this.running.set(request, Date.now());
  };

  private readonly onEnd = (request: Request): void => {
    if (this.running.delete(request)) this.endedAt = Date.now();
    this.unanswered.delete(request);
    this.wakeIdlers();
  };

  private readonly onFail = (request: Request): void => {
    if (this.isDocument(request))
      this.document = {
        url: request.url(),
        answer: 'failed',
        why: request.failure()?.errorText ?? '',
      };
    this.onEnd(request);
  };

  /** Whether it is the document that was asked for last. */
  private isDocument(request: Request): boolean {
    return (
      request.isNavigationRequest() &&
      request.url() === this.document.url &&
      request.frame() === this.page.mainFrame()
    );
  }

  private readonly onResponse = (response: Response): void => {
    const request = response.request();
    if (this.isDocument(request)) this.document = { url: request.url(), answer: response.status() };
    if (this.unanswered.delete(request)) this.wakeIdlers();
    const isData = ['xhr', 'fetch', 'document'].includes(request.resourceType());
    if (!isData) return;
    const base = {
      url: response.url(),
      method: request.method(),
      status: response.status(),
      at: Date.now(),
    };
    const isJson =
      /json/.test(response.headers()['content-type'] ?? '') &&
      Number(response.headers()['content-length'] ?? 0) < jsonBytesMax;
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

/** Between the last answer of the network and what the page makes of it. */
const answerRestMs = 100;
/** A page that never rests counts as quiet after so long, once the network is idle. */
const restlessMs = 2_000;
const actedAt = new WeakMap<Page, number>();

/** Something is done to the page now: whatever comes of it is waited for from here on. */
export function noteAction(page: Page): void {
  actedAt.set(page, Date.now());
}

/**
 * Waits until the network is idle and page and user have rested for `quietMs`; at most `timeoutMs`.
 * What has rested already is not waited for.
 */
export async function settle(
  page: Page,
  watch: NetworkWatch,
  { quietMs = 150, timeoutMs = 8_000 } = {},
): Promise<void> {
  const start = Date.now();
  const end = start + timeoutMs;
  await bounded(page.waitForLoadState('domcontentloaded'), timeoutMs).catch(() => undefined);
  for (;;) {
    const now = Date.now();
    if (now >= end) return;
    await watch.idle(end - now);
    const rest = (at: number, ms: number) => ms - (Date.now() - at);
    const atLeastMs = Math.max(
      rest(actedAt.get(page) ?? 0, quietMs),
      rest(watch.endedAt, Math.min(quietMs, answerRestMs)),
    );
    const timeLeftMs = Math.max(0, end - Date.now());
    const isReady = await pageRest(page, {
      quietMs,
      atLeastMs,
      timeoutMs: Math.min(timeLeftMs, Math.max(restlessMs, quietMs)),
    });
    await watch.flush();
    // A page that asks again and again is not waited for longer than one that changes again and
    // again.
    const isAnswered =
      rest(watch.endedAt, Math.min(quietMs, answerRestMs)) <= 0 || Date.now() - start > restlessMs;
    if (isReady && watch.busy === 0 && isAnswered) return;
    if (!isReady) await new Promise((resolve) => setTimeout(resolve, notReadyMs));
  }
}

const notReadyMs = 50;
const leastChangeMs = 60;

/** Until the page changes or another one comes; at most `timeoutMs`. */
export async function awaitChange(page: Page, timeoutMs: number): Promise<void> {
  const startedAt = Date.now();
  await pageChange(page, timeoutMs);
  // A page that is changing its document says so at once, again and again.
  const left = Math.min(leastChangeMs, timeoutMs) - (Date.now() - startedAt);
  if (left > 0) await new Promise((resolve) => setTimeout(resolve, left));
}
