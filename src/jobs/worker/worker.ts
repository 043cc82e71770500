import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import type { Ctx } from '../context.ts';
import type { JsonObject } from '../lib/json/json.ts';
import { cleanUp, type Retention } from './clean-up.ts';
import type { FlowDefinition, JobsCtx } from './flows/flow.ts';
import {
  type ClaimResult,
  claimFlows,
  type FlowRow,
  releaseFlows,
  renewLeases,
} from './flows/flow-store.ts';
import { runFlow } from './flows/run-flow.ts';
import { addLocalWorker, type LocalWorker } from './local-workers.ts';
import { count } from './metrics.ts';
import { flowsChannel, hear } from './notify.ts';

export interface WorkerOptions<C extends JobsCtx = Ctx> {
  readonly flows: readonly FlowDefinition<JsonObject, C>[];
  /** Shown with each step; no identity depends on it. Default: host and process. */
  readonly name?: string;
  /** Flows run at once; default 64. One project gets at most three quarters of them. */
  readonly concurrency?: number;
  /** A worker that says nothing for this long loses its flows; default 10 s. */
  readonly leaseMs?: number;
  /** Longest time between two looks; default 500 ms. */
  readonly pollMs?: number;
  /** Longest wait of `stop` for steps at work; default 20 s. */
  readonly stopMs?: number;
  /** Absent: this worker does not clean up. */
  readonly retention?: Retention;
  /** For the jitter of retries. */
  readonly random?: () => number;
}

export interface Worker {
  readonly name: string;
  start(): void;
  /** Takes no new work, lets steps at work finish, gives the rest back. */
  stop(): Promise<void>;
}

type Signal = 'work' | 'timer' | 'poll' | 'backlog';

interface Running {
  row: Pick<FlowRow, 'id' | 'fence' | 'projectId'>;
  leasedAtMs: number;
  aborter: AbortController;
  finished: Promise<void>;
}

const backlogPatienceMs = 100;
const cleanUpEveryMs = 60_000;
const pollJitterMax = 1.2;
const claimErrorDelayMsMax = 5_000;
/** A flow this much overdue when only the poll looked was missed by notifications. */
const overdueMs = 50;
/**
 * Each claim looks at no fewer candidates per project: with fewer claimed than this, nothing else
 * was due.
 */
const perProjectMin = 4;

/**
 * Makes a worker that runs due flows of the given kinds. Any number may run, in any number of
 * processes.
 */
