import { setTimeout as delay } from 'node:timers/promises';
import type { FaultWorld } from './world.ts';

/**
 * Up to where the chain's node says that blocks are final. While there is trouble a block is final
 * some time after the service has read it, so that what it has seen may still be replaced, however
 * slow it is; in peace every block is final at once.
 */
export interface Horizon {
  /** As a node is asked for the block: a name, or its height in hex. */
  asked(): string;
  /** Height of the last block that is final; infinite in peace. */
  height(): number;
  disturb(): Promise<void>;
  calm(): Promise<void>;
  /**
   * Nothing becomes final while `work` replaces the blocks from this height on.
   * @returns false when that one is final already, or `work` says that it did nothing
   */
  replace(fromHeight: number, work: () => Promise<boolean>): Promise<boolean>;
}

const finalAfterMs = 2_500;
const lookMs = 100;

/** @param readSeen height of the last block that the service has read */
export function createHorizon(rpc: FaultWorld['rpc'], readSeen: () => Promise<number>): Horizon {
  let seen: { readonly atMs: number; readonly height: number }[] = [];
  let floor = Number.POSITIVE_INFINITY;
  /** Rises with each reorganisation: what was asked for before one is of the old history. */
  let history = 0;
  let watching: Promise<void> | undefined;
  let isRough = false;
  let isHeld = false;

  async function watch(): Promise<void> {
    while (isRough) {
      const before = history;
      const height = await readSeen();
      if (before === history && height !== seen.at(-1)?.height)
        seen.push({ atMs: performance.now(), height });
      await delay(lookMs);
    }
  }

  const horizon: Horizon = {
    asked: () => (isRough ? `0x${horizon.height().toString(16)}` : 'latest'),
    height() {
      if (!isRough) return Number.POSITIVE_INFINITY;
      if (isHeld) return floor;
      const oldEnough = performance.now() - finalAfterMs;
      while (seen.length > 0 && seen[0]!.atMs <= oldEnough)
        floor = Math.max(floor, seen.shift()!.height);
      return floor;
    },
    async disturb() {
      floor = Number(await rpc<string>('eth_blockNumber', []));
      seen = [];
      isRough = true;
      watching = watch();
    },
    async calm() {
      isRough = false;
      await watching;
    },
    async replace(fromHeight, work) {
      if (isHeld || fromHeight <= horizon.height()) return false;
      isHeld = true;
      try {
        if (!(await work())) return false;
        history += 1;
        seen = seen.filter(({ height }) => height < fromHeight);
        return true;
      } finally {
        isHeld = false;
      }
    },
  };
  return horizon;
}
