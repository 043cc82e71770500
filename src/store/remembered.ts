import { rowMacsOf } from './row-mac.ts';
import type { Db } from './types.ts';

/**
 * What this process has counted itself. A seal says that a row is one that the service wrote, not
 * that it is the last one: who writes the database can put a counter back, seal and all. So what
 * bounds guesses or spending is counted here too, and a process that has seen more refuses. Each
 * process remembers for itself, until it ends.
 */

interface Entry {
  value: bigint;
  /** Milliseconds; forgotten from then on. */
  readonly until: number;
}

/** What ends the alarm of a row that is earlier than what a process remembers, and rightly so. */
export const afterFailover =
  'if a failover or a backup lost what was written last, restart the processes that remember it';

/** By the keys of a process, which all of its stores and transactions carry. */
const memories = new WeakMap<object, Map<string, Entry>>();
const entriesMax = 200_000;

export interface RememberedKey {
  readonly key: string;
  readonly now: Date;
}

/** What was counted or seen under this name; 0 when nothing was, or it was forgotten. */
export function remembered(db: Db, { key, now }: RememberedKey): bigint {
  const entry = memoryOf(db).get(key);
  return entry !== undefined && entry.until > now.getTime() ? entry.value : 0n;
}

/**
 * Counts more of something.
 * @param until when it is forgotten, of the first one
 * @param by one when absent
 * @returns how many there are now
 */
export function countHere(
  db: Db,
  { by = 1n, ...input }: RememberedKey & { readonly until: Date; readonly by?: bigint },
): bigint {
  const value = remembered(db, input) + by;
  write(db, input, value);
  return value;
}

/** Takes back what was counted and did not happen; one when `by` is absent. */
export function uncountHere(
  db: Db,
  { key, by = 1n }: { readonly key: string; readonly by?: bigint },
): void {
  const entry = memoryOf(db).get(key);
  if (entry !== undefined) entry.value = entry.value > by ? entry.value - by : 0n;
}

/** Notes where a counter stands that only grows. What is noted again stays longer. */
export function noteHere(
  db: Db,
  input: RememberedKey & { readonly until: Date; readonly value: bigint },
): void {
  if (input.value >= remembered(db, input)) write(db, input, input.value);
}

function write(db: Db, { key, now, until }: RememberedKey & { until: Date }, value: bigint): void {
  const memory = memoryOf(db);
  const entry = memory.get(key);
  const isLive = entry !== undefined && entry.until > now.getTime();
  // To the end: what goes on, as the counter of a project does, is not what room is made of.
  memory.delete(key);
  memory.set(key, { value, until: isLive ? entry.until : until.getTime() });
  if (memory.size > entriesMax) makeRoom(memory, now.getTime());
}

/** Forgets what is over; when nothing is, what was written longest ago. */
function makeRoom(memory: Map<string, Entry>, now: number): void {
  for (const [key, { until }] of memory) if (until <= now) memory.delete(key);
  for (const key of memory.keys()) {
    if (memory.size <= entriesMax / 2) break;
    memory.delete(key);
  }
}

function memoryOf(db: Db): Map<string, Entry> {
  const macs = rowMacsOf(db);
  const memory = memories.get(macs) ?? new Map<string, Entry>();
  memories.set(macs, memory);
  return memory;
}
