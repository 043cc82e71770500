import type { Store } from '../store/types.ts';
import type { FlowRow } from './flow-store.ts';

/** A worker of this process, as flows that are started here see it. */
export interface LocalWorker {
  readonly name: string;
  readonly leaseMs: number;
  runs(kind: string): boolean;
  /** True when a due flow of this kind would be taken at once. */
  hasRoomFor(kind: string, version: number, projectId?: string): boolean;
  /** Hands over a flow that was stored with a lease for this worker. */
  take(row: FlowRow): void;
  /** Makes it look for due flows. */
  poke(): void;
}

const workers = new WeakMap<Store, Set<LocalWorker>>();

export function addLocalWorker(store: Store, worker: LocalWorker): () => void {
  const all = workers.get(store) ?? new Set();
  workers.set(store, all.add(worker));
  return () => void all.delete(worker);
}

/** A worker of this process that would take such a flow now. */
export function findLocalWorker(store: Store, kind: string, version: number, projectId?: string): LocalWorker | undefined {
  for (const worker of workers.get(store) ?? []) if (worker.hasRoomFor(kind, version, projectId)) return worker;
  return undefined;
}

/** True when a worker of this process runs such flows, if only once it has room. */
export function hasLocalWorker(store: Store, kind: string): boolean {
  for (const worker of workers.get(store) ?? []) if (worker.runs(kind)) return true;
  return false;
}
