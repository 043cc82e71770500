import type { Page } from 'playwright-core';
import type { CommerceConfig } from '../config/runner/read-commerce.ts';
import type { RunnerConfig } from '../config/runner/read-runner.ts';
import type { Clock } from '../lib/clock.ts';
import type { Logger } from '../lib/log/log.ts';
import { openRunBrowser, type RunBrowser, RunBrowserError } from './browser/index.ts';
import { openCommerce } from './commerce/index.ts';
import type { Deadline } from './deadline.ts';
import {
  type EgressProxy,
  explainRefusal,
  openEgressProxy,
  readOriginPattern,
} from './egress/index.ts';
import { type Planner, runCheckout } from './engine/index.ts';
import { installOrderGate, looksLikeOrder } from './gate/order-gate.ts';
import type { RunHold } from './hold.ts';
import type { RunLink } from './link/client.ts';
import { takeOverKinds } from './link/wire.ts';
import type { TellSecret } from './live/live-view.ts';
import { type ConnectedPorts, createRunPorts, type RunMemory } from './ports.ts';
import { createRunLog, describeError } from './run-log.ts';
import {
  type RunEnd,
  RunLostError,
  type RunScreen,
  type RunTask,
  type UserActionKind,
} from './types.ts';

/** Where runs can be watched; `LiveServer` is one. */
export interface LivePictures {
  readonly port: number;
  show(checkoutId: string, page: Page, tellSecret?: TellSecret): Promise<ShownPictures>;
}
export interface ShownPictures {
  readonly screen: RunScreen;
  permitInput(isPermitted: boolean): void;
  close(): Promise<void>;
}

export interface AttemptPlaces {
  readonly config: RunnerConfig;
  /** Shops' own interfaces for agents; absent: purchases go through pages alone. */
  readonly commerce?: CommerceConfig | undefined;
  readonly link: RunLink;
  readonly live?: LivePictures | undefined;
  readonly clock: Clock;
  /** Names the run in every line. */
  readonly log: Logger;
  /** Once per runner and not per run. */
  readonly warn: (sentence: string) => void;
}

export interface AttemptInput {
  readonly task: RunTask;
  readonly held: RunHold;
  readonly memory: RunMemory;
  readonly deadline: Deadline;
  /** Helps where the engine is stuck. */
  readonly planner?: Planner | undefined;
  /** The browser was closed, because only the user can go on. */
  readonly park: () => void;
}

export type BrowserAttempt = { readonly end: RunEnd } | { readonly fault: RunBrowserError };

/** How long a run may take to stop by itself when it must. */
const stopGraceMs = 10_000;
/** How long a page may take to say that it is there. */
const pulseMs = 5_000;
/** A question about the outcome may wait for a day: after so long it waits without a browser. */
const parkAfterMs = 10 * 60_000;
const saveMsMax = 15_000;
const unwindMsMax = 5_000;

/**
 * One browser for a run, from its start to its end.
 * @returns how the run ended, or why the browser is of no more use
 * @throws RunLostError, and RunBrowserError when the browser does not start
 */
export async function attemptInBrowser(
  places: AttemptPlaces,
  input: AttemptInput,
): Promise<BrowserAttempt> {
  input.held.lost.throwIfAborted();
  const { config, warn } = places;
  const readAll = (origins: readonly string[]) =>
    origins.flatMap((origin) => readOriginPattern(origin) ?? []);
  const proxy = await openEgressProxy({
    blocked: readAll(config.blockedOrigins),
    allowedPrivate: readAll(config.allowedPrivateOrigins),
  });
  try {
    const browser = await openRunBrowser({
      egress: proxy,
      chromiumPath: config.chromiumPath,
      memoryBytesMax: config.memoryBytesMax,
      ...(input.task.buyer.shipping && { countryCode: input.task.buyer.shipping.countryCode }),
      ...(input.task.browserState && { state: input.task.browserState }),
      warn,
    });
    try {
      return await new Attempt(places, input, proxy, browser).run();
    } finally {
      await browser.close();
    }
  } finally {
    await proxy.close();
  }
}

