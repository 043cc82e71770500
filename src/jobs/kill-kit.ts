import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Store } from '../store/types.ts';
import type { ChildArguments } from './worker-child.ts';

export interface ChildWorker {
  readonly name: string;
  readonly process: ChildProcess;
  /** SIGKILL, and back when it is gone. */
  kill(): Promise<void>;
}

/** Starts a worker process. `command` is what follows `node`. */
export async function startChild(
  command: readonly string[],
  args: ChildArguments,
): Promise<ChildWorker> {
  const child = spawn(process.execPath, [...command, 'run', JSON.stringify(args)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const gone = once(child, 'exit');
  const ready = await Promise.race([
    once(child.stdout!, 'data').then(() => true),
    gone.then(() => false),
  ]);
  if (!ready) throw new Error(`Worker ${args.name} ended before it was ready.`);
  return {
    name: args.name,
    process: child,
    kill: async () => {
      child.kill('SIGKILL');
      await gone;
    },
  };
}

export interface Takeover {
  readonly flow: string;
  readonly killedAt: Date;
}

/** Flows that a worker held at the moment of its death, by the database's clock. */
export async function readOrphans(store: Store, worker: string): Promise<Takeover[]> {
  const { rows } = await store.query<Takeover>({
    text: `select id as flow, clock_timestamp() as "killedAt" from flows where status = 'active' and worker = $1 and lease_until is not null`,
    values: [worker],
  });
  return rows;
}

/**
 * Milliseconds from the death of its worker until somebody else had each flow, by the database's
 * clock; without those that nobody else ever had, since what the dead worker had sent last was its
 * end: the database commits what was sent before a kill.
 */
export async function readTakeoverMs(
  store: Store,
  orphans: readonly Takeover[],
): Promise<number[]> {
  const { rows } = await store.query<{ ms: number }>({
    text: `select extract(epoch from min(t.at) - o.at)::float8 * 1000 as ms
           from unnest($1::uuid[], $2::timestamptz[]) with ordinality as o(flow, at, nr) join claims t on t.flow = o.flow and t.at > o.at
           group by o.nr, o.at order by o.nr`,
    values: [orphans.map(({ flow }) => flow), orphans.map(({ killedAt }) => killedAt)],
  });
  return rows.map(({ ms }) => ms);
}

export interface Verdict {
  readonly notDone: number;
  /** Steps that were committed more than once, or not at all. */
  readonly wrongSteps: number;
  /** Flows whose effect was tried with more than one key or more than one set of words. */
  readonly changedEffects: number;
  readonly withoutEffect: number;
}

/** Counts what must not be: all zero when every flow ran every step once. */
export async function readVerdict(store: Store): Promise<Verdict> {
  const { rows } = await store.query<Verdict>({
    text: `with done as (
             select flow, count(*) as n, count(distinct case step when 'deux' then 'two' else step end) as kinds from steps_done group by flow
           ), tried as (
             select flow, count(distinct (key, data)) as intents from effects group by flow
           )
           select count(*) filter (where f.status <> 'done')::int as "notDone",
             count(*) filter (where d.n is distinct from 4 or d.kinds is distinct from 4)::int as "wrongSteps",
             count(*) filter (where t.intents > 1)::int as "changedEffects",
             count(*) filter (where t.flow is null)::int as "withoutEffect"
           from flows f left join done d on d.flow = f.id left join tried t on t.flow = f.id`,
  });
  return rows[0]!;
}
