import { setTimeout as delay } from 'node:timers/promises';
import type { Ctx } from '../../context.ts';
import { type ApiKey, findKeyBySecret } from './store.ts';

/** Longer than the worker takes to tell of a new key. */
const waitMsMax = 3_000;
const lookEveryMs = 100;
/** Beyond this many at once nobody waits. */
const waitingMax = 20;

/** How a host with a copy of the keys finds one that was made a moment ago. */
export interface KeyWait {
  /** Asked for keys whose signature is good only. */
  find(secretHash: Buffer): Promise<ApiKey | undefined>;
  /** What the caller of a key reads that has not come. */
  readonly unknown: string;
}

/**
 * Waits for the copy to have a key. It asks nobody and lets nobody in: the copy is what the worker
 * has told, as ever, and whoever has no key that this instance signed does not get here.
 */
export function createKeyWait(ctx: Pick<Ctx, 'store'>): KeyWait {
  let waiting = 0;
  return {
    unknown:
      'The API key is not known to this host. A new key is known here within seconds, while the worker of the service runs: retry once. Else create one with `purser keys create`.',
    async find(secretHash) {
      const known = await findKeyBySecret(ctx.store, secretHash);
      if (known || waiting >= waitingMax) return known;
      waiting++;
      try {
        for (let waitedMs = 0; waitedMs < waitMsMax; waitedMs += lookEveryMs) {
          await delay(lookEveryMs);
          const told = await findKeyBySecret(ctx.store, secretHash);
          if (told) return told;
        }
        return undefined;
      } finally {
        waiting--;
      }
    },
  };
}
