import type { Store } from '../store/types.ts';
import type { FlowRow } from './flows/flow-store.ts';

/** A worker of this process, as flows that are started here see it. */
export interface LocalWorker {
  readonly name: string;
  readonly leaseMs: number;
  runs(kind: string): boolean;
  /** True when a due flow of this kind would be taken at once. */
  hasRoomFor(kind: string, version: number, projectId?: string): boolean;
  /** Hands over a flow that was stored with a lease for this worker. */
  take(row: FlowRow): void;
  /**
   * Makes it look for due flows: at once, or (`backlog`) when enough places are free to make the
   * claim worth it.
   */
  poke(how: 'work' | 'backlog'): void;
}

const workers = new WeakMap<object, Set<LocalWorker>>();

export function addLocalWorker(store: Store, worker: LocalWorker): () => void {
  const all = workers.get(store.home ?? store) ?? new Set();
  workers.set(store.home ?? store, all.add(worker));
  return () => void all.delete(worker);
}

/** A worker of this process that would take such a flow now. */
export function findLocalWorker(
  store: Store,
  kind: string,
  version: number,
  projectId?: string,
): LocalWorker | undefined {
  for (const worker of workers.get(store.home ?? store) ?? [])
    if (worker.hasRoomFor(kind, version, projectId)) return worker;
  return undefined;
}

/** A worker of this process that runs such flows, if only once it has room. */
export function findBusyWorker(store: Store, kind: string): LocalWorker | undefined {
  for (const worker of workers.get(store.home ?? store) ?? []) if (worker.runs(kind)) return worker;
  return undefined;
}
