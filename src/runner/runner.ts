import type { CommerceConfig } from '../config/runner/read-commerce.ts';
import type { PlannerConfig } from '../config/runner/read-planner.ts';
import type { RunnerConfig } from '../config/runner/read-runner.ts';
import { machineClock } from '../lib/clock.ts';
import type { Logger } from '../lib/log/log.ts';
import { unprivilegedId } from './browser/index.ts';
import type { LivePictures } from './browser-attempt.ts';
import { type DrivenRun, type DrivePlaces, driveRun } from './drive.ts';
import { sweepLeftovers } from './leftovers.ts';
import { createRunLink, type RunLinkOptions } from './link/client.ts';
import { describeError } from './run-log.ts';

export interface RunnerOptions {
  readonly config: RunnerConfig;
  readonly link: Pick<RunLinkOptions, 'origin' | 'identity' | 'workerPublicKey'>;
  readonly log: Logger;
  readonly clock: RunLinkOptions['clock'];
  /** Names this process in leases and logs. */
  readonly name: string;
  /** Absent: no language model is asked where the engine is stuck. */
  readonly planner?: PlannerConfig | undefined;
  readonly commerce?: CommerceConfig | undefined;
  /** Absent: nobody can watch. */
  readonly live?: LivePictures | undefined;
  /** Where the API finds `live`; its port on 127.0.0.1 when absent. */
  readonly liveOrigin?: string | undefined;
  readonly leaseMs?: number;
  readonly pollMs?: number;
  /**
   * How long runs behind the paying click may take to find out what became of it when the runner
   * stops; 30 s when absent.
   */
  readonly stopGraceMs?: number;
}

export interface Runner {
  readonly name: string;
  /**
   * Takes no more runs, gives back those before the paying click, and lets the others find out what
   * became of it.
   */
  stop(): Promise<void>;
}

const defaults = { leaseMs: 20_000, pollMs: 250, stopGraceMs: 30_000 };
const pollMsMax = 10_000;
/** The worker holds its answer back so long when there is no run. */
const claimWaitMsMax = 5_000;
const sweepMs = 5 * 60_000;
/** Runs without a browser that wait for their user. */
const parkedMax = 100;

/** Takes runs from the worker and drives each in a browser of its own, until it is stopped. */
export async function startRunner(options: RunnerOptions): Promise<Runner> {
  const runner = new RunningRunner(options);
  await runner.sweep();
  runner.start();
  const { log, name, config } = options;
  log.info({ runner: name, runsMax: config.runsMax }, 'the runner runs');
  return { name, stop: () => runner.stop() };
}

class RunningRunner {
  readonly #options: RunnerOptions;
  readonly #places: DrivePlaces;
  readonly #runs = new Set<DrivenRun>();
  readonly #stopping = new AbortController();
  readonly #sweeping: NodeJS.Timeout;
  #polling: Promise<void> = Promise.resolve();
  #wake: () => void = () => undefined;
  #warned = new Set<string>();

  constructor(options: RunnerOptions) {
    this.#options = options;
    const { config, clock, log, live, planner, commerce } = options;
    this.#places = {
      config,
      clock,
      log,
      live,
      planner,
      commerce,
      link: createRunLink({ ...options.link, clock, log }),
      leaseMs: options.leaseMs ?? defaults.leaseMs,
      warn: (sentence) => {
        if (!this.#warned.has(sentence)) log.warn(sentence);
        this.#warned.add(sentence);
      },
    };
    this.#sweeping = setInterval(() => void this.sweep(), sweepMs);
    this.#sweeping.unref();
  }

  start(): void {
    this.#polling = this.#poll();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    clearInterval(this.#sweeping);
    this.#wake();
    await this.#polling;
    const graceMs = this.#options.stopGraceMs ?? defaults.stopGraceMs;
    await Promise.all([...this.#runs].map((run) => run.giveBack(graceMs)));
    this.#options.log.info({ runner: this.#options.name }, 'the runner has stopped');
  }

  /** Browsers of runners that were killed leave their folders. */
  async sweep(): Promise<void> {
    const { log, clock } = this.#options;
    try {
      const ids = [process.getuid?.() ?? 0, ...(process.getuid?.() === 0 ? [unprivilegedId] : [])];
      const removed = await sweepLeftovers({ ids, now: machineClock(clock).now() });
      if (removed > 0)
        log.info({ removed }, 'what browsers of earlier runners left behind is removed');
    } catch (error) {
      log.warn(
        { why: describeError(error) },
        'what browsers of earlier runners left behind cannot be removed',
      );
    }
  }

  /** One question at a time: the next run is claimed when there is a slot for it. */
  async #poll(): Promise<void> {
    const pollMs = this.#options.pollMs ?? defaults.pollMs;
    let pauseMs = pollMs;
    while (!this.#stopping.signal.aborted) {
      if (!this.#hasSlot()) {
        await this.#sleep(pollMsMax);
        continue;
      }
      const taken = await this.#take();
      if (taken === 'taken') continue;
      pauseMs = taken === 'none' ? pollMs : Math.min(pauseMs * 2, pollMsMax);
      await this.#sleep(pauseMs * (0.75 + Math.random() / 2));
    }
  }

  #hasSlot(): boolean {
    const parked = [...this.#runs].filter((run) => run.isParked()).length;
    return this.#runs.size - parked < this.#options.config.runsMax && parked < parkedMax;
  }

  async #take(): Promise<'taken' | 'none' | 'away'> {
    const { config, name, log } = this.#options;
    const { link, leaseMs } = this.#places;
    const askedAtMs = performance.now();
    const { allowedPrivateOrigins, paymentFrameOrigins } = config;
    try {
      const { run } = await link.claim(
        {
          waitMs: Math.min(claimWaitMsMax, leaseMs / 4),
          runner: name,
          leaseMs,
          liveOrigin: this.#liveOrigin(),
          allowedPrivateOrigins: [...allowedPrivateOrigins],
          paymentFrameOrigins: [...paymentFrameOrigins],
        },
        { againMs: 0, signal: this.#stopping.signal },
      );
      if (!run) return 'none';
      log.info({ checkoutId: run.hold.checkoutId, fence: run.hold.fence }, 'a run begins');
      const driven = driveRun(this.#places, run, askedAtMs, () => this.#wake());
      this.#runs.add(driven);
      void driven.done.then(() => {
        this.#runs.delete(driven);
        this.#wake();
      });
      return 'taken';
    } catch (error) {
      if (this.#stopping.signal.aborted) return 'none';
      log.warn({ why: describeError(error) }, 'no run can be taken from the worker');
      return 'away';
    }
  }

  #liveOrigin(): string | undefined {
    const { live, liveOrigin } = this.#options;
    return live && (liveOrigin ?? `http://127.0.0.1:${live.port}`);
  }

  /** Until the next run may be asked for; not at all while it stops. */
  #sleep(ms: number): Promise<void> {
    if (this.#stopping.signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
