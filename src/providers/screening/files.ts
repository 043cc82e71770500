import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Clock } from '../../lib/clock.ts';
import { readListFile, type ScreeningList } from './read-list.ts';
import {
  checkAddressCount,
  comparableAddress,
  type ListStatus,
  ScreeningError,
  type ScreeningProvider,
  type ScreeningResult,
} from './screening.ts';

/**
 * Lists from files that somebody else keeps fresh. A changed file is read anew beside the old list,
 * which stays in use until the new one has been read whole; a broken or missing one never replaces
 * it, and says so until it is mended.
 */

export interface FileScreeningOptions {
  readonly paths: readonly string[];
  readonly clock: Clock;
  readonly log: Logger;
  /** Between two looks at the files; 5 s when absent. */
  readonly checkEveryMs?: number;
  /**
   * A file that was written a moment ago may still be growing; 2 s when absent. The first list is
   * read at once.
   */
  readonly settleMs?: number;
  /** For reading one list; 2 min when absent. */
  readonly readTimeoutMs?: number;
}

export interface FileScreening extends ScreeningProvider {
  /** Looks at the files now and ends when what has changed is read. */
  refresh(): Promise<void>;
}

interface Held {
  readonly path: string;
  list?: ScreeningList;
  /** State of the file that `list` or `alarm` came from. */
  seen?: string;
  alarm?: string | undefined;
}

/** The first answers wait for the first lists; later ones at most this long for a newer list. */
const firstWaitMs = 20_000;
const newerWaitMs = 2_000;

export function createFileScreening(options: FileScreeningOptions): FileScreening {
  const { clock, checkEveryMs = 5_000 } = options;
  const helds: readonly Held[] = options.paths.map((path) => ({ path }));
  let refreshing: Promise<void> | undefined;
  let checkedAtMs = Number.NEGATIVE_INFINITY;

  const refresh = () => {
    refreshing ??= Promise.all(helds.map((held) => refreshOne(held, options)))
      .then(() => undefined)
      .finally(() => {
        refreshing = undefined;
      });
    return refreshing;
  };
  const refreshIfDue = async () => {
    const nowMs = clock.now().getTime();
    // A clock that was turned back must not keep an old list for good.
    if (Math.abs(nowMs - checkedAtMs) >= checkEveryMs) {
      checkedAtMs = nowMs;
      void refresh();
    }
    const waitMs = helds.every(({ list }) => list) ? newerWaitMs : firstWaitMs;
    if (refreshing) await waitAtMost(refreshing, waitMs);
  };
  // So that the first answer need not wait, and a broken list is known of at the start.
  void refreshIfDue();

  return {
    refresh,
    async screen({ addresses }) {
      checkAddressCount(addresses);
      await refreshIfDue();
      return compare(helds.map(requireList), addresses);
    },
    status() {
      // Asked for by whoever watches: so a list is fresh, and a broken one known of, also where
      // nobody pays out.
      void refreshIfDue();
      return helds.map(statusOf);
    },
  };
}

function compare(lists: readonly ScreeningList[], addresses: readonly string[]): ScreeningResult {
  const versions = lists.map(({ list, version, digest }) => ({ list, version, digest }));
  for (const address of addresses) {
    for (const { list, version, digest, entries } of lists) {
      const entry = entries.get(comparableAddress(address));
      if (entry !== undefined)
        return {
          status: 'blocked',
          hit: { address, list, listVersion: version, digest, entry },
          lists: versions,
        };
    }
  }
  return { status: 'clear', lists: versions };
}

function requireList({ path, list, alarm }: Held): ScreeningList {
  if (!list)
    throw new ScreeningError(
      `The sanctions list ${basename(path)} is not there: ${alarm ?? 'it is still being read.'}`,
    );
  return list;
}

function statusOf({ path, list, alarm }: Held): ListStatus {
  return {
    ...(list === undefined
      ? { list: basename(path) }
      : { list: list.list, version: list.version, digest: list.digest }),
    entryCount: list?.entries.size ?? 0,
    alarm,
  };
}

/** Never throws: what went wrong becomes the alarm. */
async function refreshOne(held: Held, options: FileScreeningOptions): Promise<void> {
  const { log, settleMs = 2_000, readTimeoutMs = 120_000 } = options;
  const file = basename(held.path);
  let before: Awaited<ReturnType<typeof look>> | undefined;
  try {
    before = await look(held.path);
    if (before.state === held.seen) return;
    // A time in the future says nothing about now: such a file is read at once.
    if (held.list && Math.abs(Date.now() - before.writtenAt.getTime()) < settleMs) return;
    const list = await readListFile(held.path, before, AbortSignal.timeout(readTimeoutMs));
    // Read while somebody wrote: the next look reads it again.
    if ((await look(held.path)).state !== before.state && held.list) return;
    held.list = list;
    held.seen = before.state;
    held.alarm = undefined;
    log.info(
      { list: file, version: list.version, digest: list.digest, entryCount: list.entries.size },
      'a sanctions list is in use',
    );
  } catch (error) {
    const alarm = explain(error);
    // As it was before it was read: what has been written since is read at the next look.
    held.seen = before?.state;
    if (alarm === held.alarm) return;
    held.alarm = alarm;
    log.error(
      { err: error, list: file, inUse: held.list?.version },
      'a sanctions list cannot be read; the last good one stays in use',
    );
  }
}

async function look(path: string): Promise<{ readonly state: string; readonly writtenAt: Date }> {
  const { mtimeMs, size, ino, mtime } = await stat(path);
  return { state: `${ino}:${size}:${mtimeMs}`, writtenAt: mtime };
}

function explain(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === 'ENOENT') return 'The file is missing.';
  if (code === 'EACCES') return 'The file cannot be opened by this process.';
  return error instanceof Error ? error.message : String(error);
}

async function waitAtMost(work: Promise<void>, ms: number): Promise<void> {
  const stop = new AbortController();
  await Promise.race([work, delay(ms, undefined, { signal: stop.signal }).catch(() => undefined)]);
  stop.abort();
}
