import { setTimeout as delay } from 'node:timers/promises';
import pino from 'pino';
import { systemClock } from '../lib/clock.ts';
import { systemIds } from '../lib/id.ts';
import { createStore } from '../store/pool.ts';
import type { Store, Tx } from '../store/types.ts';
import {
  databaseStep,
  defineFlow,
  effectStep,
  type Flow,
  type FlowDefinition,
  type JobsCtx,
} from './flows/flow.ts';
import { createWorker } from './worker/worker.ts';

// A worker as a process of its own, for the tests that kill it. Each step writes two rows: one into
// `tries`, outside of its transaction and so for good, and one into `steps_done`, which is there
// only when the step was committed. A trigger notes each claim with the database's time.

export type Marathon = {
  /** How long each step takes; a kill is to land in the middle. */
  readonly stepMs: number;
  /** The first try of step `two` takes this long instead. */
  readonly firstTryMs?: number;
  readonly napMs?: number;
};

export const childTables = `
  create table tries (flow uuid, step text, worker text, attempt int);
  create table claims (flow uuid, worker text, at timestamptz default clock_timestamp());
  create index on claims (flow, at);
  create function note_claim() returns trigger language plpgsql as $$
    begin insert into claims (flow, worker) values (new.id, new.worker); return null; end $$;
  create trigger note_claim after update on flows for each row when (new.fence <> old.fence) execute function note_claim();
  create table steps_done (flow uuid, step text, worker text, code int);
  create table effects (flow uuid, key text, data text)`;

/** The same flow in two versions: the second renames step `two` to `deux`. */
export function marathon(
  version: 1 | 2,
  worker: string,
  notes: Store,
): FlowDefinition<Marathon, JobsCtx> {
  const two = version === 1 ? 'two' : 'deux';
  const begin = async (flow: Flow<Marathon>) => {
    await notes.query({
      name: 'try',
      text: 'insert into tries (flow, step, worker, attempt) values ($1, $2, $3, $4)',
      values: [flow.id, flow.step, worker, flow.attempt],
    });
    await delay(
      flow.step === two && flow.attempt === 1
        ? (flow.state.firstTryMs ?? flow.state.stepMs)
        : flow.state.stepMs,
    );
  };
  const end = (tx: Tx, flow: Flow<Marathon>) =>
    tx.query({
      name: 'done',
      text: 'insert into steps_done (flow, step, worker, code) values ($1, $2, $3, $4)',
      values: [flow.id, flow.step, worker, version],
    });
  const hop = (goto: string, nap = false) =>
    databaseStep<Marathon, JobsCtx>({
      retry: { attemptsMax: 1_000, baseMs: 10, delayMsMax: 100 },
      run: async (ctx, tx, flow) => {
        // Written first, so that a worker that stalls later holds an open transaction with work in
        // it.
        await end(tx, flow);
        await begin(flow);
        return {
          goto,
          runAt:
            nap && flow.state.napMs
              ? new Date(ctx.clock.now().getTime() + flow.state.napMs)
              : undefined,
        };
      },
    });
  const steps = {
    one: hop(two),
    [two]: hop('effect', true),
    effect: effectStep<Marathon, { amount: string }, string, JobsCtx>({
      retry: { attemptsMax: 1_000, baseMs: 10, delayMsMax: 100 },
      prepare: async () => ({ intent: { amount: String(Math.random()) } }),
      perform: async (_ctx, flow, intent) => {
        await begin(flow);
        await notes.query({
          name: 'effect',
          text: 'insert into effects (flow, key, data) values ($1, $2, $3)',
          values: [flow.id, intent.key, intent.data.amount],
        });
        await delay(flow.state.stepMs);
        return intent.data.amount;
      },
      record: async (_ctx, tx, flow) => (await end(tx, flow), { goto: 'last' }),
    }),
    last: databaseStep<Marathon, JobsCtx>({
      retry: { attemptsMax: 1_000, baseMs: 10, delayMsMax: 100 },
      run: async (_ctx, tx, flow) => (await end(tx, flow), await begin(flow), { done: true }),
    }),
  };
  const upgrades: FlowDefinition['upgrades'] =
    version === 1
      ? {}
      : { 1: ({ step, state }) => ({ step: step === 'two' ? 'deux' : step, state }) };
  return defineFlow({ kind: 'marathon', version, firstStep: 'one', steps, upgrades });
}

export interface ChildArguments {
  readonly url: string;
  readonly name: string;
  readonly version: 1 | 2;
  readonly leaseMs: number;
  readonly pollMs: number;
}

if (process.argv[2] === 'run') {
  const { url, name, version, leaseMs, pollMs } = JSON.parse(process.argv[3]!) as ChildArguments;
  const store = createStore({ url, poolSize: 12, applicationName: name });
  const notes = createStore({ url, poolSize: 4, applicationName: `${name} notes` });
  const ctx: JobsCtx = {
    store,
    clock: systemClock,
    ids: systemIds,
    log: pino({ level: 'silent' }),
  };
  const worker = createWorker(ctx, {
    flows: [marathon(version, name, notes)],
    name,
    leaseMs,
    pollMs,
    concurrency: 12,
  });
  worker.start();
  process.stdout.write('ready\n');
  process.once('SIGTERM', () => void worker.stop().then(() => process.exit(0)));
}
