import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import type { Ctx } from '../../context.ts';
import type { JsonObject } from '../../lib/json/json.ts';
import { startLoop } from '../../lib/waiting/loop.ts';
import { cleanUp, type Retention } from '../clean-up.ts';
import type { FlowDefinition, JobsCtx } from '../flows/flow.ts';
import { type ClaimResult, claimFlows, type FlowRow, releaseFlows } from '../flows/flow-store.ts';
import { runFlow } from '../flows/run-flow.ts';
import { addLocalWorker, type LocalWorker } from '../local-workers.ts';
import { count } from '../metrics.ts';
import { flowsChannel, subscribe } from '../notify.ts';
import { createPlaces, type Places } from './places.ts';
import { createWakeUps, type WakeUp, type WakeUps } from './wake-ups.ts';

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

/** What the functions below share of one worker. */
interface WorkerState<C extends JobsCtx> {
  readonly ctx: C;
  readonly name: string;
  readonly leaseMs: number;
  readonly stopMs: number;
  readonly random: () => number;
  readonly retention: Retention | undefined;
  readonly definitions: ReadonlyMap<string, FlowDefinition<JsonObject, C>>;
  readonly places: Places;
  readonly wakeUps: WakeUps;
  readonly stopping: AbortController;
  /** Projects with something due at the last claim. */
  dueProjects: number;
}

const cleanUpEveryMs = 60_000;
const claimErrorDelayMs = 50;
const claimErrorDelayMsMax = 5_000;
/** One failure in so many is logged. */
const failuresPerLine = 20;
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
  const state = createState(ctx, options);
  let stop: (() => Promise<void>) | undefined;
  let stopped: Promise<void> | undefined;
  return {
    name: state.name,
    start: () => {
      stop ??= startWorker(state);
    },
    stop: () => (stopped ??= stop?.() ?? Promise.resolve()),
  };
}

function createState<C extends JobsCtx>(ctx: C, options: WorkerOptions<C>): WorkerState<C> {
  const definitions = new Map(options.flows.map((definition) => [definition.kind, definition]));
  if (definitions.size !== options.flows.length)
    throw new Error('Two flow definitions have the same kind.');
  const { pollMs = 500, random = Math.random } = options;
  const places = createPlaces(options.concurrency ?? 64);
  return {
    ctx,
    name: options.name ?? `${hostname()}:${process.pid}:${randomBytes(3).toString('hex')}`,
    leaseMs: options.leaseMs ?? 10_000,
    stopMs: options.stopMs ?? 20_000,
    random,
    retention: options.retention,
    definitions,
    places,
    wakeUps: createWakeUps(ctx.clock, { pollMs, random, places }),
    stopping: new AbortController(),
    dueProjects: 1,
  };
}

/** @returns what stops it */
function startWorker<C extends JobsCtx>(state: WorkerState<C>): () => Promise<void> {
  const { ctx, places, wakeUps, stopping, leaseMs, retention } = state;
  const inBackground = (what: string, work: () => Promise<unknown>) => () => {
    work().catch((error) => ctx.log.error({ err: error }, `${what} failed; trying again`));
  };
  const bell = subscribe(ctx.store, flowsChannel, () => wakeUps.poke('work'));
  const leave = addLocalWorker(ctx.store, asLocalWorker(state));
  const heartbeat = setInterval(
    inBackground('renewing leases', () => places.renew(ctx.store, leaseMs)),
    leaseMs / 4,
  );
  const cleaner =
    retention &&
    setInterval(
      inBackground('cleaning up', () => cleanUp(ctx, retention)),
      cleanUpEveryMs,
    );
  wakeUps.poke('poll');
  const loop = startLoop({
    round: () => claimDue(state),
    signal: wakeUps.signal,
    stopping: stopping.signal,
    failurePauseMs: claimErrorDelayMs,
    failurePauseMaxMs: claimErrorDelayMsMax,
    onFailure: (error, failures) => {
      count('claimErrors');
      if (failures % failuresPerLine === 1)
        ctx.log.error({ err: error }, 'due flows could not be claimed; trying again');
      wakeUps.poke('work');
    },
  });
  return async () => {
    stopping.abort();
    leave();
    clearInterval(cleaner);
    wakeUps.stop();
    await Promise.all([loop.stop(), bell.close()]);
    // What is still at work then keeps its lease until it expires: its effect may be on its way.
    await places.empty(state.stopMs);
    clearInterval(heartbeat);
  };
}

