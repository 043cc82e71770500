import { setTimeout as delay } from 'node:timers/promises';
import pino from 'pino';
import { type Clock, systemClock } from '../lib/clock.ts';
import { systemIds } from '../lib/id.ts';
import type { JsonObject } from '../lib/json/json.ts';
import type { Store } from '../store/types.ts';
import type { FlowDefinition, JobsCtx } from './flows/flow.ts';
import { type FlowDetails, findFlow } from './flows/inspect.ts';
import { type StartInput, startFlow } from './start.ts';

/** A context for tests of this folder. */
export function aJobsCtx(store: Store, clock: Clock = systemClock): JobsCtx {
  return {
    store,
    clock,
    ids: systemIds,
    log: pino({ level: process.env.PURSER_TEST_LOG ?? 'silent' }),
  };
}

/** Starts a flow in a transaction of its own and answers with its id. */
export async function start<S extends JsonObject>(
  ctx: JobsCtx,
  definition: FlowDefinition<S, JobsCtx>,
  state: S,
  input: Partial<StartInput<S>> = {},
): Promise<string> {
  const { id } = await ctx.store.transaction((tx) =>
    startFlow(ctx, tx, definition, { projectId: 'p1', state, ...input }),
  );
  return id;
}

/** Waits until `check` answers with something; fails after `timeoutMs` with what was awaited. */
export async function eventually<T>(
  what: string,
  check: () => Promise<T | undefined | false>,
  timeoutMs = 45_000,
): Promise<T> {
  const endAt = Date.now() + timeoutMs;
  // What is awaited shares the cores with who asks for it: the longer it takes, the less often it
  // is asked.
  for (let pauseMs = 10; ; pauseMs = Math.min(pauseMs * 1.2, 80)) {
    const found = await check();
    if (found !== undefined && found !== false) return found;
    if (Date.now() > endAt) throw new Error(`Waited ${timeoutMs} ms in vain: ${what}`);
    await delay(pauseMs);
  }
}

/** Waits until a flow has ended, and answers with it. */
export function ended(ctx: JobsCtx, id: string, timeoutMs?: number): Promise<FlowDetails> {
  return eventually(
    `flow ${id} ends`,
    async () => {
      const flow = await findFlow(ctx.store, id);
      return flow !== undefined && flow.status !== 'active' && flow;
    },
    timeoutMs,
  );
}