class Attempt {
  readonly #places: AttemptPlaces;
  readonly #input: AttemptInput;
  readonly #proxy: EgressProxy;
  readonly #browser: RunBrowser;
  readonly #givenUp = new AbortController();
  #parking: NodeJS.Timeout | undefined;
  #isParked = false;
  #shown: ShownPictures | undefined;

  constructor(places: AttemptPlaces, input: AttemptInput, proxy: EgressProxy, browser: RunBrowser) {
    this.#places = places;
    this.#input = input;
    this.#proxy = proxy;
    this.#browser = browser;
  }

  async run(): Promise<BrowserAttempt> {
    const { held, deadline } = this.#input;
    const connected = createRunPorts({
      ...this.#places,
      ...this.#input,
      signal: this.#givenUp.signal,
      onAsking: (kind, isAsked) => this.#onAsking(kind, isAsked),
      checkBrowser: () => this.#checkBrowser(),
    });
    const signal = AbortSignal.any([held.stopped, deadline.signal, this.#givenUp.signal]);
    const stopTimer = this.#stopWithin(signal);
    try {
      return await this.#race(connected, signal);
    } finally {
      clearTimeout(stopTimer.timer);
      signal.removeEventListener('abort', stopTimer.onAbort);
      clearTimeout(this.#parking);
      this.#givenUp.abort(new RunBrowserError('closed', 'This browser was given up.'));
      await this.#shown?.close().catch(() => undefined);
      this.#noteIncidents();
    }
  }

  async #race(connected: ConnectedPorts, signal: AbortSignal): Promise<BrowserAttempt> {
    const engine = this.#drive(connected, signal).then(
      (end) => ({ end }),
      (error: unknown) => ({ error }),
    );
    const health = this.#browser.health.catch((fault: RunBrowserError) => ({ fault }));
    const first = await Promise.race([engine, health]);
    if ('fault' in first) {
      this.#givenUp.abort(first.fault);
      await this.#browser.close();
      // Whatever it still says is said to nobody. Once armed was asked for, its answer decides what
      // the next browser does.
      await Promise.race([
        engine,
        new Promise((resolve) => setTimeout(resolve, unwindMsMax).unref()),
      ]);
      return first;
    }
    if ('error' in first) {
      if (first.error instanceof RunLostError) throw first.error;
      const fault = await this.#findFault();
      if (fault) return { fault };
      throw first.error;
    }
    const isSure = first.end.outcome === 'succeeded' || signal.aborted || this.#isParked;
    const fault = isSure ? undefined : await this.#findFault();
    if (fault) return { fault };
    await connected.drain();
    await this.#saveState(connected, first.end);
    return first;
  }

  async #drive({ ports }: ConnectedPorts, signal: AbortSignal): Promise<RunEnd> {
    const { task, memory, held } = this.#input;
    const { clock, log, live } = this.#places;
    const { page, context } = this.#browser;
    const gate = await installOrderGate(context, {
      match: looksLikeOrder(new URL(task.url).origin),
      beforePass: (url) => this.#proxy.closeTunnels(url.hostname),
      paymentOrigins: task.paymentFrameOrigins,
      isOver: () => held.isOver(),
    });
    this.#shown = await live
      ?.show(task.checkoutId, page, (secret) => memory.scrubber.learnTyped(secret))
      .catch((error: unknown) => {
        log.warn({ why: describeError(error) }, 'a run cannot be watched');
        return undefined;
      });
    const commerce = this.#places.commerce && openCommerce(this.#places.commerce, this.#proxy);
    return runCheckout({
      page,
      context,
      ...(commerce && { commerce }),
      task,
      ports,
      signal,
      log: createRunLog(log, (text) => memory.scrubber.text(text)),
      gate: {
        arm: () => void gate.armOnce(),
        placedRequests: () => gate.passedCount(),
        allowStep: (url) => gate.allowStep(url),
        covers: (request) => gate.covers(request),
      },
      ...(this.#shown && { screen: this.#shown.screen }),
      ...(this.#input.planner && { planner: this.#input.planner }),
      refusalOf: (address) => explainRefusal(this.#proxy.decisions(), address, this.#places.config),
      now: () => clock.now(),
    }).finally(() => commerce?.close());
  }

  /** A run that must stop has a moment to do so in good order; one that is lost has none. */
  #stopWithin(signal: AbortSignal) {
    const stop: { timer?: NodeJS.Timeout; onAbort: () => void } = {
      onAbort: () => {
        stop.timer = setTimeout(
          () => void this.#browser.close(),
          signal.reason instanceof RunLostError ? 0 : stopGraceMs,
        );
      },
    };
    if (signal.aborted) stop.onAbort();
    else signal.addEventListener('abort', stop.onAbort, { once: true });
    return stop;
  }

  #onAsking(kind: UserActionKind, isAsked: boolean): void {
    if (takeOverKinds.includes(kind)) this.#shown?.permitInput(isAsked);
    clearTimeout(this.#parking);
    if (isAsked && kind === 'confirm-outcome')
      this.#parking = setTimeout(() => void this.#park(), parkAfterMs);
  }

  async #park(): Promise<void> {
    this.#isParked = true;
    await this.#shown?.close().catch(() => undefined);
    this.#shown = undefined;
    await this.#browser.close();
    this.#input.park();
  }

  async #checkBrowser(): Promise<void> {
    const fault = await this.#findFault();
    if (fault) throw fault;
  }

