import type { BrowserContext, CDPSession, Page, Request } from 'playwright-core';
import { RunBrowserError } from './errors.ts';
import { createGroupMemory } from './memory.ts';
import type { BrowserProcess } from './process.ts';

export interface HealthLimits {
  readonly memoryBytesMax: number;
  /** How long a page may answer nothing at all. */
  readonly hangTimeoutMs: number;
  readonly pingIntervalMs: number;
}

export interface HealthWatch {
  /** Rejects with a {@link RunBrowserError} once the browser is of no more use; never resolves. */
  readonly failed: Promise<never>;
  /** Highest memory seen, in bytes. */
  memoryPeakBytes(): number;
  stop(): void;
}

/**
 * Watches a browser: its process, the crash of a page, pages that answer no ping, and its memory.
 * Ends it at the first fault.
 */
export function watchHealth(input: {
  browser: BrowserProcess;
  context: BrowserContext;
  limits: HealthLimits;
}): HealthWatch {
  const { browser, context, limits } = input;
  let isOver = false;
  let peakBytes = 0;
  let fail: (error: RunBrowserError) => void = () => undefined;
  const failed = new Promise<never>((_, reject) => {
    fail = (error) => {
      if (isOver) return;
      isOver = true;
      clearInterval(timer);
      void browser.kill();
      reject(error);
    };
  });
  // Whoever does not wait for it must not be ended by it.
  failed.catch(() => undefined);

  const watchPage = (page: Page) => {
    page.once('crash', () =>
      fail(new RunBrowserError('page-crashed', 'A page of the browser has crashed.')),
    );
    void pingPage(
      page,
      limits,
      () =>
        fail(
          new RunBrowserError('hung', `A page has not answered for ${limits.hangTimeoutMs} ms.`),
        ),
      () => isOver,
    );
  };
  context.pages().forEach(watchPage);
  context.on('page', watchPage);
  void browser.exited.then(() =>
    fail(new RunBrowserError('browser-crashed', 'The browser has ended by itself.')),
  );

  const readMemory = createGroupMemory(browser.pid);
  let isReading = false;
  const timer = setInterval(async () => {
    if (isReading) return;
    isReading = true;
    const bytes = await readMemory();
    isReading = false;
    peakBytes = Math.max(peakBytes, bytes);
    if (bytes > limits.memoryBytesMax)
      fail(
        new RunBrowserError(
          'memory-exceeded',
          `The browser uses more than ${Math.round(limits.memoryBytesMax / 1_048_576)} MiB.`,
        ),
      );
  }, limits.pingIntervalMs / 2);
  timer.unref();

  return {
    failed,
    memoryPeakBytes: () => peakBytes,
    stop: () => {
      isOver = true;
      clearInterval(timer);
    },
  };
}

/** One ping at a time, as long as the page is there. */
async function pingPage(
  page: Page,
  limits: HealthLimits,
  onHang: () => void,
  isOver: () => boolean,
): Promise<void> {
  const session = await page
    .context()
    .newCDPSession(page)
    .catch(() => undefined);
  const navigation = watchNavigation(page);
  while (session && !isOver() && !page.isClosed()) {
    const answer = await pingOnce(session, limits.hangTimeoutMs);
    if (answer === 'none' && !page.isClosed() && !navigation.isExcused(limits.hangTimeoutMs))
      return onHang();
    if (answer === 'gone') return;
    await new Promise((resolve) => setTimeout(resolve, limits.pingIntervalMs).unref());
  }
}

/**
 * A page whose next document a shop takes its time for answers no ping: that is the shop's time, up
 * to this.
 */
const navigationMaxMs = 100_000;

function watchNavigation(page: Page): { isExcused(hangTimeoutMs: number): boolean } {
  const pending = new Map<Request, number>();
  let settledAt = Number.NEGATIVE_INFINITY;
  const settle = (request: Request) => {
    if (pending.delete(request)) settledAt = performance.now();
  };
  page.on('request', (request) => {
    if (request.isNavigationRequest() && request.frame() === page.mainFrame())
      pending.set(request, performance.now());
  });
  page.on('response', (response) => settle(response.request()));
  page.on('requestfinished', settle);
  page.on('requestfailed', settle);
  return {
    isExcused(hangTimeoutMs) {
      const now = performance.now();
      // After an answer the new document has the whole time again.
      return (
        now - settledAt < hangTimeoutMs ||
        [...pending.values()].some((since) => now - since < navigationMaxMs)
      );
    },
  };
}

async function pingOnce(session: CDPSession, timeoutMs: number): Promise<'fine' | 'none' | 'gone'> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'none'>((resolve) => {
    timer = setTimeout(() => resolve('none'), timeoutMs);
  });
  const answer = session.send('Runtime.evaluate', { expression: '1' }).then(
    () => 'fine' as const,
    // A page that is changing its document refuses; one that is gone has closed its session.
    (error: Error) =>
      /closed|detached/i.test(error.message) ? ('gone' as const) : ('fine' as const),
  );
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}