export function createWorker<C extends JobsCtx>(ctx: C, options: WorkerOptions<C>): Worker {
  const name = options.name ?? `${hostname()}:${process.pid}:${randomBytes(3).toString('hex')}`;
  const concurrency = options.concurrency ?? 64;
  const leaseMs = options.leaseMs ?? 10_000;
  const pollMs = options.pollMs ?? 500;
  const random = options.random ?? Math.random;
  const definitions = new Map(options.flows.map((definition) => [definition.kind, definition]));
  if (definitions.size !== options.flows.length)
    throw new Error('Two flow definitions have the same kind.');
  const kinds = options.flows.map(({ kind, version }) => ({ kind, version }));

  const running = new Map<string, Running>();
  const signals = new Set<Signal>();
  let stopping = false;
  let wakeLoop: (() => void) | undefined;
  let dueTimer: NodeJS.Timeout | undefined;
  let dueAtMs = Infinity;
  let dueProjects = 1;
  let loop: Promise<void> | undefined;

  function poke(signal: Signal): void {
    signals.add(signal);
    wakeLoop?.();
    // A backlog waits for a large claim, but not long: slow flows may hold the places.
    if (signal === 'backlog') pokeAt(new Date(ctx.clock.now().getTime() + backlogPatienceMs));
  }

  /** Looks again at `at` (service time) unless something earlier is planned. */
  function pokeAt(at: Date | undefined): void {
    if (at === undefined || stopping) return;
    const waitMs = Math.max(0, at.getTime() - ctx.clock.now().getTime());
    const targetMs = performance.now() + waitMs;
    if (targetMs >= dueAtMs || waitMs > pollMs * pollJitterMax) return;
    clearTimeout(dueTimer);
    dueAtMs = targetMs;
    dueTimer = setTimeout(() => {
      dueAtMs = Infinity;
      poke('timer');
    }, waitMs + 1);
  }

  /**
   * Half of the places must be free before a backlog is claimed from: that keeps claims large and
   * few.
   */
  function hasRoom(): boolean {
    const urgent = signals.has('work') || signals.has('timer') || signals.has('poll');
    return urgent
      ? running.size < concurrency
      : signals.has('backlog') && running.size <= concurrency / 2;
  }

  async function waitForSignal(): Promise<ReadonlySet<Signal>> {
    const poll = setTimeout(() => poke('poll'), pollMs * (0.8 + (pollJitterMax - 0.8) * random()));
    while (!stopping && !hasRoom()) await new Promise<void>((resolve) => (wakeLoop = resolve));
    clearTimeout(poll);
    const heard = new Set(signals);
    signals.clear();
    return heard;
  }

  async function claim(heard: ReadonlySet<Signal>): Promise<void> {
    const now = ctx.clock.now();
    const limit = concurrency - running.size;
    const before = runningByProject();
    const result = await claimFlows(ctx.store, {
      now,
      worker: name,
      leaseMs,
      limit,
      kinds,
      perProject: Math.max(perProjectMin, Math.ceil((2 * limit) / dueProjects)),
      projectShare: share,
      running: before,
    });
    noteClaim(result, now, heard);
    for (const row of result.flows) launch(row);
    if (result.flows.length >= Math.min(limit, perProjectMin) || hasPassedOver(before, result))
      poke('backlog');
    pokeAt(result.nextRunAt);
  }

  /**
   * True when a project had its share at the time of the claim and has less by now: what was passed
   * over can be taken.
   */
  function hasPassedOver(before: ReadonlyMap<string, number>, result: ClaimResult): boolean {
    const atClaim = new Map(before);
    for (const { projectId } of result.flows)
      atClaim.set(projectId, (atClaim.get(projectId) ?? 0) + 1);
    const now = runningByProject();
    return [...atClaim].some(([projectId, n]) => n >= share && (now.get(projectId) ?? 0) < share);
  }

  function noteClaim(result: ClaimResult, now: Date, heard: ReadonlySet<Signal>): void {
    count('claims');
    count('flowsClaimed', result.flows.length);
    count('leasesTakenOver', result.flows.filter((row) => row.takenOver).length);
    dueProjects = Math.max(1, new Set(result.flows.map((row) => row.projectId)).size);
    if (heard.size > 1 || !heard.has('poll')) return;
    count(
      'flowsFoundByPoll',
      result.flows.filter(
        (row) => !row.takenOver && now.getTime() - row.runAt.getTime() > overdueMs,
      ).length,
    );
  }

  function runningByProject(): Map<string, number> {
    const byProject = new Map<string, number>();
    for (const { row } of running.values())
      byProject.set(row.projectId, (byProject.get(row.projectId) ?? 0) + 1);
    return byProject;
  }

  function launch(row: FlowRow): void {
    const definition = definitions.get(row.kind)!;
    const aborter = new AbortController();
    const run = runFlow(
      { ctx, definition, worker: name, random, stopping: () => stopping, signal: aborter.signal },
      row,
    );
    const finished = run.then((runAt) => {
      // Claims passed this project over while it had its share; nobody else will say that it is its
      // turn again.
      const wasFull = (runningByProject().get(row.projectId) ?? 0) >= share;
      running.delete(row.id);
      if (wasFull) poke('backlog');
      pokeAt(runAt);
      wakeLoop?.();
    });
    running.set(row.id, { row, leasedAtMs: performance.now(), aborter, finished });
  }

  async function renew(): Promise<void> {
    const old = [...running.values()].filter(
      (entry) => performance.now() - entry.leasedAtMs > leaseMs / 4,
    );
    if (old.length === 0) return;
    const askedAtMs = performance.now();
    const held = await renewLeases(
      ctx.store,
      old.map((entry) => entry.row),
      leaseMs,
    );
    for (const entry of old) {
      if (held.has(entry.row.id)) entry.leasedAtMs = askedAtMs;
      // The effect of a flow that somebody else has now should end; its result could not be stored.
      else if (running.get(entry.row.id) === entry) entry.aborter.abort();
    }
  }

  async function runLoop(): Promise<void> {
    poke('poll');
    let errors = 0;
    while (!stopping) {
      const heard = await waitForSignal();
      if (stopping) return;
      try {
        await claim(heard);
        errors = 0;
      } catch (error) {
        count('claimErrors');
        if (errors++ % 20 === 0)
          ctx.log.error({ err: error }, 'due flows could not be claimed; trying again');
        await pause(
          Math.min(claimErrorDelayMsMax, 50 * 2 ** Math.min(errors, 10)) * (0.5 + random() / 2),
        );
        poke('work');
      }
    }
  }

  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      wakeLoop = () => {
        if (!stopping) return;
        clearTimeout(timer);
        resolve();
      };
    });
  }

  const share = Math.max(1, Math.ceil((concurrency * 3) / 4));
  const local: LocalWorker = {
    name,
    leaseMs,
    runs: (kind) => definitions.has(kind),
    hasRoomFor: (kind, version, projectId) =>
      !stopping &&
      running.size < concurrency &&
      (definitions.get(kind)?.version ?? 0) >= version &&
      (projectId === undefined || (runningByProject().get(projectId) ?? 0) < share),
    take: (row) => {
      // Stopped between the start of the transaction and its commit: others are to have it, and
      // soon.
      if (stopping) return void releaseFlows(ctx.store, [row]).catch(() => undefined);
      count('flowsClaimed');
      launch(row);
    },
    poke,
  };

  let leave: (() => void) | undefined;
  let closeBell: (() => Promise<void>) | undefined;
  let heartbeat: NodeJS.Timeout | undefined;
  let cleaner: NodeJS.Timeout | undefined;
  const inBackground = (what: string, work: () => Promise<unknown>) => () => {
    work().catch((error) => ctx.log.error({ err: error }, `${what} failed; trying again`));
  };

  async function stop(): Promise<void> {
    if (loop === undefined) return;
    stopping = true;
    leave?.();
    clearTimeout(dueTimer);
    clearInterval(cleaner);
    wakeLoop?.();
    await Promise.all([loop, closeBell?.()]);
    const giveUp = setTimeout(() => {
      for (const entry of running.values()) entry.aborter.abort();
    }, options.stopMs ?? 20_000);
    const late = new Promise<void>((resolve) =>
      setTimeout(resolve, (options.stopMs ?? 20_000) + 1_000).unref(),
    );
    await Promise.race([Promise.all([...running.values()].map((entry) => entry.finished)), late]);
    clearTimeout(giveUp);
    clearInterval(heartbeat);
    // What is still at work keeps its lease until it expires: its effect may be on its way.
  }

  let stopped: Promise<void> | undefined;
  return {
    name,
    start: () => {
      if (loop !== undefined) return;
      closeBell = hear(ctx.store, flowsChannel, () => poke('work')).close;
      leave = addLocalWorker(ctx.store, local);
      heartbeat = setInterval(inBackground('renewing leases', renew), leaseMs / 4);
      const { retention } = options;
      if (retention)
        cleaner = setInterval(
          inBackground('cleaning up', () => cleanUp(ctx, retention)),
          cleanUpEveryMs,
        );
      loop = runLoop();
    },
    stop: () => (stopped ??= stop()),
  };
}
