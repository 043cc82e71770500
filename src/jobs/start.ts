import type { JsonObject } from '../lib/json/json.ts';
import type { Store, Tx } from '../store/types.ts';
import type { FlowDefinition, JobsCtx } from './flows/flow.ts';
import type { FlowRow } from './flows/flow-store.ts';
import { findBusyWorker, findLocalWorker } from './local-workers.ts';
import { count } from './metrics.ts';
import { flowsChannel, helpQuietMs, notifyOthers, ring } from './notify.ts';

/** More than these at once are for all workers to share. */
const hostedStartsMax = 4;

export interface StartInput<S extends JsonObject> {
  readonly projectId: string;
  readonly state: S;
  /** One flow per kind and key: a second start answers with the first one's id. */
  readonly key?: string;
  /** Service time; default now. */
  readonly runAt?: Date;
}

export interface Started {
  readonly id: string;
  /** False when the key was taken: the flow was there already. */
  readonly started: boolean;
}

/** Starts a flow in the caller's transaction: both are durable together, or neither. */
export async function startFlow<S extends JsonObject, C>(
  ctx: JobsCtx,
  tx: Tx,
  definition: FlowDefinition<S, C>,
  input: StartInput<S>,
): Promise<Started> {
  const [started] = await startFlows(ctx, tx, definition, [input]);
  return started!;
}

/**
 * Starts many flows of one kind in one statement. Answers in the order of `inputs`. Those that are
 * due at once and find a worker with room in this process are stored with its lease: no claim is
 * needed.
 */
export async function startFlows<S extends JsonObject, C>(
  ctx: JobsCtx,
  tx: Tx,
  definition: FlowDefinition<S, C>,
  inputs: readonly StartInput<S>[],
): Promise<Started[]> {
  if (inputs.length === 0) return [];
  const now = ctx.clock.now();
  const ids = inputs.map(() => ctx.ids.uuid());
  const states = inputs.map((input) => JSON.stringify(input.state));
  const mayBeHosted =
    inputs.length <= hostedStartsMax && inputs.every((input) => input.runAt === undefined);
  const host = mayBeHosted
    ? findLocalWorker(ctx.store, definition.kind, definition.version, inputs[0]!.projectId)
    : undefined;
  const { rows } = await tx.query<{ id: string }>({
    name: 'jobs-start',
    text: `insert into flows (id, project_id, kind, version, step, state, key, run_at, created_at, updated_at, worker, lease_until, fence, attempts)
           select i.id, i.project_id, $5, $6, $7, i.state, i.key, coalesce(i.run_at, $8), $8, $8, $10,
             case when $10::text is not null then now() + $11 * interval '1 millisecond' end,
             case when $10::text is null then 0 else 1 end, case when $10::text is null then 0 else 1 end
           from unnest($1::uuid[], $2::text[], $3::jsonb[], $4::text[], $9::timestamptz[]) as i(id, project_id, state, key, run_at)
           on conflict (kind, key) where key is not null do nothing returning id`,
    values: [
      ids,
      inputs.map((input) => input.projectId),
      states,
      inputs.map((input) => input.key ?? null),
      definition.kind,
      definition.version,
      definition.firstStep,
      now,
      inputs.map((input) => input.runAt ?? null),
      host?.name ?? null,
      host?.leaseMs ?? 0,
    ],
  });
  const inserted = new Set(rows.map((row) => row.id));
  tx.afterCommit(() => {
    count('flowsStarted', inserted.size);
    if (inserted.size === 0) return;
    if (host === undefined)
      return announceFlows(ctx.store, definition, mayBeHosted ? 'backlog' : 'work');
    inputs.forEach((input, index) => {
      const id = ids[index]!;
      if (inserted.has(id)) host.take(firstRow(definition, input, id, states[index]!, now));
    });
  });
  if (inserted.size === inputs.length) return ids.map((id) => ({ id, started: true }));
  return resolveTaken(tx, definition.kind, inputs, ids, inserted);
}

function firstRow<S extends JsonObject, C>(
  definition: FlowDefinition<S, C>,
  input: StartInput<S>,
  id: string,
  state: string,
  now: Date,
): FlowRow {
  return {
    id,
    projectId: input.projectId,
    kind: definition.kind,
    version: definition.version,
    step: definition.firstStep,
    // Through JSON, as every later step will see it.
    state: JSON.parse(state) as JsonObject,
    key: input.key ?? null,
    attempts: 1,
    fence: '1',
    wakes: 0,
    intent: null,
    history: [],
    createdAt: now,
  };
}

/** Tells a worker of this process; only where none has room are other processes told as well. */
function announceFlows<S extends JsonObject, C>(
  store: Store,
  definition: FlowDefinition<S, C>,
  how: 'work' | 'backlog',
): void {
  const local = findLocalWorker(store, definition.kind, definition.version);
  if (local) return local.poke(how);
  const busy = findBusyWorker(store, definition.kind);
  busy?.poke('backlog');
  notifyOthers(store, flowsChannel, busy ? helpQuietMs : undefined);
}

async function resolveTaken<S extends JsonObject>(
  tx: Tx,
  kind: string,
  inputs: readonly StartInput<S>[],
  ids: readonly string[],
  inserted: ReadonlySet<string>,
): Promise<Started[]> {
  const { rows } = await tx.query<{ id: string; key: string }>({
    text: 'select id, key from flows where kind = $1 and key = any($2::text[])',
    values: [kind, inputs.flatMap((input) => input.key ?? [])],
  });
  const byKey = new Map(rows.map((row) => [row.key, row.id]));
  return inputs.map((input, index) => {
    const id = ids[index]!;
    if (inserted.has(id)) return { id, started: true };
    const taken = byKey.get(input.key ?? '');
    if (taken === undefined)
      throw new Error(
        `Flow ${kind}: the row that holds the key "${input.key}" was removed meanwhile.`,
      );
    return { id: taken, started: false };
  });
}

/**
 * Makes a sleeping flow due now. Call it in the transaction that changes what the flow waits for: a
 * step that is running at that moment and decides to sleep is then run again instead.
 * @returns false when there is no active flow of that key.
 */
export async function wakeFlow<S extends JsonObject, C>(
  ctx: JobsCtx,
  tx: Tx,
  definition: FlowDefinition<S, C>,
  key: string,
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'jobs-wake',
    text: `update flows set wakes = wakes + 1, run_at = least(run_at, $3)
           where kind = $1 and key = $2 and finished_at is null`,
    values: [definition.kind, key, ctx.clock.now()],
  });
  if (rowCount > 0) tx.afterCommit(() => announceFlows(ctx.store, definition, 'work'));
  return rowCount > 0;
}

/** Makes every worker look for due flows now. For whoever moves the clock. */
export function pokeWorkers(ctx: Pick<JobsCtx, 'store'>): void {
  ring(ctx.store, flowsChannel);
}
