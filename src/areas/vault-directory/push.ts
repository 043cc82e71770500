import type { Ctx } from '../../context.ts';
import { machineClock } from '../../lib/clock.ts';
import { ServiceError } from '../../lib/errors.ts';
import {
  type DirectoryChanges,
  type DirectoryPlace,
  type DirectoryPush,
  directoryPlaceSchema,
} from '../../providers/vault/directory-wire.ts';
import { forgetRemovals, readDirectoryChanges, readDirectoryPlace } from './store.ts';

/**
 * A change of a key or issuer is told to the vault within this time, while the worker and the vault
 * run.
 */
export const directoryPushMs = 1_000;
/** Without any change the vault is told this often that its copy is complete. */
const confirmEveryMs = 15_000;
const rowsPerPush = 500;
const pushesMax = 10_000;

interface Place {
  readonly epoch: string;
  readonly version: bigint;
}

type PushCtx = Pick<Ctx, 'store' | 'clock' | 'providers' | 'log'>;

export interface DirectoryPusher {
  /**
   * Tells the vault what changed; quiet while the vault is away, since the next turn tells it
   * again.
   */
  run(): Promise<void>;
}

/** One per worker. Several may run: what one has told, the other need not. */
export function createDirectoryPusher(ctx: PushCtx): DirectoryPusher {
  let told: (Place & { readonly atMs: number }) | undefined;
  let isAway = false;
  return {
    async run() {
      const place = await readDirectoryPlace(ctx.store);
      const nowMs = machineClock(ctx.clock).now().getTime();
      const isTold =
        told?.epoch === place.epoch &&
        told.version === place.version &&
        Math.abs(nowMs - told.atMs) < confirmEveryMs;
      if (isTold) return;
      try {
        told = { ...(await pushAll(ctx, place)), atMs: nowMs };
        if (isAway) ctx.log.info('the vault is back: its copy of API keys is complete');
        isAway = false;
      } catch (error) {
        told = undefined;
        if (!(error instanceof ServiceError)) throw error;
        if (!isAway)
          ctx.log.warn(
            { err: error.cause ?? error, code: error.code },
            'the vault cannot be told about API keys; tried again',
          );
        isAway = true;
      }
    },
  };
}

/** Says where we are; while the vault is elsewhere, tells it the next page. */
async function pushAll(ctx: PushCtx, known: Place): Promise<Place> {
  let place = known;
  let at = await push(ctx, place, {
    reset: false,
    from: place.version,
    to: place.version,
    changes: nothing,
  });
  for (let pushes = 0; !at.accepted || at.version !== place.version.toString(); pushes++) {
    if (pushes >= pushesMax)
      throw new Error('The vault does not come to the end of the list of API keys.');
    // Ahead of us: another worker has told it something newer, or this database is an older one
    // that was restored.
    if (at.epoch === place.epoch && BigInt(at.version) > place.version)
      place = await readDirectoryPlace(ctx.store);
    const reset = at.epoch !== place.epoch || BigInt(at.version) > place.version;
    const from = reset ? 0n : BigInt(at.version);
    const { changes, upTo } = await readDirectoryChanges(ctx.store, {
      after: from,
      upTo: place.version,
      limit: rowsPerPush,
    });
    at = await push(ctx, place, { reset, from, to: upTo, changes });
  }
  await forgetRemovals(ctx.store, place.version);
  return place;
}

const nothing: DirectoryChanges = { keys: [], issuers: [], removedIssuers: [] };

function push(
  ctx: PushCtx,
  place: Place,
  {
    reset,
    from,
    to,
    changes,
  }: {
    readonly reset: boolean;
    readonly from: bigint;
    readonly to: bigint;
    readonly changes: DirectoryChanges;
  },
): Promise<DirectoryPlace> {
  const input: DirectoryPush = {
    epoch: place.epoch,
    reset,
    from: from.toString(),
    to: to.toString(),
    latest: place.version.toString(),
    ...changes,
  };
  return ctx.providers.vault.ask('directory.push', input, directoryPlaceSchema);
}
