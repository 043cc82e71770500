import { inspect } from 'node:util';
import type { Json, JsonObject } from '../../lib/json/json.ts';
import { storableText } from '../../lib/json/storable-text.ts';
import type { Tx } from '../../store/types.ts';
import { count } from '../metrics.ts';
import {
  type DatabaseStep,
  type EffectStep,
  type Flow,
  type FlowDefinition,
  type Intent,
  type JobsCtx,
  retryDelayMs,
  type Step,
  type StepResult,
  upgradePlace,
} from './flow.ts';
import {
  type Advance,
  advanceFlow,
  type FlowRow,
  finishFlow,
  type HistoryEntry,
  parkFlow,
  recordFailure,
  releaseFlows,
  storeIntent,
} from './flow-store.ts';

/**
 * Steps run under one claim before the flow queues again, so that one that never sleeps cannot keep
 * its place for ever.
 */
const stepsPerClaimMax = 100;
const errorLengthMax = 2_000;

export interface RunOptions<C extends JobsCtx> {
  readonly ctx: C;
  readonly definition: FlowDefinition<JsonObject, C>;
  readonly worker: string;
  readonly random: () => number;
  /**
   * True once the worker is asked to stop: the step at hand is finished, the next one is left to
   * others.
   */
  readonly stopping: () => boolean;
  /** Fires when the lease was lost or the worker gives up waiting: effects should end. */
  readonly signal: AbortSignal;
}

/**
 * Thrown inside a step's transaction, so that it rolls back: another worker has the flow, or
 * somebody ended it.
 */
class FenceLostError extends Error {}

type StepEnd =
  | { readonly next: FlowRow }
  | { readonly parkedUntil: Date }
  | { readonly ended: true };

/**
 * Runs a claimed flow until it sleeps, ends or fails. Never throws.
 * @returns when the flow is due again, if this worker laid it down.
 */
export async function runFlow<C extends JobsCtx>(
  options: RunOptions<C>,
  claimed: FlowRow,
): Promise<Date | undefined> {
  const { ctx, definition } = options;
  let row = claimed;
  let startedMs = performance.now();
  try {
    row = { ...row, ...upgradePlace(definition, row.version, row), version: definition.version };
    for (let steps = 0; steps < stepsPerClaimMax; steps++) {
      startedMs = performance.now();
      const end = await runStep(options, row);
      count('stepsCommitted');
      if ('parkedUntil' in end) return end.parkedUntil;
      if ('ended' in end) return undefined;
      row = end.next;
      if (options.stopping()) break;
    }
    await releaseFlows(ctx.store, [row]);
    return ctx.clock.now();
  } catch (error) {
    if (error instanceof FenceLostError) {
      count('fencesLost');
      ctx.log.warn(
        { flow: row.id, kind: row.kind, step: row.step },
        'a step was thrown away: its flow had moved on without it',
      );
      return undefined;
    }
    return handleFailure(options, row, error, startedMs);
  }
}

async function runStep<C extends JobsCtx>(options: RunOptions<C>, row: FlowRow): Promise<StepEnd> {
  const step = options.definition.steps[row.step];
  if (step === undefined)
    throw new Error(`Flow ${row.kind} version ${row.version} has no step "${row.step}".`);
  if (row.attempts > step.retry.attemptsMax) {
    throw new Error(`The worker ended in the middle of step "${row.step}" on its last try.`);
  }
  return step.type === 'database'
    ? runDatabaseStep(options, step, row)
    : runEffectStep(options, step, row);
}

function runDatabaseStep<C extends JobsCtx>(
  options: RunOptions<C>,
  step: DatabaseStep<JsonObject, C>,
  row: FlowRow,
): Promise<StepEnd> {
  const startedMs = performance.now();
  return options.ctx.store.transaction(async (tx) => {
    const result = await withTimeout(step.timeoutMs, () => step.run(options.ctx, tx, flowOf(row)));
    return commitResult(options, tx, row, result, startedMs);
  });
}

async function runEffectStep<C extends JobsCtx>(
  options: RunOptions<C>,
  step: EffectStep<JsonObject, C>,
  row: FlowRow,
): Promise<StepEnd> {
  const startedMs = performance.now();
  const prepared = await prepareEffect(options, step, row, startedMs);
  if (!('intent' in prepared)) return prepared;
  const { intent } = prepared;
  const aborter = new AbortController();
  const signal = AbortSignal.any([options.signal, aborter.signal]);
  const outcome = await withTimeout(
    step.timeoutMs,
    () => step.perform(options.ctx, flowOf(row), intent, signal),
    () => aborter.abort(),
  );
  return options.ctx.store.transaction(async (tx) => {
    const result = await withTimeout(step.timeoutMs, () =>
      step.record(options.ctx, tx, flowOf(row), outcome, intent),
    );
    return commitResult(options, tx, row, result, startedMs);
  });
}

/**
 * The stored intent of an earlier try is used as it is: whatever was sent under its key must be
 * sent again unchanged.
 */
async function prepareEffect<C extends JobsCtx>(
  options: RunOptions<C>,
  step: EffectStep<JsonObject, C>,
  row: FlowRow,
  startedMs: number,
): Promise<StepEnd | { intent: Intent }> {
  if (row.intent !== null) return { intent: row.intent };
  const { ctx } = options;
  return ctx.store.transaction(async (tx) => {
    const prepared = await withTimeout(step.timeoutMs, () => step.prepare(ctx, tx, flowOf(row)));
    if (!('intent' in prepared)) return commitResult(options, tx, row, prepared, startedMs);
    // Through JSON once, so that the first try sees exactly what a later one will read.
    const data = JSON.parse(JSON.stringify(prepared.intent)) as Json;
    const intent: Intent<Json> = { key: ctx.ids.randomUuid(), data };
    const held = await storeIntent(tx, row, intent, { ...row, now: ctx.clock.now() });
    if (!held) throw new FenceLostError();
    return { intent };
  });
}

