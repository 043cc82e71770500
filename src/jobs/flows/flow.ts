import type { Ctx } from '../../context.ts';
import type { Json, JsonObject } from '../../lib/json/json.ts';
import type { Tx } from '../../store/types.ts';

/** What the engine itself needs of a context. Steps receive the whole one. */
export type JobsCtx = Pick<Ctx, 'store' | 'clock' | 'ids' | 'log'>;

/**
 * A running flow as its steps see it. `state` is JSON: declare its type with `type`, not
 * `interface`.
 */
export interface Flow<S extends JsonObject = JsonObject> {
  readonly id: string;
  readonly projectId: string;
  readonly kind: string;
  readonly key: string | undefined;
  readonly step: string;
  readonly state: S;
  /** Try of this step, from 1. */
  readonly attempt: number;
  readonly createdAt: Date;
}

/**
 * Where a step leaves its flow. `goto` without `runAt` goes on at once; with it, the flow sleeps
 * until then or until it is woken. `done` and `fail` end it; `fail` is a decided end, not a retry
 * (for that, throw).
 */
export type StepResult<S extends JsonObject = JsonObject> =
  | { readonly goto: string; readonly state?: S; readonly runAt?: Date }
  | { readonly done: true; readonly state?: S }
  | { readonly fail: string; readonly state?: S };

export interface RetryRule {
  /** Tries of one visit to the step before the flow is dead. */
  readonly attemptsMax: number;
  readonly baseMs: number;
  readonly delayMsMax: number;
}

const defaultRetry: RetryRule = { attemptsMax: 10, baseMs: 500, delayMsMax: 5 * 60_000 };
const defaultStepTimeoutMs = 30_000;

/**
 * The effect that is about to be tried, as stored. The same for every try of one visit to the step.
 */
export interface Intent<I extends Json = Json> {
  /** Idempotency key to send along. */
  readonly key: string;
  readonly data: I;
}

export interface DatabaseStep<S extends JsonObject, C> {
  readonly type: 'database';
  readonly retry: RetryRule;
  readonly timeoutMs: number;
  run(ctx: C, tx: Tx, flow: Flow<S>): Promise<StepResult<S>>;
}

export interface EffectStep<S extends JsonObject, C> {
  readonly type: 'effect';
  readonly retry: RetryRule;
  readonly timeoutMs: number;
  prepare(ctx: C, tx: Tx, flow: Flow<S>): Promise<{ readonly intent: Json } | StepResult<S>>;
  perform(ctx: C, flow: Flow<S>, intent: Intent, signal: AbortSignal): Promise<unknown>;
  record(ctx: C, tx: Tx, flow: Flow<S>, outcome: unknown, intent: Intent): Promise<StepResult<S>>;
}

export type Step<S extends JsonObject = JsonObject, C = Ctx> =
  | DatabaseStep<S, C>
  | EffectStep<S, C>;

interface StepLimits {
  readonly retry?: Partial<RetryRule>;
  /** Longest run of the step's code; default 30 s. */
  readonly timeoutMs?: number;
}

const limitsOf = (limits: StepLimits) => ({
  retry: { ...defaultRetry, ...limits.retry },
  timeoutMs: limits.timeoutMs ?? defaultStepTimeoutMs,
});

/**
 * A step whose work is in the database only. It runs in one transaction with the flow's advance, so
 * it happens exactly once; it may be started again after a serialization failure, so it must have
 * no other effect.
 */
export function databaseStep<S extends JsonObject, C = Ctx>(
  step: StepLimits & { run(ctx: C, tx: Tx, flow: Flow<S>): Promise<StepResult<S>> },
): DatabaseStep<S, C> {
  return { type: 'database', ...limitsOf(step), run: (ctx, tx, flow) => step.run(ctx, tx, flow) };
}

/**
 * A step with an effect outside. `prepare` decides what to do and stores it with a new idempotency
 * key (or returns another way to go on); `perform` does it, outside of any transaction and maybe
 * more than once, always with the same intent; `record` stores the outcome with the flow's advance.
 * A company's refusal is an outcome; throw for a broken connection, and `perform` is tried again.
 */
export function effectStep<S extends JsonObject, I extends Json, O, C = Ctx>(
  step: StepLimits & {
    prepare(ctx: C, tx: Tx, flow: Flow<S>): Promise<{ readonly intent: I } | StepResult<S>>;
    perform(ctx: C, flow: Flow<S>, intent: Intent<I>, signal: AbortSignal): Promise<O>;
    record(ctx: C, tx: Tx, flow: Flow<S>, outcome: O, intent: Intent<I>): Promise<StepResult<S>>;
  },
): EffectStep<S, C> {
  return {
    type: 'effect',
    ...limitsOf(step),
    prepare: (ctx, tx, flow) => step.prepare(ctx, tx, flow),
    // The intent was stored by `prepare` of this step: these two casts only give it back its type.
    perform: (ctx, flow, intent, signal) => step.perform(ctx, flow, intent as Intent<I>, signal),
    record: (ctx, tx, flow, outcome, intent) =>
      step.record(ctx, tx, flow, outcome as O, intent as Intent<I>),
  };
}

/** A stored place of an older version of a flow. */
export interface FlowPlace {
  readonly step: string;
  readonly state: JsonObject;
}

export interface FlowDefinition<S extends JsonObject = JsonObject, C = Ctx> {
  readonly kind: string;
  /**
   * Raise it when a step or the state's shape changes, and add the upgrade from the version before.
   */
  readonly version: number;
  readonly firstStep: string;
  readonly steps: Readonly<Record<string, Step<S, C>>>;
  /** `upgrades[n]` turns a place of version n into one of version n + 1. */
  readonly upgrades: Readonly<Record<number, (place: FlowPlace) => FlowPlace>>;
  /** Runs in the transaction that marks a flow dead, so that what it served does not hang. */
  onDead?(ctx: C, tx: Tx, flow: Flow<S>, error: string): Promise<void>;
}

/**
 * Declares a kind of flow.
 * @throws at start-up when the first step or an upgrade is missing.
 */
export function defineFlow<S extends JsonObject, C = Ctx>(
  definition: Omit<FlowDefinition<S, C>, 'upgrades'> & {
    readonly upgrades?: FlowDefinition<S, C>['upgrades'];
  },
): FlowDefinition<S, C> {
  const { kind, version, firstStep, steps, upgrades = {} } = definition;
  if (steps[firstStep] === undefined)
    throw new Error(`Flow ${kind}: there is no step "${firstStep}".`);
  for (let from = 1; from < version; from++) {
    if (upgrades[from] === undefined)
      throw new Error(`Flow ${kind}: the upgrade from version ${from} to ${from + 1} is missing.`);
  }
  return { ...definition, upgrades };
}

/** Brings a stored place up to the definition's version. */
export function upgradePlace<C>(
  definition: FlowDefinition<JsonObject, C>,
  version: number,
  place: FlowPlace,
): FlowPlace {
  let upgraded = place;
  for (let from = version; from < definition.version; from++)
    upgraded = definition.upgrades[from]!(upgraded);
  return upgraded;
}

/**
 * Wait before the next try after `attempt` failed ones: doubling, capped, between half and all of
 * it at random.
 */
export function retryDelayMs(rule: RetryRule, attempt: number, random: () => number): number {
  const full = Math.min(rule.delayMsMax, rule.baseMs * 2 ** Math.min(attempt - 1, 40));
  return Math.round(full * (0.5 + random() / 2));
}