  /** Why the browser is of no more use; undefined when its page answers. */
  async #findFault(): Promise<RunBrowserError | undefined> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<RunBrowserError>((resolve) => {
      timer = setTimeout(
        () => resolve(new RunBrowserError('hung', `The page has not answered for ${pulseMs} ms.`)),
        pulseMs,
      );
    });
    const health = this.#browser.health.catch((fault: RunBrowserError) => fault);
    const pulse = this.#browser.page
      .evaluate('1')
      .then(() => undefined)
      // A page that changes its document refuses; one that is gone says why within a moment.
      .catch((error: Error) => (/closed|crash/i.test(error.message) ? health : undefined));
    return Promise.race([pulse, health, late]).finally(() => clearTimeout(timer));
  }

  /**
   * What the browser learned, after a purchase, or when the user has signed in: so much need not be
   * done again.
   */
  async #saveState({ ports }: ConnectedPorts, end: RunEnd): Promise<void> {
    const { held, memory, task } = this.#input;
    if (!task.keepsBrowserState) return;
    const hasSignedIn = memory.evidence.some(({ step }) => step === 'login');
    if (this.#isParked || held.lost.aborted || (end.outcome !== 'succeeded' && !hasSignedIn))
      return;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(
        () => reject(new RunBrowserError('hung', 'The state of the browser was not read in time.')),
        saveMsMax,
      );
    });
    try {
      await Promise.race([
        this.#browser.saveState().then((state) => ports.saveBrowserState(state)),
        late,
      ]);
    } catch (error) {
      if (error instanceof RunLostError) throw error;
      this.#places.log.warn(
        { why: describeError(error) },
        'what a browser has learned was not kept',
      );
    } finally {
      clearTimeout(timer);
    }
  }

  #noteIncidents(): void {
    const counts: Record<string, number> = {};
    for (const { kind } of this.#browser.incidents()) counts[kind] = (counts[kind] ?? 0) + 1;
    const refused = this.#proxy.decisions().filter(({ allowed }) => !allowed).length;
    const memoryMib = Math.round(this.#browser.memoryPeakBytes() / 1_048_576);
    this.#places.log.info({ memoryMib, refused, ...counts }, 'a browser is closed');
  }
}