async function commitResult<C extends JobsCtx>(
  options: RunOptions<C>,
  tx: Tx,
  row: FlowRow,
  result: StepResult,
  startedMs: number,
): Promise<StepEnd> {
  const now = options.ctx.clock.now();
  const state = result.state ?? row.state;
  const advance = (step: string, outcome: string): Advance => ({
    step,
    version: row.version,
    state,
    now,
    entry: entryOf(options, row, outcome, startedMs, now),
  });
  if ('goto' in result) {
    if (options.definition.steps[result.goto] === undefined)
      throw new Error(
        `Step "${row.step}" goes to "${result.goto}", which flow ${row.kind} does not have.`,
      );
    if (result.runAt === undefined) {
      const next = await advanceFlow(tx, row, advance(result.goto, `→ ${result.goto}`));
      if (next === undefined) throw new FenceLostError();
      return { next };
    }
    const parked = await parkFlow(
      tx,
      row,
      advance(result.goto, `→ ${result.goto} at ${result.runAt.toISOString()}`),
      result.runAt,
    );
    if (parked === undefined) throw new FenceLostError();
    return { parkedUntil: parked.runAt };
  }
  const failed = 'fail' in result ? clip(result.fail) : null;
  const held = await finishFlow(
    tx,
    row,
    advance(row.step, failed === null ? 'done' : `failed: ${failed}`),
    failed === null ? 'done' : 'failed',
    failed,
  );
  if (!held) throw new FenceLostError();
  tx.afterCommit(() => count(failed === null ? 'flowsDone' : 'flowsFailed'));
  return { ended: true };
}

async function handleFailure<C extends JobsCtx>(
  options: RunOptions<C>,
  row: FlowRow,
  error: unknown,
  startedMs: number,
): Promise<Date | undefined> {
  const { ctx, definition } = options;
  count('stepsFailed');
  const text = reasonOf(error);
  const now = ctx.clock.now();
  const entry = entryOf(options, row, `error: ${text}`, startedMs, now);
  const retry: Step<JsonObject, C>['retry'] | undefined = definition.steps[row.step]?.retry;
  try {
    if (retry === undefined || row.attempts >= retry.attemptsMax) {
      ctx.log.error(
        { err: error, flow: row.id, kind: row.kind, step: row.step, attempts: row.attempts },
        'flow is dead: retries are exhausted',
      );
      await buryFlow(options, row, entry, text);
      return undefined;
    }
    const runAt = new Date(now.getTime() + retryDelayMs(retry, row.attempts, options.random));
    ctx.log.warn(
      {
        err: error,
        flow: row.id,
        kind: row.kind,
        step: row.step,
        attempt: row.attempts,
        retryAt: runAt,
      },
      'step failed, to be retried',
    );
    return (await recordFailure(ctx.store, row, entry, text, now, runAt)) ? runAt : undefined;
  } catch (recordError) {
    ctx.log.error(
      { err: recordError, flow: row.id },
      'a failed step could not be recorded: its lease will expire instead',
    );
    return undefined;
  }
}

async function buryFlow<C extends JobsCtx>(
  options: RunOptions<C>,
  row: FlowRow,
  entry: HistoryEntry,
  text: string,
): Promise<void> {
  const { ctx, definition } = options;
  const bury = (hook: boolean, error: string) =>
    ctx.store.transaction(async (tx) => {
      if (hook) await definition.onDead?.(ctx, tx, flowOf(row), error);
      const held = await finishFlow(
        tx,
        row,
        { ...row, entry, now: ctx.clock.now() },
        'dead',
        error,
      );
      if (!held) throw new FenceLostError();
      tx.afterCommit(() => count('flowsDead'));
    });
  try {
    await bury(true, text);
  } catch (error) {
    if (error instanceof FenceLostError) return count('fencesLost');
    ctx.log.error(
      { err: error, flow: row.id, kind: row.kind },
      'onDead failed: what this flow served needs a look',
    );
    await bury(false, clip(`${text} — and onDead failed: ${reasonOf(error)}`));
  }
}

function flowOf(row: FlowRow): Flow {
  const { id, projectId, kind, step, state, createdAt } = row;
  return {
    id,
    projectId,
    kind,
    key: row.key ?? undefined,
    step,
    state,
    attempt: row.attempts,
    createdAt,
  };
}

function entryOf<C extends JobsCtx>(
  options: RunOptions<C>,
  row: FlowRow,
  outcome: string,
  startedMs: number,
  now: Date,
): HistoryEntry {
  return {
    at: now.toISOString(),
    step: row.step,
    worker: options.worker,
    attempt: row.attempts,
    outcome,
    tookMs: Math.round(performance.now() - startedMs),
  };
}

/** Whatever was thrown: it may have no words, or some that are no text. */
function reasonOf(error: unknown): string {
  const words = error instanceof Error ? (error.message as unknown) : error;
  return clip(typeof words === 'string' ? words : inspect(words));
}

/** An error may quote anything. */
function clip(text: string): string {
  return storableText(text, errorLengthMax);
}

async function withTimeout<T>(
  timeoutMs: number,
  run: () => Promise<T>,
  onTimeout?: () => void,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      onTimeout?.();
      reject(new Error(`The step took longer than ${timeoutMs} ms.`));
    }, timeoutMs);
  });
  try {
    return await Promise.race([run(), late]);
  } finally {
    clearTimeout(timer);
  }
}