/** Waits until there is a reason to look, and begins what is due. */
async function claimDue<C extends JobsCtx>(state: WorkerState<C>): Promise<void> {
  const { ctx, places, wakeUps } = state;
  const reasons = await wakeUps.wait();
  if (state.stopping.signal.aborted) return;
  const now = ctx.clock.now();
  const limit = places.free();
  const before = places.countByProject();
  const result = await claimFlows(ctx.store, {
    now,
    worker: state.name,
    leaseMs: state.leaseMs,
    limit,
    kinds: [...state.definitions.values()].map(({ kind, version }) => ({ kind, version })),
    perProject: Math.max(perProjectMin, Math.ceil((2 * limit) / state.dueProjects)),
    projectShare: places.share,
    running: before,
  });
  state.dueProjects = Math.max(1, new Set(result.flows.map((row) => row.projectId)).size);
  countClaim(result, { now, reasons });
  for (const row of result.flows) launch(state, row);
  if (result.flows.length >= Math.min(limit, perProjectMin) || hasPassedOver(state, before, result))
    wakeUps.poke('backlog');
  wakeUps.pokeAt(result.nextRunAt);
}

/**
 * True when a project had its share at the time of the claim and has less by now: what was passed
 * over can be taken.
 */
function hasPassedOver<C extends JobsCtx>(
  { places }: WorkerState<C>,
  before: ReadonlyMap<string, number>,
  result: ClaimResult,
): boolean {
  const atClaim = new Map(before);
  for (const { projectId } of result.flows)
    atClaim.set(projectId, (atClaim.get(projectId) ?? 0) + 1);
  return [...atClaim].some(([projectId, n]) => n >= places.share && !places.isFull(projectId));
}

function countClaim(
  { flows }: ClaimResult,
  { now, reasons }: { readonly now: Date; readonly reasons: ReadonlySet<WakeUp> },
): void {
  count('claims');
  count('flowsClaimed', flows.length);
  count('leasesTakenOver', flows.filter((row) => row.takenOver).length);
  if (reasons.size > 1 || !reasons.has('poll')) return;
  const missed = flows.filter(
    (row) => !row.takenOver && now.getTime() - row.runAt.getTime() > overdueMs,
  );
  count('flowsFoundByPoll', missed.length);
}

function launch<C extends JobsCtx>(state: WorkerState<C>, row: FlowRow): void {
  const { ctx, places, wakeUps, random } = state;
  const aborter = new AbortController();
  const run = runFlow(
    {
      ctx,
      definition: state.definitions.get(row.kind)!,
      worker: state.name,
      random,
      stopping: () => state.stopping.signal.aborted,
      signal: aborter.signal,
    },
    row,
  );
  const finished = run.then((runAt) => {
    // Claims passed this project over while it had its share; nobody else will say that it is its
    // turn again.
    const wasFull = places.isFull(row.projectId);
    places.leave(row.id);
    if (wasFull) wakeUps.poke('backlog');
    wakeUps.pokeAt(runAt);
    wakeUps.signal.wake();
  });
  places.take({ row, leasedAtMs: performance.now(), aborter, finished });
}

/** The worker as flows that are started in this process see it. */
function asLocalWorker<C extends JobsCtx>(state: WorkerState<C>): LocalWorker {
  const { ctx, definitions, places, wakeUps, stopping } = state;
  return {
    name: state.name,
    leaseMs: state.leaseMs,
    runs: (kind) => definitions.has(kind),
    hasRoomFor: (kind, version, projectId) =>
      !stopping.signal.aborted &&
      places.free() > 0 &&
      (definitions.get(kind)?.version ?? 0) >= version &&
      (projectId === undefined || !places.isFull(projectId)),
    take: (row) => {
      // Stopped between the start of the transaction and its commit: others are to have it, and
      // soon.
      if (stopping.signal.aborted)
        return void releaseFlows(ctx.store, [row]).catch(() => undefined);
      count('flowsClaimed');
      launch(state, row);
    },
    poke: wakeUps.poke,
  };
}
