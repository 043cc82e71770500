import type { Store } from '../../store/types.ts';
import { type FlowRow, renewLeases } from '../flows/flow-store.ts';

/** A flow at work here. */
export interface RunningFlow {
  readonly row: Pick<FlowRow, 'id' | 'fence' | 'projectId'>;
  leasedAtMs: number;
  /** Ends its effect, whose result could not be stored any more. */
  readonly aborter: AbortController;
  readonly finished: Promise<void>;
}

/** The flows that a worker runs at once: a fixed number of places, of which a project has a share. */
export interface Places {
  /** How many places one project gets at most. */
  readonly share: number;
  free(): number;
  isHalfEmpty(): boolean;
  /** Whether a project has all that it gets. */
  isFull(projectId: string): boolean;
  countByProject(): ReadonlyMap<string, number>;
  take(flow: RunningFlow): void;
  leave(flowId: string): void;
  /** Renews leases in good time; a flow that somebody else has now is aborted. */
  renew(store: Store, leaseMs: number): Promise<void>;
  /** Waits until all are empty; what is at work after `stopMs` is aborted, and soon given up on. */
  empty(stopMs: number): Promise<void>;
}

const giveUpAfterMs = 1_000;

export function createPlaces(count: number): Places {
  const running = new Map<string, RunningFlow>();
  const share = Math.max(1, Math.ceil((count * 3) / 4));

  function countByProject(): Map<string, number> {
    const byProject = new Map<string, number>();
    for (const { row } of running.values())
      byProject.set(row.projectId, (byProject.get(row.projectId) ?? 0) + 1);
    return byProject;
  }

  return {
    share,
    free: () => count - running.size,
    isHalfEmpty: () => running.size <= count / 2,
    isFull: (projectId) => (countByProject().get(projectId) ?? 0) >= share,
    countByProject,
    take: (flow) => void running.set(flow.row.id, flow),
    leave: (flowId) => void running.delete(flowId),
    async renew(store, leaseMs) {
      const old = [...running.values()].filter(
        ({ leasedAtMs }) => performance.now() - leasedAtMs > leaseMs / 4,
      );
      if (old.length === 0) return;
      const askedAtMs = performance.now();
      const rows = old.map(({ row }) => row);
      const held = await renewLeases(store, rows, leaseMs);
      for (const flow of old) {
        if (held.has(flow.row.id)) flow.leasedAtMs = askedAtMs;
        else if (running.get(flow.row.id) === flow) flow.aborter.abort();
      }
    },
    async empty(stopMs) {
      const giveUp = setTimeout(() => {
        for (const { aborter } of running.values()) aborter.abort();
      }, stopMs);
      const late = new Promise<void>((resolve) =>
        setTimeout(resolve, stopMs + giveUpAfterMs).unref(),
      );
      await Promise.race([
        Promise.all([...running.values()].map(({ finished }) => finished)),
        late,
      ]);
      clearTimeout(giveUp);
    },
  };
}
