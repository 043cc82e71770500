import type { Request, Route } from 'playwright-core';

/** How long what a page has asked for may take to end before the connections are closed. */
const endMsMax = 300;
/**
 * How long anything else is held back at most while the answer is awaited: by then the request has
 * long left.
 */
const holdMsMax = 3_000;

interface Hold {
  /** Resolves when the host's connections are closed. */
  readonly cleared: Promise<void>;
  /** Resolves when the rest goes on. */
  readonly released: Promise<void>;
  release(): void;
}

/**
 * Sees to it that a request leaves over a connection that nothing else has used. Closing the kept
 * ones is not enough: what a page asks for meanwhile (news, all the time) opens new ones, and a
 * browser repeats a request by itself, a POST too and more than once, when a connection breaks that
 * has carried an answer before. So the rest waits until the request is answered.
 */
export class QuietHosts {
  readonly #running = new Map<Request, string>();
  readonly #holds = new Map<string, Hold>();
  #wake: () => void = () => undefined;

  /**
   * Lets a request that places no order go on, as soon as its host may be asked for anything else.
   */
  async pass(route: Route): Promise<void> {
    const request = route.request();
    const { hostname } = new URL(request.url());
    await this.#holds.get(hostname)?.released;
    if (request.resourceType() !== 'eventsource') this.#running.set(request, hostname);
    return route.fallback();
  }

  /** A request has its answer, or will never have one. */
  ended(request: Request): void {
    if (this.#running.delete(request)) this.#wake();
  }

  /**
   * Holds the rest back, waits a moment for what is under way, and closes the connections. Who
   * comes meanwhile waits with the first.
   */
  clear(hostname: string, close: () => void): Promise<void> {
    const before = this.#holds.get(hostname);
    if (before) return before.cleared;
    let release = () => undefined as void;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const cleared = this.#untilIdle(hostname).then(close);
    this.#holds.set(hostname, { cleared, released, release });
    setTimeout(() => this.release(hostname), endMsMax + holdMsMax).unref();
    return cleared;
  }

  /** The host may be asked for anything again. */
  release(hostname: string): void {
    this.#holds.get(hostname)?.release();
    this.#holds.delete(hostname);
  }

  async #untilIdle(hostname: string): Promise<void> {
    for (
      const end = Date.now() + endMsMax;
      Date.now() < end && [...this.#running.values()].includes(hostname);
    ) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, end - Date.now());
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }
}
